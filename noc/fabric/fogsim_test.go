package fabric_test

import (
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// palm72 is the dragonfly of FOGSim's testParameters.txt.
var palm72 = topology.DragonflySpec{P: 2, A: 4, H: 2, Arrangement: topology.Palmtree}

// A fogPoint is a run of FOGSim: 5,000 cycles, and 5,000 measured.
type fogPoint struct {
	tag, routing, traffic              string
	offered, accepted, latency, length float64
}

func readFOGSim(t testing.TB) []fogPoint {
	f, err := os.Open("testdata/fogsim_72.csv")
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	var out []fogPoint
	for _, row := range rows[1:] {
		var x [5]float64
		for i := range x {
			x[i], err = strconv.ParseFloat(row[i+3], 64)
			require.NoError(t, err)
		}
		out = append(out, fogPoint{row[0], row[1], row[2], x[0], x[1], x[3], x[4]})
	}
	return out
}

// fogDst draws as FOGSim does: uniform leaves out the own terminal.
func fogDst(d topology.Dragonfly, traffic string, i, src int, rng *rand.Rand) int {
	p, a := d.P(), d.A()
	r := src / p
	switch traffic {
	case "ADV_RANDOM_NODE":
		return (d.Group(r)+i)%d.Groups()*a*p + rng.IntN(a*p)
	case "ADV_LOCAL":
		return (d.Group(r)*a+(r+1)%a)*p + rng.IntN(p)
	}
	for {
		if dst := rng.IntN(d.Terminals()); dst != src {
			return dst
		}
	}
}

type fogResult struct{ accepted, latency, hops float64 }

// fogRun measures as FOGSim does: what comes between cycle 5,000 and 10,000.
// Terminals toss a coin per cycle, and stop while the buffer of their router is
// full.
func fogRun(t testing.TB, spec topology.DragonflySpec, alg string, rspec any, traffic string, i int, offered float64, seed uint64) fogResult {
	d, err := topology.NewDragonfly(spec)
	require.NoError(t, err)
	a, err := routing.New(alg, d, rspec)
	require.NoError(t, err)
	c := setting.FOGSim(d, a)
	c.Seed = seed
	n, err := fabric.New(c)
	require.NoError(t, err)
	rng := rand.New(rand.NewPCG(seed, 77))
	var r fogResult
	packets, warm := 0, false
	n.Delivered = func(x fabric.Delivery) {
		if warm {
			packets++
			r.latency += float64(x.Arrived - x.Injected)
			r.hops += float64(x.Hops)
		}
	}
	for cycle := range 10000 {
		warm = cycle >= 5000
		for src := range n.Terminals() {
			if !n.Queued(src) && rng.Float64() < offered/8 {
				n.Send(src, fogDst(d, traffic, i, src, rng), 8, false)
			}
		}
		n.Step()
	}
	require.NoError(t, n.Check())
	r.accepted = float64(packets) * 8 / 5000 / float64(n.Terminals())
	r.latency /= float64(packets)
	r.hops /= float64(packets)
	return r
}

// onePointOf chooses a point of each curve, an algorithm under a traffic: its first point, its second of the next
// curve, and so on. With -short every third curve has one, with CAUSEWAY_LONG all points are played.
func onePointOf(points []fogPoint) (out []fogPoint) {
	if os.Getenv("CAUSEWAY_LONG") != "" {
		return points
	}
	var curves [][]fogPoint
	for i, p := range points {
		if i == 0 || [3]string{p.tag, p.routing, p.traffic} != [3]string{points[i-1].tag, points[i-1].routing, points[i-1].traffic} {
			curves = append(curves, nil)
		}
		last := len(curves) - 1
		curves[last] = append(curves[last], p)
	}
	for i, c := range curves {
		if !testing.Short() || i%3 == 0 {
			out = append(out, c[i%len(c)])
		}
	}
	return out
}

// Throughput, latency and hops are those of FOGSim.
func TestFOGSimPoints(t *testing.T) {
	for _, p := range onePointOf(readFOGSim(t)) {
		alg, spec, i := "", any(nil), 1
		switch p.routing {
		case "MIN":
			alg = "min"
		case "VAL":
			alg, spec = "val_group", routing.ValiantSpec{Exclude: "source", VCMap: "ladder"}
		case "UGAL":
			alg, spec = "ugal_l", routing.UGALSpec{Via: "group", Exclude: "source", Hops: "absolute", Queue: "vc", VCMap: "ladder"}
		case "PB":
			s := routing.PiggybackSpec{Exclude: "source", Hops: "absolute", Queue: "vc", Coefficient: 200, GlobalThreshold: 24}
			if p.tag == "p2a4h2" {
				s.Queue = "port"
			}
			if p.tag == "pb_c100_pervc_t3" {
				s.Coefficient = 100
			}
			alg, spec = "pb", s
		case "PAR", "OLM":
			alg, spec = strings.ToLower(p.routing), routing.DivertSpec{Global: "mm", Local: true, Queue: "port", Percent: 50, Coefficient: 150, Threshold: 40}
		}
		if p.tag == "p2a4h2_advh" {
			i = 2
		}
		t.Run(fmt.Sprint(p.tag, p.routing, p.traffic, p.offered), func(t *testing.T) {
			t.Parallel()
			r := fogRun(t, palm72, alg, spec, p.traffic, i, p.offered, 1)
			t.Logf("accepted %.4f (FOGSim %.4f), latency %.1f (%.1f), hops %.3f (%.3f)", r.accepted, p.accepted, r.latency, p.latency, r.hops, p.length)
			require.InEpsilon(t, p.accepted, r.accepted, .05)
			require.InEpsilon(t, p.length, r.hops, .05)
			if _, ok := seedsOfFOGSim[p.offered]; ok && p.routing == "UGAL" && p.traffic == "ADV_RANDOM_NODE" {
				return // TestSaturatingUGAL
			}
			require.InEpsilon(t, p.latency, r.latency, .05)
		})
	}
}

// seedsOfFOGSim are means over seeds 1 to 16 of FOGSim, UGAL under ADV+1, by offered
// load. The network saturates at 0.27, and the latency there follows the seed:
// FOGSim's is 557 to 724 at 0.3 and 984 to 1,116 at 0.4.
var seedsOfFOGSim = map[float64]fogResult{
	.3: {accepted: .246822, latency: 642.6}, .4: {accepted: .268503, latency: 1044.4},
}

// Close to saturation the mean over as many seeds is compared, at 0.3; at 0.4 too with CAUSEWAY_LONG.
func TestSaturatingUGAL(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	spec := routing.UGALSpec{Via: "group", Exclude: "source", Hops: "absolute", Queue: "vc", VCMap: "ladder"}
	for offered, want := range seedsOfFOGSim {
		if offered > .3 && os.Getenv("CAUSEWAY_LONG") == "" {
			continue
		}
		t.Run(fmt.Sprint(offered), func(t *testing.T) {
			t.Parallel()
			var mean fogResult
			for seed := range uint64(16) {
				r := fogRun(t, palm72, "ugal_l", spec, "ADV_RANDOM_NODE", 1, offered, seed+1)
				mean.accepted += r.accepted / 16
				mean.latency += r.latency / 16
			}
			t.Logf("accepted %.4f (FOGSim %.4f), latency %.1f (%.1f)", mean.accepted, want.accepted, mean.latency, want.latency)
			require.InEpsilon(t, want.accepted, mean.accepted, .01)
			require.InEpsilon(t, want.latency, mean.latency, .05)
		})
	}
}

// Full load on the next group, every algorithm with its defaults: who sees the
// one congested channel, and who finds the others.
func TestAdaptiveOrder(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	got := map[string]float64{}
	for _, name := range []string{"ugal_l", "par", "val_group", "pb", "olm"} {
		got[name] = fogRun(t, palm72, name, nil, "ADV_RANDOM_NODE", 1, 1, 1).accepted
	}
	t.Log(got)
	require.Less(t, got["ugal_l"], got["par"])
	require.LessOrEqual(t, got["par"], got["val_group"])
	require.Less(t, got["val_group"], got["pb"])
	require.Less(t, got["pb"], got["olm"])
	require.LessOrEqual(t, got["olm"], .5625, "g/(2ap): one direct channel, and g-2 ways of two")
}

// Points that the kept file does not have: another size, and ADV+1 at full load.
// Reference: FOGSim 2021, built and run with the parameters of
// testdata/README.md and what stands here. Four of the five points of 342 terminals are played with CAUSEWAY_LONG.
func TestOtherPointsOfFOGSim(t *testing.T) {
	p342 := topology.DragonflySpec{P: 3, A: 6, H: 3, Arrangement: topology.Palmtree}
	mm := routing.DivertSpec{Global: "mm", Local: true, Queue: "port", Percent: 50, Coefficient: 150, Threshold: 40}
	pb := routing.PiggybackSpec{Exclude: "source", Hops: "absolute", Queue: "vc", Coefficient: 100, GlobalThreshold: 24}
	for _, c := range []struct {
		top              topology.DragonflySpec
		alg              string
		spec             any
		traffic          string
		offered          float64
		accepted, length float64
		latency          float64
	}{
		{p342, "min", nil, "UN", .6, .603242, 2.57604, 154.778},
		{p342, "min", nil, "UN", 1, .766129, 2.59501, 1763.82},
		{p342, "val_group", routing.ValiantSpec{Exclude: "source", VCMap: "ladder"}, "ADV_RANDOM_NODE", .3, .299991, 3.8901, 254.376},
		{p342, "pb", pb, "ADV_RANDOM_NODE", 1, .500412, 3.84909, 2426.21},
		{p342, "par", mm, "UN", .7, .704384, 2.58458, 173.832},
		{palm72, "olm", nil, "ADV_RANDOM_NODE", 1, .555178, 3.95733, 2117.55},
		{palm72, "par", mm, "ADV_RANDOM_NODE", 1, .297733, 3.00455, 2768.79},
	} {
		t.Run(fmt.Sprint(c.alg, c.traffic, c.offered), func(t *testing.T) {
			if quick := c.top != p342 || c.alg == "pb"; testing.Short() || !quick && os.Getenv("CAUSEWAY_LONG") == "" {
				t.Skip("short")
			}
			t.Parallel()
			r := fogRun(t, c.top, c.alg, c.spec, c.traffic, 1, c.offered, 1)
			t.Logf("accepted %.4f (FOGSim %.4f), latency %.1f (%.1f), hops %.3f (%.3f)", r.accepted, c.accepted, r.latency, c.latency, r.hops, c.length)
			require.InEpsilon(t, c.accepted, r.accepted, .05)
			require.InEpsilon(t, c.length, r.hops, .05)
			require.InEpsilon(t, c.latency, r.latency, .05)
		})
	}
}
