package transport

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/congestion"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// tree is a network of 16 terminals on two levels of four routers: 12.5 GB/s, 1 us per channel,
// packets of 4,160 B.
func tree(t testing.TB, algorithm string, change func(c *Config)) *Network {
	top, err := topology.NewFatTree(topology.FatTreeSpec{K: 4, N: 2})
	require.NoError(t, err)
	r, err := routing.New("nca", top, nil)
	require.NoError(t, err)
	a, err := congestion.New(algorithm, nil)
	require.NoError(t, err)
	l := channel.Link{Latency: 1000, Rate: 12.5}
	c := Config{Topology: top, Routing: r, Algorithm: a, Terminal: l, Local: l, Global: l, Width: 64, Period: 1,
		Packet: 4096, Header: 64, Ack: 64, Timeout: 2e5, Reorder: 3, InOrder: !a.Needs().Selective, Store: true, Size: 208_000}
	if a.Needs().Marks {
		c.Mark = ECN{Min: 24_960, Max: 99_840, Share: 1}
	}
	if change != nil {
		change(&c)
	}
	return New(c)
}

// drain runs a network until nothing is left, and returns the messages in order of arrival.
func drain(t testing.TB, n *Network) (ids []int32) {
	for next := uint64(0); next != None; {
		if next > 1e10 {
			t.Fatal("no end")
		}
		next = n.Advance(next, func(a Arrival) { ids = append(ids, a.ID) })
	}
	require.NoError(t, (&Core{Network: n}).Check())
	return ids
}

// A message of a packet in the empty network takes what path says: with store-and-forward 2 x 4
// channels of 1 us, 4 x 4,160 B and 4 x 64 B at 12.5 B/ns, that is 9,351.68 ns; with cut-through once
// 4,160 B and once 64 B.
func TestEmptyNetwork(t *testing.T) {
	for store, want := range map[bool]float64{true: 9351.68, false: 8337.92} {
		n := tree(t, "swift", func(c *Config) { c.Store = store })
		p := n.path(0, 15)
		require.InDelta(t, want, p.RTT, 0.001)
		require.InDelta(t, want, n.farthest(), 0.001)
		require.Equal(t, 4, p.Hops)
		n.Send(7, 0, 15, 4096, 0)
		require.Equal(t, []int32{7}, drain(t, n))
		require.InDelta(t, want, float64(n.count.completion.Max()), 1)
	}
}

// setting is a way to treat queues that are full.
type setting struct {
	name   string
	change func(c *Config)
}

var settings = []setting{
	{"go_back_n", func(c *Config) { c.InOrder, c.Size = true, 50_000 }},
	{"selective", func(c *Config) { c.InOrder, c.Size = false, 50_000 }},
	{"timeouts only", func(c *Config) { c.InOrder, c.Size, c.Reorder = false, 50_000, 0 }},
	{"trimmed", func(c *Config) { c.InOrder, c.Size, c.Trim = false, 50_000, 64 }},
	{"trimmed, go_back_n", func(c *Config) { c.InOrder, c.Size, c.Trim = true, 50_000, 64 }},
	{"paused", func(c *Config) { c.Size, c.Pause, c.Resume = 0, 20_000, 15_000 }},
	{"acks wait", func(c *Config) { c.Mixed, c.Size, c.Every = true, 30_000, 16_384 }},
	{"cut-through", func(c *Config) { c.Store, c.Size, c.InOrder = false, 50_000, false }},
}

// Whatever the control and the queues do, every message arrives once and completes, nothing is left,
// and a second run does the same.
func TestNothingIsLost(t *testing.T) {
	for _, name := range congestion.All.Names() {
		for _, s := range settings {
			if name == "line_rate" && s.name != "paused" && s.name != "trimmed" {
				continue // its losses have no end within this test
			}
			for _, paths := range []uint32{1, 16} {
				t.Run(fmt.Sprintf("%s, %s, %d", name, s.name, paths), func(t *testing.T) {
					var first []int32
					for range 2 {
						n := tree(t, name, s.change)
						if paths > 1 && n.cfg.InOrder {
							t.Skip("packets overtake each other")
						}
						for i := range 16 {
							n.Spray(i, paths)
						}
						rng := rand.New(rand.NewPCG(3, 4))
						for id := range int32(60) {
							dst := rng.Int32N(16) * rng.Int32N(2) // half of them to terminal 0
							n.Send(id, rng.Int32N(16), dst, rng.Int64N(60_000), uint64(id)*100)
						}
						ids := drain(t, n)
						require.Len(t, ids, 60)
						if first == nil {
							first = ids
						}
						require.Equal(t, first, ids)
						require.GreaterOrEqual(t, n.count.resent, n.count.trims)
					}
				})
			}
		}
	}
}

// With priority flow control nothing is dropped, and what came by a channel stays below pause, a
// round trip of the channel and two packets.
func TestPauseBoundsBuffers(t *testing.T) {
	n := tree(t, "line_rate", func(c *Config) { c.Size, c.Pause, c.Resume = 0, 60_000, 48_000 })
	for i := range int32(15) {
		n.Send(i, i+1, 0, 500_000, 0)
	}
	got := 0
	for next := uint64(0); next != None; {
		next = n.Advance(next, func(Arrival) { got++ })
		for i := range n.links {
			if held := n.links[i].held; held > 60_000+2*12_500+2*4160 {
				t.Fatalf("%d B held", held)
			}
		}
	}
	require.Equal(t, 15, got)
	require.Zero(t, n.count.drops)
	require.Positive(t, n.count.pauses)
	require.Positive(t, n.pausedNS())
}

// Reference: DCQCN, section 3.1: no mark up to kmin, pmax at kmax, always above.
func TestMarks(t *testing.T) {
	n := tree(t, "dcqcn", func(c *Config) { c.Mark = ECN{Min: 5000, Max: 200_000, Share: 0.01} })
	share := func(bytes int64) float64 {
		marks := 0
		for range 100_000 {
			if n.marks(&link{data: queue{bytes: bytes}}) {
				marks++
			}
		}
		return float64(marks) / 100_000
	}
	require.Zero(t, share(5000))
	require.Equal(t, 1.0, share(200_001))
	require.InDelta(t, 0.01, share(200_000), 0.001)
	require.InDelta(t, 0.005, share(102_500), 0.0007)
}

// The packets of a flow take one path, with spray all of them.
func TestSpray(t *testing.T) {
	for paths, want := range map[uint32]int{1: 1, 64: 4} {
		n := tree(t, "nscc", nil)
		n.Spray(0, paths)
		n.Send(1, 0, 15, 4_000_000, 0)
		drain(t, n)
		used := 0
		for p := int32(4); p < 8; p++ { // up from router 0
			if n.links[n.base[0]+p].bytes > 0 {
				used++
			}
		}
		require.Equal(t, want, used, paths)
	}
}

// A timeout that finds nothing acknowledged doubles the next one.
func TestTimeoutsDouble(t *testing.T) {
	n := tree(t, "swift", func(c *Config) { c.Timeout = 1000 }) // far below a round trip of 9,352 ns
	n.Send(1, 0, 15, 4096, 0)
	drain(t, n)
	// Timeouts after 1, 2, 4 and 8 us in a row would be at 1, 3, 7 and 15 us: the answer comes at 9.35.
	require.Equal(t, uint64(3), n.count.timeouts)
	require.Equal(t, uint64(3), n.count.resent)
}

// The bits of packets that have come, against a map.
func TestReceivedPackets(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	f := flow{came: make([]uint64, 1)}
	came := map[uint32]bool{}
	for range 20_000 {
		psn := f.expected + rng.Uint32N(1+rng.Uint32N(400))
		require.Equal(t, came[psn], f.has(psn))
		if came[psn] {
			continue
		}
		came[psn] = true
		was := f.expected
		filled := f.take(psn)
		want := was
		for came[want] {
			want++
		}
		require.Equal(t, want, f.expected)
		require.Equal(t, want-was > 1, filled)
	}
}

// Packets, acknowledgements and timers take no memory once pools have grown.
func TestPacketsDoNotAllocate(t *testing.T) {
	for _, name := range congestion.All.Names() {
		n := tree(t, name, func(c *Config) { c.Size, c.Pause, c.Resume = 0, 60_000, 48_000 })
		cycle := uint64(0)
		send := func() {
			for i := range int32(8) {
				n.Send(i, i, 15, 400_000, cycle)
			}
			for next := cycle; next != None; {
				cycle = next
				next = n.Advance(next, func(Arrival) {})
			}
			cycle++
		}
		for range 4 {
			send()
		}
		require.LessOrEqual(t, testing.AllocsPerRun(3, send), 20.0, name) // of 8 x 98 packets; samples of completion times grow
	}
}

// BenchmarkIncast is 15 flows of 2 MB to one terminal.
func BenchmarkIncast(b *testing.B) {
	b.ReportAllocs()
	packets := uint64(0)
	for range b.N {
		n := tree(b, "nscc", func(c *Config) { c.Trim = 64 })
		for i := range int32(15) {
			n.Send(i, i+1, 0, 2_000_000, 0)
		}
		drain(b, n)
		packets += n.count.packets
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(packets), "ns/packet")
}

// The default timeout covers a queue that drains to an interface slower than the network: one flow at 10 MB/s is
// never sent again.
func TestTimeoutKnowsSlowInterfaces(t *testing.T) {
	n := tree(t, "line_rate", func(c *Config) { c.Timeout, c.Trip = 0, 1e4 })
	require.InDelta(t, 4*(1e4+208_000/12.5), n.ns(n.timeout), 1)
	k := &Core{Network: n}
	k.Limit(0, 0.01)
	k.Limit(1, 0.01)
	require.InDelta(t, 4*(1e4+208_000/0.01), n.ns(n.timeout), 1)
	n.Send(1, 0, 1, 200_000, 0)
	require.Equal(t, []int32{1}, drain(t, n))
	require.Zero(t, n.count.timeouts)
	require.Zero(t, n.count.resent)
}

// A threshold is a step: without a share between kmin and kmax every packet above kmax is marked.
func TestStepMarks(t *testing.T) {
	n := tree(t, "dcqcn", func(c *Config) { c.Mark = ECN{Min: 20_000, Max: 20_000} })
	x := &n.links[0]
	x.data.bytes = 20_000
	require.False(t, n.marks(x))
	x.data.bytes++
	require.True(t, n.marks(x))
}

// What the ticks cannot count is an error, not a time that begins again at zero.
func TestEndOfTicks(t *testing.T) {
	k := &Core{Network: tree(t, "line_rate", nil)}
	_, err := k.Advance(lastCycle)
	require.NoError(t, err)
	_, err = k.Advance(lastCycle + 1)
	require.ErrorContains(t, err, "simulated time goes beyond")
}
