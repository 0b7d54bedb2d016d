package routing_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// On a torus a packet keeps the class of a dimension until it leaves the dimension: 1 where its
// way crosses the wrap-around channel, else 0 (Dally and Seitz 1987). Where both ways are equally
// long, half of the packets go up.
func TestTorusClassesAndTies(t *testing.T) {
	top, err := topology.New("torus", topology.GridSpec{Dims: []int{4, 6}})
	require.NoError(t, err)
	g := topology.AsGrid(top)
	alg, err := routing.New("dor", top, nil)
	require.NoError(t, err)
	v := &calm{rng: rand.New(rand.NewPCG(1, 2))}
	up, ties := 0, 0
	for src := range top.Terminals() {
		for dst := range top.Terminals() {
			for range 4 {
				p := routing.Packet{Src: int32(src), Dst: int32(dst)}
				v.r, _ = top.Home(src)
				home, _ := top.Home(dst)
				classes, crosses, first := map[int]int{}, map[int]int{}, map[int]bool{}
				for v.r != home {
					hop := alg.Next(v, &p)
					d := (hop.Port - g.Up(0)) / 2
					to, _, ok := top.Peer(v.r, hop.Port)
					require.True(t, ok)
					at, k := g.At(v.r, d), g.Dims()[d]
					if _, turned := classes[d]; !turned {
						classes[d], first[d] = hop.Class, true
						if dist := (g.At(home, d) - at + k) % k; 2*dist == k {
							ties++
							if hop.Port == g.Up(d) {
								up++
							}
						}
					}
					require.Equal(t, classes[d], hop.Class, "%d to %d: the class changes", src, dst)
					if step := g.At(to, d) - at; step != 1 && step != -1 {
						crosses[d] = 1
					}
					v.r = to
					p.Hops++
				}
				for d, class := range classes {
					require.Equal(t, crosses[d], class, "%d to %d, dimension %d", src, dst, d)
				}
			}
		}
	}
	require.Greater(t, ties, 500)
	require.InDelta(t, .5, float64(up)/float64(ties), .08)
}

// Whatever queues look like, every algorithm brings every packet home, offers what is Optional only
// where the port is ready, and asks for ports that exist.
func TestPacketsComeHomeUnderAnyState(t *testing.T) {
	pairs(t, func(t *testing.T, top topology.Topology, name string, alg routing.Algorithm) {
		for seed := range uint64(150) {
			draw := rand.New(rand.NewPCG(seed, 5))
			src, dst := draw.IntN(top.Terminals()), draw.IntN(top.Terminals())
			v := &noisy{calm: calm{rng: rand.New(rand.NewPCG(seed, 1))}, state: draw}
			v.r, _ = top.Home(src)
			home, last := top.Home(dst)
			p := routing.Packet{Src: int32(src), Dst: int32(dst)}
			for hops := 0; ; hops++ {
				require.Less(t, hops, 40, "%d to %d goes in circles", src, dst)
				hop := alg.Next(v, &p)
				if v.r == home && hop.Port == last {
					break
				}
				require.True(t, hop.Class >= 0 && hop.Class < alg.Classes(), "%d to %d: class %d", src, dst, hop.Class)
				to, _, ok := top.Peer(v.r, hop.Port)
				require.True(t, ok, "%d to %d: port %d of router %d leads to no router", src, dst, hop.Port, v.r)
				v.r = to
				p.Hops++
			}
		}
	})
}

// Equal queues: the adaptive algorithm takes the first dimension that leads nearer.
func TestAdaptiveTiesGoToTheFirstDimension(t *testing.T) {
	top, err := topology.New("mesh", topology.GridSpec{Dims: []int{5, 4}})
	require.NoError(t, err)
	g := topology.AsGrid(top)
	alg, err := routing.New("adaptive", top, nil)
	require.NoError(t, err)
	for dst := range top.Terminals() {
		home, _ := top.Home(dst)
		if home == 0 {
			continue
		}
		v := &ready{calm: calm{rng: rand.New(rand.NewPCG(1, 2))}}
		p := routing.Packet{Dst: int32(dst)}
		want := g.Up(0)
		if g.At(home, 0) == 0 {
			want = g.Up(1)
		}
		require.Equal(t, want, alg.Next(v, &p).Port, "to %d", dst)
	}
}

// ready is calm with room everywhere.
type ready struct{ calm }

func (*ready) Ready(int, int) bool { return true }

// Values that a diverting algorithm does not have are errors that name the key.
func TestDivertSpecsAreRefused(t *testing.T) {
	d := dragonfly(t, 2, 4, 2)
	for want, s := range map[string]routing.DivertSpec{
		"global": {Global: "none", Queue: "vc"}, "queue": {Global: "crg", Queue: "flit"}, "percent": {Global: "crg", Queue: "vc", Percent: -1},
		"coefficient": {Global: "crg", Queue: "vc", Coefficient: 1<<16 + 1}, "threshold": {Global: "crg", Queue: "vc", Threshold: -1},
	} {
		_, err := routing.New("par", d, s)
		require.ErrorContains(t, err, want)
	}
}
