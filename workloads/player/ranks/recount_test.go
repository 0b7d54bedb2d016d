package ranks

import (
	"maps"
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/comm/motif"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// metrics are those of a player, by name.
func metrics(c *Comp) map[string]float64 {
	out := map[string]float64{}
	for _, m := range c.Stats().Metrics() {
		out[m.Name] = m.Value
	}
	return out
}

// Every metric of a short program, by hand, and no other: a computation of 10 cycles, a message of 64 B over 5 cycles, a long
// one of 100 B that is announced and granted, and a computation of 3 cycles at its receiver.
func TestMetricsByHand(t *testing.T) {
	const text = "num_ranks 2\nrank 0 {\na: calc 10\nb: send 64b to 1 tag 1\nb requires a\nc: send 100b to 1 tag 2\nc requires b\n}\nrank 1 {\nb: recv 64b from 0 tag 1\nc: recv 100b from 0 tag 2\nd: calc 3\nd requires c\n}\n"
	c, err := play(t, parse(t, text), spec(func(s *Spec) { s.NIC.Eager = 64 }), 5)
	require.NoError(t, err)
	// Rank 0 sends at 10, announces then, has the grant at 20 and is through; the data are there at 25.
	want := map[string]float64{
		"total_cycles": 28, "total_time": 28, "time": 28, "ranks": 2, "messages": 2, "message_bytes": 164, "control_messages": 2, "collectives": 0,
		"unexpected_messages_max": 0, "message_latency_mean": (5 + 15) / 2., "message_latency_max": 15,
		"finish_time_mean": (20 + 28) / 2., "finish_time_max": 28, "compute_time_mean": 13 / 2., "compute_time_max": 10, "wait_time_mean": (10 + 25) / 2., "wait_time_max": 25,
	}
	require.Equal(t, want, metrics(c))
	require.Equal(t, [][]any{{int64(0), int64(0), 20., 10., 10., uint64(3), uint64(64 + 100 + uint64(c.spec.NIC.Control))}, {int64(1), int64(1), 28., 3., 25., uint64(1), uint64(c.spec.NIC.Control)}}, c.Layers().Held().Rows)
	require.Equal(t, 28., c.LastActivity())
	done, total := c.Progress()
	require.Equal(t, []int64{6, 6}, []int64{done, total})

	none, err := play(t, parse(t, "num_ranks 2\nrank 0 {\ncalc 1\n}\nrank 1 {\ncalc 1\n}\n"), DefaultSpec(), 5)
	require.NoError(t, err)
	for _, name := range []string{"message_latency_mean", "bus_bandwidth", "bound_share"} {
		require.NotContains(t, metrics(none), name)
	}
	// What waits for its receive is unexpected.
	early, err := play(t, parse(t, "num_ranks 2\nrank 0 {\nsend 8b to 1 tag 1\nsend 8b to 1 tag 2\n}\nrank 1 {\na: calc 40\nb: recv 8b from 0 tag 1\nc: recv 8b from 0 tag 2\nb requires a\nc requires a\n}\n"), DefaultSpec(), 5)
	require.NoError(t, err)
	require.Equal(t, 2., metrics(early)["unexpected_messages_max"])
	early.count.received++
	require.Len(t, slices.DeleteFunc(early.Stats().Verify(), func(err error) bool { return err == nil }), 1)
}

// Bytes through an interface in collectives, as NCCL's tests count them, and the time in which they pass the slowest channel.
func TestBusBandwidthByHand(t *testing.T) {
	bytes := func(n int, ops ...comm.Op) (float64, bool) {
		p := comm.NewProgram(n)
		for i := range p.Ranks {
			for _, o := range ops {
				p.Ranks[i].Add(o)
			}
			require.NoError(t, p.Ranks[i].Seal())
		}
		c := &Comp{program: p, spec: DefaultSpec(), ranks: make([]rank, n)}
		if b, ok := c.busBytes(); ok {
			_, rated := c.boundTime()
			require.False(t, rated, "no channel has a rate")
			for i := range c.ranks {
				c.ranks[i].nic.wire = units.Bandwidth(8e9 * float64(3+(i+1)%n))
			}
			ns, rated := c.boundTime()
			require.True(t, rated)
			require.InEpsilon(t, b/3, ns, 1e-12)
			c.ranks[0].nic.wire = 0
			ns, _ = c.boundTime()
			require.InEpsilon(t, b/3, ns, 1e-12, "one without a rate is no bound")
		}
		return c.busBytes()
	}
	op := func(c comm.Coll) comm.Op { return comm.Op{Kind: comm.Collective, Coll: c, Bytes: 120} }
	for coll, want := range map[comm.Coll]float64{
		comm.AllReduce: 2 * 3 / 4. * 120, comm.ReduceScatter: 3 / 4. * 120, comm.AllToAll: 3 / 4. * 120, comm.AllGather: 3 * 120, comm.Gather: 3 * 120, comm.Scatter: 3 * 120, comm.Reduce: 120, comm.Broadcast: 120,
	} {
		got, ok := bytes(4, op(coll))
		require.True(t, ok)
		require.InDelta(t, want, got, 1e-9, coll)
		got, _ = bytes(4, op(coll), comm.Op{Kind: comm.Join}, op(coll))
		require.InDelta(t, 2*want, got, 1e-9, coll)
		_, ok = bytes(4, op(coll), comm.Op{Kind: comm.Compute})
		require.False(t, ok, "not collectives alone")
	}
	_, ok := bytes(4, op(comm.Barrier))
	require.False(t, ok, "no bytes")
	_, ok = bytes(1, op(comm.AllReduce))
	require.False(t, ok, "one rank")
	sums := &Comp{program: comm.NewProgram(4), spec: DefaultSpec()}
	sums.program.Ranks[0].Add(op(comm.AllReduce))
	require.NoError(t, sums.program.Ranks[0].Seal())
	sums.spec.Collectives.AllReduce.Name = inNetwork
	got, ok := sums.busBytes()
	require.True(t, ok)
	require.Equal(t, 120., got, "routers add up")
}

// Cycles of a rank's memory and computations, against exact arithmetic: passes rounded up together or down one by one, a
// computation the longer of its operations and its bytes, and the trace's own time where it has one.
func TestTimesOfARankAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.SampledFrom([]clock.Clock{clock.GHz, units.Hertz(1.41e9).Clock, units.Hertz(7e8).Clock}).Draw(t, "clock")
		memory := rapid.SampledFrom([]units.Bandwidth{0, 8e9, 8 * 3e9, 8 * 900e9, 7}).Draw(t, "memory")
		n, bytes := rapid.Uint64Range(1, 3).Draw(t, "passes"), rapid.SampledFrom([]uint64{0, 1, 63, 4096, 1<<30 + 5}).Draw(t, "bytes")
		down := rapid.Bool().Draw(t, "down")
		r := rates{clock: c, scale: 1, memory: memory, down: down}
		exact := func(bytes uint64) *big.Rat { // cycles
			if memory == 0 {
				return new(big.Rat)
			}
			x := new(big.Rat).SetFrac(new(big.Int).Mul(new(big.Int).SetUint64(bytes*8), new(big.Int).SetUint64(c.Den())), new(big.Int).Mul(new(big.Int).SetUint64(uint64(memory)), new(big.Int).SetUint64(c.Num())))
			return x
		}
		floor := func(x *big.Rat) uint64 { return new(big.Int).Quo(x.Num(), x.Denom()).Uint64() }
		want := n * floor(exact(bytes))
		if !down {
			all := exact(n * bytes)
			if want = floor(all); !all.IsInt() {
				want++
			}
		}
		require.Equal(t, want, r.passes(n, bytes))
		require.Equal(t, r.passes(1, bytes), r.duration(&comm.Op{Bytes: bytes}), "bytes alone")
	})
	r := rates{clock: clock.GHz, scale: 1, memory: 8e9, compute: 2e9}
	require.EqualValues(t, 50, r.duration(&comm.Op{Work: 100, Bytes: 30}), "operations are slower")
	require.EqualValues(t, 130, r.duration(&comm.Op{Work: 100, Bytes: 130}), "bytes are")
	require.EqualValues(t, 7, r.duration(&comm.Op{Work: 100, Bytes: 130, Time: 7 * units.Nanosecond}), "the trace's own time")
	r.scale = 3
	require.EqualValues(t, 390, r.duration(&comm.Op{Work: 100, Bytes: 130}))
	require.EqualValues(t, 21, r.duration(&comm.Op{Time: 7 * units.Nanosecond}))
	require.EqualValues(t, 30, r.duration(&comm.Op{Bytes: 30}), "moving is not scaled")
	r.memory = 0
	require.EqualValues(t, 150, r.duration(&comm.Op{Work: 100, Bytes: 130}))
	r.memory, r.clock = 1, units.Hertz(4e18).Clock
	require.NotZero(t, r.passes(1, 1<<40), "beyond 64 bits")
}

// A set of ranks, against a map: members come in order from a place on, and each once.
func TestSetsOfSeats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 200).Draw(t, "ranks")
		members := rapid.SliceOf(rapid.Int32Range(0, int32(n)-1)).Draw(t, "members")
		var s seats
		s.open(n)
		for i := range int32(n) {
			require.Equal(t, i, next(s.stirred, i), "all are looked at once")
		}
		require.Equal(t, int32(-1), next(s.stirred, 0))
		has := map[int32]bool{}
		for _, m := range members {
			mark(s.moving, m)
			has[m] = true
		}
		for len(has) > 0 {
			from := rapid.Int32Range(0, int32(n)-1).Draw(t, "from")
			want := int32(-1)
			for m := range has {
				if m >= from && (want < 0 || m < want) {
					want = m
				}
			}
			require.Equal(t, want, next(s.moving, from))
			delete(has, want)
			if want < 0 {
				from = slices.Min(slices.Collect(maps.Keys(has)))
				require.Equal(t, from, next(s.moving, 0))
				delete(has, from)
			}
		}
		require.Equal(t, int32(-1), next(s.moving, 0))
	})
}

// The chart of intervals, by hand: a receive waits from its post to its message, the sender being late until it sends; one
// that finds its message does not wait, and a computation of no time is none.
func TestIntervalsByHand(t *testing.T) {
	const text = "num_ranks 2\nrank 0 {\na: calc 10\nb: send 64b to 1 tag 1\nb requires a\n}\nrank 1 {\nb: recv 64b from 0 tag 1\nc: calc 3\nc requires b\nd: calc 0\nd requires c\n}\n"
	for eager, end := range map[units.Bytes]float64{64: 15, 8: 25} {
		p := parse(t, text)
		e := engine.New()
		c, err := New("Ranks", e, spec(func(s *Spec) { s.NIC.Eager = eager }), p)
		require.NoError(t, err)
		c.Grow("nic", 2)
		wire := engine.NewWire("Link", e)
		for _, port := range c.ports {
			wire.Attach(port, c.Clock(), engine.EndOptions{Latency: 5, Buffer: 8})
		}
		c.RecordDetail()
		require.NoError(t, c.Start())
		require.NoError(t, e.Run())
		name, tab := c.Detail()
		require.Equal(t, "intervals", name)
		require.Equal(t, [][]any{{int64(0), int64(-1), 0., 0., 10.}, {int64(1), int64(0), 0., 10., end}, {int64(1), int64(-1), end, end, end + 3}}, tab.Held().Rows, "announced at 10 too")
	}
	w := gantt{on: true, since: map[token]uint64{}, sent: map[token]uint64{}}
	at := token{1, 2, 3}
	w.met(at, &Message{since: 7})
	w.over(at, 0, 9)
	require.Empty(t, w.rows, "it found its message")
	w.post(at, 9)
	w.over(at, 0, 9)
	require.Empty(t, w.rows, "it came at once")
	w.post(at, 5)
	w.met(at, &Message{since: 2})
	w.over(at, 4, 9)
	require.Equal(t, []interval{{1, 4, 5, 5, 9}}, w.rows, "the sender began before")
	for range maxIntervals {
		w.computed(0, 1, 2)
	}
	require.Len(t, w.rows, maxIntervals)
	require.False(t, w.on)
	var off gantt
	off.post(at, 1)
	off.met(at, &Message{})
	off.over(at, 1, 2)
	off.computed(1, 2, 3)
	require.Empty(t, off.rows)
}

// The causes of a player's time add up to the time of all its ranks, and an overhead is the share of what its interface takes.
func TestCausesAddUp(t *testing.T) {
	p, err := motif.Make("all_reduce", 4, motif.Single{Steps: motif.Steps{Steps: 3, Compute: 200 * units.Nanosecond}, Bytes: 4096})
	require.NoError(t, err)
	c, err := play(t, p, spec(func(s *Spec) {
		s.NIC.Overhead, s.NIC.Bandwidth, s.Memory = units.InCycles(30), 8*8e9, 8*16e9
		s.Stragglers = []Straggler{{Rank: 2, Late: units.InCycles(500)}}
	}), 50)
	require.NoError(t, err)
	tree := c.Causes()
	require.Equal(t, 4, tree.Nodes)
	require.InDelta(t, 4*float64(c.count.last), tree.Used(), 1e-6)
	part := func(name string) float64 {
		if x := tree.Part(name); x != nil {
			return x.Time
		}
		return 0
	}
	require.EqualValues(t, 500, part("asleep"))
	require.EqualValues(t, 4*3*200, part("compute"))
	late := 0.
	for i := range c.ranks {
		late += float64(c.count.last - c.ranks[i].finish)
	}
	require.InDelta(t, late, part("late_ranks"), 1e-9)
	for _, name := range []string{"sums", "bandwidth", "overhead", "late_senders", "messages"} {
		require.Positive(t, part(name), name)
	}
	one := spent{}
	r := rank{}
	r.book.cycles[injecting], r.nic.overheads, r.nic.transfers = 100, 30, 90
	one.add(&r)
	one.add(&r)
	require.EqualValues(t, []uint64{200, 50}, []uint64{one.cycles[injecting], one.overhead})
	c.chairs = []seat.Seat{}
	require.Nil(t, c.Causes(), "seats report their own")
}

// What an interface spends on a message: its overhead and its bytes at the slower of link and interface, over its lanes.
func TestCostsOfAnInterface(t *testing.T) {
	n := DefaultSpec().NIC
	n.Overhead, n.Bandwidth = units.InCycles(6), 8*4e9
	for _, x := range []struct {
		wire               units.Bandwidth
		lanes              int
		slower             bool
		overhead, transfer uint64
	}{{0, 0, true, 6, 25}, {8 * 8e9, 0, true, 6, 25}, {8 * 2e9, 0, false, 6, 50}, {8 * 4e9, 0, false, 6, 25}, {8 * 2e9, 2, false, 3, 25}} {
		n.Interfaces = x.lanes
		nic := newNIC(n, clock.GHz)
		nic.wire = x.wire
		require.Equal(t, x.slower, nic.slower(), x)
		overhead, transfer := nic.costs(100)
		require.Equal(t, []uint64{x.overhead, x.transfer}, []uint64{overhead, transfer}, x)
		require.Len(t, nic.lanes, x.lanes)
	}
	free := newNIC(DefaultSpec().NIC, clock.GHz)
	require.False(t, free.slower())
	require.Zero(t, free.time(0, 100))
	n.Piece = 32
	nic := newNIC(n, clock.GHz)
	for bytes, want := range map[int]int32{0: 1, 1: 1, 32: 1, 33: 2, 96: 3, 97: 4} {
		m := &Message{}
		m.TrafficBytes = bytes
		require.Equal(t, want, nic.pieces(m), bytes)
	}
}

// Meetings of long messages are used again, and a message that is taken from the pool is no part of anything.
func TestMeetingsAreUsedAgain(t *testing.T) {
	x := rendezvousList{all: make([]rendezvous, 1)}
	open := func(op int32) int32 {
		m := &Message{From: 1, To: 2, Tag: 3, Group: 4, Bytes: 500, at: token{1, op, program}, since: 9}
		x.open(m, 16)
		require.Equal(t, request, m.kind)
		require.Equal(t, 16, m.TrafficBytes)
		d := &Message{}
		x.data(d, m.meet)
		require.Equal(t, []any{data, int32(1), int32(2), int64(3), int32(4), uint64(500), 500, uint64(9), m.meet}, []any{d.kind, d.From, d.To, d.Tag, d.Group, d.Bytes, d.TrafficBytes, d.since, d.meet})
		require.Equal(t, token{1, op, program}, x.all[m.meet].send)
		return m.meet
	}
	a, b := open(1), open(2)
	require.Equal(t, []int32{1, 2}, []int32{a, b})
	x.all[a].recv = token{2, 7, program}
	require.Equal(t, token{2, 7, program}, x.close(a))
	x.close(b)
	require.Equal(t, []int32{b, a, 3}, []int32{open(3), open(4), open(5)}, "the last closed first")
	require.Equal(t, token{}, x.all[a].recv)
	p := pool{name: "P"}
	m, other := p.take(), p.take()
	require.Equal(t, []string{"P.0", "P.1"}, []string{m.ID, other.ID})
	m.whole, m.cause, m.stamp.Task, m.sum.Tag = other, 3, 4, 5
	p.give(m)
	again := p.take()
	require.Same(t, m, again)
	require.Nil(t, again.whole)
	require.Zero(t, again.cause)
	require.Zero(t, again.stamp.Task)
	require.Zero(t, again.sum)
}

// Sends of a rank wait in the order of their collectives, then of their operations.
func TestSendsWaitInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &Comp{ranks: make([]rank, 1)}
		c.ranks[0].beginning = true // another begins them
		seen := map[token]bool{}
		for range rapid.IntRange(1, 20).Draw(t, "sends") {
			at := token{0, rapid.Int32Range(0, 5).Draw(t, "op"), rapid.Int32Range(0, 3).Draw(t, "collective")}
			if !seen[at] {
				seen[at] = true
				c.line(at)
			}
		}
		require.Len(t, c.ranks[0].lined, len(seen))
		require.True(t, slices.IsSortedFunc(c.ranks[0].lined, func(a, b token) int { return int(a.inst-b.inst)*100 + int(a.op-b.op) }))
	})
}

// Operations that came while the run goes on are counted from the first of them on.
func TestOperationsThatCameLate(t *testing.T) {
	for _, x := range []struct {
		grown int32
		want  int
	}{{0, 0}, {-1, 4}, {3, 2}, {2, 3}, {9, 0}} {
		r := rank{grown: x.grown}
		require.Equal(t, x.want, r.late([]int32{0, 2, 3, 4}), x.grown)
	}
	r := rank{units: []unit{{cycles: 3}, {cycles: 9}, {cycles: 4}}}
	require.EqualValues(t, 9, r.computing(), "the busiest unit")
	require.Zero(t, (&rank{}).computing())
	r.slowdown.scale = 1.5
	require.EqualValues(t, 8, r.slow(5), "rounded")
	require.EqualValues(t, 5, (&rank{}).slow(5))
}
