package routing_test

import (
	"encoding/binary"
	"flag"
	"fmt"
	"hash"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

var update = flag.Bool("update", false, "write testdata/decisions.txt again")

// others are specs besides the defaults, for each of the dragonflies of shapes.
var others = []struct {
	name string
	spec any
}{
	{"val_group", routing.ValiantSpec{Exclude: routing.ExcludeNone, Redraw: true}},
	{"val_router", routing.ValiantSpec{Exclude: routing.ExcludeSource, Redraw: true}},
	{"val_router", routing.ValiantSpec{Exclude: routing.ExcludeNone, VCMap: "ladder"}},
	{"ugal_l", routing.UGALSpec{Via: "group", Exclude: routing.ExcludeBoth, Hops: "actual", Queue: "vc", Threshold: -5}},
	{"ugal_l", routing.UGALSpec{Hops: "absolute", Queue: "vc", VCMap: "ladder", Threshold: 3}},
	{"ugal_l", routing.UGALSpec{Hops: "actual", Phantom: "drop", VCMap: "booksim"}},
	{"ugal_g", routing.UGALSpec{Via: "group", Exclude: routing.ExcludeSource, Hops: "absolute"}},
	{"pb", routing.PiggybackSpec{Exclude: routing.ExcludeNone, Hops: "absolute", Queue: "port", Threshold: 10, Coefficient: 150}},
	{"piar", routing.GateSpec{Local: 10, Global: 20, Coefficient: 50, Threshold: -3}},
	{"par_ph", routing.PHSpec{Threshold: -4}},
	{"par", routing.DivertSpec{Global: "nrg", Local: true, Queue: "port", Percent: 60, Coefficient: 80, Threshold: 2}},
	{"par", routing.DivertSpec{Global: "mm", Local: true, Queue: "vc", Percent: 130}},
	{"rlm", routing.DivertSpec{Global: "rrg", Queue: "port", Percent: 90, Coefficient: 120, Threshold: 9}},
	{"olm", routing.DivertSpec{Global: "crg", Local: true, Queue: "vc", Percent: 100}},
}

// crowded is a View with random queues, buffers and rates of a scale, and a random number of calls
// for a packet before it moves.
type crowded struct {
	noisy
	scale int
	deep  [topology.Terminal + 3]int
}

func crowdedView(seed uint64) *crowded {
	state := rand.New(rand.NewPCG(seed, 21))
	v := &crowded{noisy: noisy{calm: calm{rng: rand.New(rand.NewPCG(seed, 22))}, state: state}, scale: []int{3, 40, 300}[seed%3]}
	for i := range v.deep {
		v.deep[i] = 1 + state.IntN(300)
	}
	return v
}

func (v *crowded) draw() int                     { return v.state.IntN(v.scale) }
func (v *crowded) Queue(int) int                 { return v.draw() + v.scale/4 }
func (v *crowded) QueueClass(int, int) int       { return v.draw() }
func (v *crowded) Remote(int, int) int           { return v.draw() }
func (v *crowded) Flying(int) int                { return v.draw() / 4 }
func (v *crowded) Rate(int) int                  { return v.state.IntN(routing.RateWindow) }
func (v *crowded) Notice(int, int) bool          { return v.state.IntN(3) == 0 }
func (v *crowded) Ready(int, int) bool           { return v.state.IntN(2) == 0 }
func (v *crowded) Capacity(c topology.Class) int { return v.deep[c] }
func (v *crowded) Latency(c topology.Class) int  { return v.deep[c] / 2 }

// every is a crowded View that answers several decisions at once, as that of the check for
// deadlock does.
type every struct{ *crowded }

func (every) Together() bool { return true }
func (v every) Pick(n int, fit func(i int) bool) (int, bool) {
	var all []int
	for i := range n {
		if fit(i) {
			all = append(all, i)
		}
	}
	if k := v.state.IntN(len(all) + 1); k < len(all) {
		return all[k], true
	}
	return 0, false
}

// A log is a digest of decisions, and how many there were.
type log struct {
	hash.Hash64
	packets, hops, asked, represented int
}

func (l *log) note(values ...any) {
	for _, v := range values {
		require.NoError(nil, binary.Write(l, binary.LittleEndian, v))
	}
}

func (l *log) packet(p routing.Packet) {
	l.note(p.Dst, p.Via, p.Link, p.Hops, p.Phase, p.Pending, p.Mode)
}

// follow takes random packets through the network, with waits, and notes each decision. Where an
// algorithm names packets that represent others (Bulk), it notes those too.
func (l *log) follow(t *testing.T, top topology.Topology, alg routing.Algorithm) {
	bulk, _ := alg.(routing.Bulk)
	tells, _ := alg.(routing.Notifier)
	for seed := range uint64(120) {
		c := crowdedView(seed)
		var v routing.View = c
		if seed%4 == 3 {
			v = every{c}
		}
		src := c.state.IntN(top.Terminals())
		p := routing.Packet{Src: int32(src), Dst: int32(c.state.IntN(top.Terminals()))}
		c.r, _ = top.Home(src)
		home, last := top.Home(int(p.Dst))
		l.packets++
		for {
			if tells != nil {
				for port := range top.Ports(c.r) {
					if top.Class(c.r, port) == topology.Global {
						l.note(tells.Congested(v, port))
					}
				}
			}
			p.Again = false
			hop := alg.Next(v, &p)
			for c.state.IntN(3) == 0 {
				if p.Again = true; bulk != nil {
					q := p
					bulk.Waits(&q)
					l.packet(q)
				}
				l.asked++
				hop = alg.Next(v, &p)
			}
			l.note(int32(hop.Port), int32(hop.Class), hop.Optional)
			l.packet(p)
			if c.r == home && hop.Port == last {
				break
			}
			to, _, ok := top.Peer(c.r, hop.Port)
			require.True(t, ok)
			by := top.Class(c.r, hop.Port)
			c.r, p.Again = to, false
			p.Hops++
			require.Less(t, p.Hops, uint8(60))
			l.hops++
			if bulk != nil {
				q := p
				bulk.Arrives(by, to, &q)
				l.packet(q)
				bulk.Spread(by, to, q, func(x routing.Packet) { l.represented++; l.packet(x) })
			}
		}
	}
	if bulk != nil {
		for r := range top.Routers() {
			bulk.Starts(r, func(x routing.Packet) { l.represented++; l.packet(x) })
		}
	}
}

// detours takes packets through the network while channels fail and come back.
func (l *log) detours(t *testing.T, top topology.Topology, alg routing.Algorithm) {
	var ends [][2]int
	for r := range top.Routers() {
		for port := range top.Ports(r) {
			if to, _, ok := top.Peer(r, port); ok && r < to {
				ends = append(ends, [2]int{r, port})
			}
		}
	}
	if len(ends) == 0 {
		return
	}
	rng := rand.New(rand.NewPCG(9, 9))
	spells := make([]topology.Spell, 4)
	for i := range spells {
		for range 1 + len(ends)/5 {
			spells[i].Down = append(spells[i].Down, ends[rng.IntN(len(ends))])
		}
	}
	d, err := routing.NewDetour(top, alg, spells)
	require.NoError(t, err)
	l.note(int32(d.Classes()), int32(d.Turns()))
	for seed := range uint64(150) {
		c := crowdedView(seed)
		p := routing.Packet{Dst: int32(c.state.IntN(top.Terminals()))}
		c.r, _ = top.Home(c.state.IntN(top.Terminals()))
		home, last := top.Home(int(p.Dst))
		l.packets++
		for {
			if c.state.IntN(4) == 0 {
				d.Begin(c.state.IntN(len(spells)+1) - 1)
			}
			if c.state.IntN(12) == 0 {
				d.Take(&p)
			}
			hop := d.Next(c, &p)
			for c.state.IntN(3) == 0 {
				p.Again = true
				hop = d.Next(c, &p)
			}
			l.note(int32(hop.Port), int32(hop.Class))
			l.packet(p)
			if hop.Port < 0 {
				l.asked++
				break
			}
			if c.r == home && hop.Port == last || p.Hops > 40 {
				break
			}
			to, _, ok := top.Peer(c.r, hop.Port)
			require.True(t, ok)
			c.r, p.Again = to, false
			p.Hops++
			l.hops++
		}
	}
}

// TestDecisionsAreAsRecorded holds every decision of every algorithm under random states of the
// network. A line of testdata/decisions.txt has the packets followed, their hops, the calls
// while they waited, the packets that represent others, and a digest of all. A change of a line
// changes results: write the file again (-update) only with a reason.
func TestDecisionsAreAsRecorded(t *testing.T) {
	var text strings.Builder
	record := func(name string, top topology.Topology, alg routing.Algorithm) {
		l := log{Hash64: fnv.New64a()}
		l.follow(t, top, alg)
		fmt.Fprintf(&text, "%s: %d packets, %d hops, %d asked again, %d represent others, %016x\n", name, l.packets, l.hops, l.asked, l.represented, l.Sum64())
	}
	whole := t.Name() + "/"
	pairs(t, func(t *testing.T, top topology.Topology, _ string, alg routing.Algorithm) {
		record(strings.TrimPrefix(t.Name(), whole), top, alg)
	})
	for _, spec := range []topology.DragonflySpec{{P: 2, A: 4, H: 2}, {P: 1, A: 4, H: 2, G: 4, Arrangement: topology.Relative}, {P: 1, A: 3, H: 1, G: 1}} {
		top, err := topology.New("dragonfly", spec)
		require.NoError(t, err)
		for _, o := range others {
			alg, err := routing.New(o.name, top, o.spec)
			require.NoError(t, err)
			record(fmt.Sprintf("dragonfly %v %s %+v", spec, o.name, o.spec), top, alg)
		}
	}
	house, err := topology.New("file", topology.FileSpec{File: "../topology/testdata/house.txt"})
	require.NoError(t, err)
	table, err := routing.New("table", house, routing.TableSpec{File: "testdata/house_routes.txt"})
	require.NoError(t, err)
	record("table of house_routes.txt", house, table)
	pairs(t, func(t *testing.T, top topology.Topology, name string, alg routing.Algorithm) {
		if name != "min" && name != "dor" && name != "nca" && name != "shortest" {
			return
		}
		l := log{Hash64: fnv.New64a()}
		l.detours(t, top, alg)
		fmt.Fprintf(&text, "%s with channels down: %d packets, %d hops, %d without a way, %016x\n", strings.TrimPrefix(t.Name(), whole), l.packets, l.hops, l.asked, l.Sum64())
	})
	const file = "testdata/decisions.txt"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), text.String())
}
