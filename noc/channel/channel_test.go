package channel_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
	"github.com/causeway-sim/causeway/noc/traffic"
)

func build(t testing.TB, top string, spec any, alg string) (topology.Topology, routing.Algorithm) {
	tp, err := topology.New(top, spec)
	require.NoError(t, err)
	a, err := routing.New(alg, tp, nil)
	require.NoError(t, err)
	return tp, a
}

var df72 = topology.DragonflySpec{P: 2, A: 4, H: 2}

// drain runs until nothing is left and returns the arrivals by ID.
func drain(n *channel.Network) map[int32]channel.Arrival {
	out := map[int32]channel.Arrival{}
	for at := uint64(0); at != channel.None; {
		at = n.Advance(at, func(a channel.Arrival) { out[a.ID] = a })
	}
	return out
}

// In an empty network a message takes exactly as long as flit by flit, for every
// pair of terminals and any size, with lookahead routers and with a routing stage.
func TestUnloadedAsFlits(t *testing.T) {
	grid := topology.GridSpec{Dims: []int{4, 3}, Concentration: 2}
	for _, c := range []struct {
		top, alg string
		spec     any
		router   int
	}{{"dragonfly", "min", df72, 2}, {"mesh", "dor", grid, 4}, {"torus", "dor", grid, 4}} {
		tp, alg := build(t, c.top, c.spec, c.alg)
		cfg := setting.BookSim(tp, alg)
		cfg.Depth = 256
		for _, flits := range []int{1, 2, 7} {
			for src := range tp.Terminals() {
				for dst := range tp.Terminals() {
					if src%11 != 0 || dst%3 != 0 {
						continue
					}
					f, err := fabric.New(cfg)
					require.NoError(t, err)
					var want fabric.Delivery
					f.Delivered = func(d fabric.Delivery) { want = d }
					f.Send(src, dst, flits, false)
					for f.Step(); want.Flits == 0; f.Step() {
					}
					n, err := channel.New(channel.Config{
						Topology: tp, Routing: alg, Width: 16, Router: c.router,
						Terminal: channel.Link{Latency: cfg.TerminalLatency, Rate: 16},
						Local:    channel.Link{Latency: cfg.LocalLatency, Rate: 16},
						Global:   channel.Link{Latency: cfg.GlobalLatency, Rate: 16},
					})
					require.NoError(t, err)
					n.Send(channel.Message{Src: int32(src), Dst: int32(dst), Bytes: int64(16 * flits)}, 0)
					got := drain(n)[0]
					require.EqualValues(t, want.Arrived-want.Created, got.Cycle, "%s %d->%d, %d flits", c.top, src, dst, flits)
					require.Equal(t, want.Hops, got.Hops)
				}
			}
		}
	}
}

// Filled packets take the time of messages of whole packets.
func TestFill(t *testing.T) {
	tp, alg := build(t, "mesh", topology.GridSpec{Dims: []int{3, 3}}, "dor")
	rapid.Check(t, func(t *rapid.T) {
		num := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
		cfg := channel.Config{
			Topology: tp, Routing: alg, Width: 8, Router: 2, Packet: 8 * num("packet", 1, 9), Header: num("header", 0, 9),
			Terminal: channel.Link{Latency: 1}, Local: channel.Link{Latency: 1, Rate: 8},
		}
		whole, err := channel.New(cfg)
		require.NoError(t, err)
		cfg.Fill = true
		filled, err := channel.New(cfg)
		require.NoError(t, err)
		for i := range num("messages", 1, 20) {
			m := channel.Message{ID: int32(i), Src: int32(num("src", 0, 8)), Dst: int32(num("dst", 0, 8)), Bytes: int64(num("bytes", 0, 500))}
			filled.Send(m, 0)
			m.Bytes = max(1, (m.Bytes+int64(cfg.Packet)-1)/int64(cfg.Packet)) * int64(cfg.Packet)
			whole.Send(m, 0)
		}
		require.Equal(t, drain(whole), drain(filled))
	})
	_, err := channel.New(channel.Config{Topology: tp, Routing: alg, Width: 8, Fill: true})
	require.ErrorContains(t, err, "filled up (want packet above 0)")
}

// The form in the doc, for any latencies, widths and sizes.
func TestUnloaded(t *testing.T) {
	tp, alg := build(t, "mesh", topology.GridSpec{Dims: []int{5, 4}}, "dor")
	rapid.Check(t, func(t *rapid.T) {
		num := func(name string, lo, hi int) int { return rapid.IntRange(lo, hi).Draw(t, name) }
		c := channel.Config{
			Topology: tp, Routing: alg, Width: 8, Router: num("router", 0, 9), Store: rapid.Bool().Draw(t, "store"),
			Whole:    rapid.Bool().Draw(t, "whole"),
			Terminal: channel.Link{Latency: num("terminal", 0, 50)},
			Local:    channel.Link{Latency: num("local", 0, 50), Rate: float64(num("rate", 1, 64)) / 4},
			Header:   num("header", 0, 100),
		}
		n, err := channel.New(c)
		require.NoError(t, err)
		src, dst, bytes := num("src", 0, 19), num("dst", 0, 19), num("bytes", 0, 5000)
		n.Send(channel.Message{Src: int32(src), Dst: int32(dst), Bytes: int64(bytes)}, 0)
		hops := abs(src%5-dst%5) + abs(src/5-dst/5)
		time := float64(bytes+c.Header) / c.Local.Rate
		if c.Whole {
			time = float64(int(time))
		}
		if !c.Store {
			time *= float64(min(hops, 1))
		} else {
			time *= float64(hops)
		}
		want := float64(2*c.Terminal.Latency+hops*c.Local.Latency+(hops+1)*c.Router) + time
		require.InDelta(t, want, float64(drain(n)[0].Cycle), 1)
	})
}

func abs(x int) int { return max(x, -x) }

// A dumb twin: queues that are looked at in every cycle, on a mesh, whole cycles.
func TestTwin(t *testing.T) {
	tp, alg := build(t, "mesh", topology.GridSpec{Dims: []int{3, 3}}, "dor")
	rapid.Check(t, func(t *rapid.T) {
		const router, latency = 3, 2
		n, err := channel.New(channel.Config{Topology: tp, Routing: alg, Width: 1, Router: router, Store: true,
			Local: channel.Link{Latency: latency, Rate: 1}})
		require.NoError(t, err)
		type msg struct {
			hop, ready, size int
			path             []int
			done             int
		}
		var all []*msg
		for i := range rapid.IntRange(1, 25).Draw(t, "messages") {
			// Different sizes and powers of time keep ties away.
			m := &msg{size: rapid.IntRange(1, 40).Draw(t, "size")}
			src, dst := rapid.IntRange(0, 8).Draw(t, "src"), rapid.IntRange(0, 8).Draw(t, "dst")
			for v := src; v != dst; {
				m.path = append(m.path, v)
				switch {
				case v%3 < dst%3:
					v++
				case v%3 > dst%3:
					v--
				case v < dst:
					v += 3
				default:
					v -= 3
				}
			}
			m.path = append(m.path, dst)
			all = append(all, m)
			n.Send(channel.Message{ID: int32(i), Src: int32(src), Dst: int32(dst), Bytes: int64(m.size)}, 0)
			m.ready = router
		}
		// The order of a tie is that of coming to the router, which the twin keeps by
		// serving what came first; messages that came in one cycle are not compared.
		free := map[[2]int]int{}
		came := func(m *msg) int { return m.ready - router }
		tie := false
		for left := len(all); left > 0; {
			var next *msg
			for _, m := range all {
				if m.done == 0 && (next == nil || came(m) < came(next)) {
					next = m
				}
			}
			if next.hop == len(next.path)-1 {
				next.done = next.ready
				left--
				continue
			}
			l := [2]int{next.path[next.hop], next.path[next.hop+1]}
			for _, m := range all {
				if m != next && m.done == 0 && m.hop < len(m.path)-1 && came(m) == came(next) && came(m) > 0 && m.path[m.hop] == l[0] && m.path[m.hop+1] == l[1] {
					tie = true
				}
			}
			start := max(next.ready, free[l])
			free[l] = start + next.size
			next.hop++
			next.ready = start + next.size + latency + router
		}
		if tie {
			t.Skip("a tie")
		}
		got := drain(n)
		for i, m := range all {
			require.EqualValues(t, m.done, got[int32(i)].Cycle, "message %d", i)
		}
	})
}

// Whatever is sent arrives, with every algorithm, and no channel carries more
// than it can.
func TestConservation(t *testing.T) {
	for i, e := range append(routing.All.Entries(), routing.All.Entries()...) {
		buffer := 0
		if i >= len(routing.All.Entries()) {
			buffer = 4 // a packet
		}
		tp, err := topology.New("dragonfly", df72)
		require.NoError(t, err)
		alg, err := routing.New(e.Name, tp, nil)
		if err != nil {
			continue
		}
		n, err := channel.New(channel.Config{Topology: tp, Routing: alg, Width: 16, Packet: 64, Router: 2, Seed: 7, Buffer: buffer,
			Terminal: channel.Link{Latency: 1, Rate: 16}, Local: channel.Link{Latency: 10, Rate: 16}, Global: channel.Link{Latency: 100, Rate: 16}})
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(1, 2))
		count := 0
		arrived := func(channel.Arrival) { count++ }
		id := int32(0)
		for c := range uint64(500) {
			for range 8 {
				n.Send(channel.Message{ID: id, Src: rng.Int32N(72), Dst: rng.Int32N(72), Bytes: rng.Int64N(300)}, c)
				id++
			}
			n.Advance(c, arrived)
		}
		for at := uint64(500); at != channel.None; at = n.Advance(at, arrived) {
		}
		require.EqualValues(t, id, count, e.Name)
		require.NoError(t, n.Check())
	}
}

// Below saturation what is offered is accepted. MIN under ADV+1 is limited by the
// one channel between two groups to 1/(a p) = 0.125 flits per cycle and terminal;
// Valiant goes beyond, to 0.4375, and UGAL that sees all queues too.
func TestSaturation(t *testing.T) {
	buffer := 0
	accepted := func(algorithm string, load float64) float64 {
		tp, alg := build(t, "dragonfly", df72, algorithm)
		n, err := channel.New(channel.Config{Topology: tp, Routing: alg, Width: 16, Router: 2, Packet: 16, Buffer: buffer,
			Terminal: channel.Link{Latency: 1, Rate: 16}, Local: channel.Link{Latency: 10, Rate: 16}, Global: channel.Link{Latency: 100, Rate: 16}})
		require.NoError(t, err)
		adv, err := traffic.New("adv+1", tp, 1)
		require.NoError(t, err)
		rng := rand.New(rand.NewPCG(3, 4))
		got := 0
		for cycle := range uint64(3600) {
			for s := range tp.Terminals() {
				if rng.Float64() < load {
					n.Send(channel.Message{Src: int32(s), Dst: int32(adv.Dst(s, rng)), Bytes: 16}, cycle)
				}
			}
			n.Advance(cycle, func(channel.Arrival) {
				if cycle >= 1600 {
					got++
				}
			})
		}
		return float64(got) / 2000 / 72
	}
	require.InDelta(t, 0.12, accepted("min", 0.12), 0.002)
	require.InDelta(t, 0.12, accepted("min", 0.14), 0.0051)
	require.InDelta(t, 0.40, accepted("val_group", 0.40), 0.005)
	require.InDelta(t, 0.30, accepted("ugal_g", 0.30), 0.005)
	buffer = 256 // with back-pressure routers feel what is far away
	require.InDelta(t, 0.125, accepted("min", 1), 0.001)
	require.InDelta(t, 0.4375, accepted("val_group", 1), 0.005)
	require.InDelta(t, 0.30, accepted("ugal_l", 0.30), 0.02)
}

// A held terminal gets nothing, and all of it in order when it is let go.
func TestHold(t *testing.T) {
	tp, alg := build(t, "mesh", topology.GridSpec{Dims: []int{4, 1}}, "dor")
	n, err := channel.New(channel.Config{Topology: tp, Routing: alg, Width: 1, Local: channel.Link{Latency: 1, Rate: 1}})
	require.NoError(t, err)
	n.Hold(3, true, 0)
	for i := range int32(5) {
		n.Send(channel.Message{ID: i, Src: 0, Dst: 3, Bytes: 4}, 0)
	}
	var order []int32
	arrived := func(a channel.Arrival) { order = append(order, a.ID) }
	for at := uint64(0); at != channel.None; at = n.Advance(at, arrived) {
	}
	require.Empty(t, order)
	require.Equal(t, 5, n.Held(3))
	n.Hold(3, false, 1000)
	for at := uint64(1000); at != channel.None; at = n.Advance(at, arrived) {
	}
	require.Equal(t, []int32{0, 1, 2, 3, 4}, order)
}

// A line longer than routing.Packet can count.
func TestManyHops(t *testing.T) {
	tp, alg := build(t, "mesh", topology.GridSpec{Dims: []int{600, 1}}, "dor")
	n, err := channel.New(channel.Config{Topology: tp, Routing: alg, Width: 1, Local: channel.Link{Latency: 1}})
	require.NoError(t, err)
	n.Send(channel.Message{Src: 0, Dst: 599}, 0)
	require.Equal(t, channel.Arrival{Cycle: 599, Hops: 599}, drain(n)[0])
}

func TestRefuses(t *testing.T) {
	tp, alg := build(t, "mesh", nil, "dor")
	_, err := channel.New(channel.Config{Topology: tp, Routing: alg, Router: -1, Local: channel.Link{Rate: -1}})
	require.EqualError(t, err, "channel: router is -1 (want 0 to 65536); width is 0 (want 1 to 1048576); local rate is -1 B/cycle (want 0 or at least 1e-06)")
}

// Packets per hop: the issue asks for a million per second.
func BenchmarkHops(b *testing.B) {
	for _, alg := range []string{"min", "ugal_l", "ugal_l_buffer"} {
		b.Run(alg, func(b *testing.B) {
			alg, buffer := strings.CutSuffix(alg, "_buffer")
			tp, a := build(b, "dragonfly", topology.DragonflySpec{P: 4, A: 8, H: 4}, alg)
			c := channel.Config{Topology: tp, Routing: a, Width: 16, Packet: 64, Router: 2,
				Terminal: channel.Link{Latency: 1, Rate: 16}, Local: channel.Link{Latency: 10, Rate: 16}, Global: channel.Link{Latency: 100, Rate: 16}}
			if buffer {
				c.Buffer = 256
			}
			n, err := channel.New(c)
			require.NoError(b, err)
			rng := rand.New(rand.NewPCG(1, 2))
			nodes := int32(tp.Terminals())
			cycle, none := uint64(0), func(channel.Arrival) {}
			step := func() {
				for range nodes / 10 {
					n.Send(channel.Message{Src: rng.Int32N(nodes), Dst: rng.Int32N(nodes), Bytes: 64}, cycle)
				}
				n.Advance(cycle, none)
				cycle++
			}
			for range 2000 {
				step()
			}
			b.ReportAllocs()
			b.ResetTimer()
			before := n.Hops()
			for range b.N {
				step()
			}
			b.ReportMetric(float64(n.Hops()-before)/b.Elapsed().Seconds()/1e6, "Mhops/s")
		})
	}
}

// Two messages from one terminal share its channel packet by packet.
func Example() {
	t, _ := topology.New("mesh", topology.GridSpec{Dims: []int{3, 1}})
	r, _ := routing.New("dor", t, nil)
	wire := channel.Link{Latency: 10, Rate: 16}
	n, _ := channel.New(channel.Config{Topology: t, Routing: r, Terminal: wire, Local: wire, Router: 2, Packet: 64, Width: 16})
	n.Send(channel.Message{ID: 1, Src: 1, Dst: 0, Bytes: 640}, 0)
	n.Send(channel.Message{ID: 2, Src: 1, Dst: 2, Bytes: 64}, 0)
	for at := uint64(0); at != channel.None; {
		at = n.Advance(at, func(a channel.Arrival) { fmt.Printf("message %d in cycle %d\n", a.ID, a.Cycle) })
	}
	// Output:
	// message 2 in cycle 42
	// message 1 in cycle 78
}
