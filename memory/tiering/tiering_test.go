package tiering_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/inorder"
	"github.com/causeway-sim/causeway/memory/memtest"
	"github.com/causeway-sim/causeway/memory/tiering"
	"github.com/causeway-sim/causeway/memory/tiering/placement"
)

// flat is a memory of fixed latency that passes one request per gap cycles. It
// implements inorder.Timing.
type flat struct{ latency, gap, free uint64 }

func (f *flat) Due(at, _ uint64, _ bool) uint64 {
	f.free = max(f.free, at) + f.gap
	return f.free + f.latency - f.gap
}
func (f *flat) Nominal() (uint64, units.Bandwidth) { return f.latency, 0 }
func (f *flat) Peak() units.Bandwidth              { return 0 }

// A rig is a node on memories of 64 KiB each, one after the other.
type rig struct {
	e     *engine.Engine
	node  *tiering.Comp
	below []*inorder.Comp
}

const size = 64 << 10

func newRig(t require.TestingT, s tiering.Spec, timings ...*flat) *rig {
	e := engine.New()
	n, err := tiering.New("Tier", e, s)
	require.NoError(t, err)
	r := &rig{e: e, node: n}
	for i, f := range timings {
		m := inorder.New(fmt.Sprintf("Mem[%d]", i), e, clock.GHz, size, f)
		top, port := m.GetPortByName("Top"), n.GetPortByName(fmt.Sprintf("Bottom[%d]", i))
		w := engine.NewWire(fmt.Sprintf("Lower[%d]", i), e)
		w.Attach(port, clock.GHz, engine.EndOptions{Buffer: 64})
		w.Attach(top, clock.GHz, engine.EndOptions{Buffer: 1024})
		require.NoError(t, n.SetMap(fmt.Sprintf("bottom[%d]", i), homes(t, i, top, f.latency)))
		r.below = append(r.below, m)
	}
	return r
}

func homes(t require.TestingT, i int, top sim.Port, latency uint64) *memory.Map {
	m, err := memory.NewMap(memory.Range{
		Base: uint64(i) * size, Size: size, Ports: []sim.Port{top},
		Paths: []memory.Path{{Clock: clock.GHz, Request: 1, Response: 1, Latency: latency}},
	})
	require.NoError(t, err)
	return m
}

func (r *rig) run(t require.TestingT, rs ...*memtest.Requester) (map[string]float64, error) {
	memtest.Wire(r.e, r.node.GetPortByName("Top"), clock.GHz, rs...)
	for _, q := range rs {
		q.Dst = r.node.GetPortByName("Top")
		q.Start()
	}
	if err := r.e.Run(); err != nil {
		return nil, err
	}
	require.Empty(t, r.node.Stats().Verify())
	require.Empty(t, r.node.Waiting())
	out := map[string]float64{}
	for _, m := range r.node.Stats().Metrics() {
		key := m.Name
		if m.Phase != "all" {
			key += "@" + m.Phase
		}
		out[key] = m.Value
	}
	return out, nil
}

func (r *rig) requester(list ...memtest.Request) *memtest.Requester {
	return memtest.New("Req", r.e, clock.GHz, nil, list...)
}

func spec(policy string, s any) tiering.Spec {
	out := tiering.DefaultSpec()
	out.Page, out.Migration.Burst = 1<<10, 256
	out.Policy = placement.Choose(policy, s)
	out.Interval = units.InTime(200 * units.Nanosecond)
	return out
}

// A read takes the links and the memory, and nothing else; a TLB that misses adds
// the walk, exactly.
func TestLatency(t *testing.T) {
	s := spec("static", nil)
	r := newRig(t, s, &flat{latency: 50}, &flat{latency: 90})
	q := r.requester(memtest.Request{Bytes: 64})
	_, err := r.run(t, q)
	require.NoError(t, err)
	plain := q.Answer[0] - q.Send[0]
	require.EqualValues(t, 50+4, plain, "a cycle on each of four wires' ends")

	s.TLB = tiering.TLB{Entries: 4, Walk: units.InTime(30 * units.Nanosecond)}
	r = newRig(t, s, &flat{latency: 50}, &flat{latency: 90})
	var list []memtest.Request
	for i, page := range []uint64{0, 0, 1, 2, 3, 0, 4, 1} { // four are kept, 1 goes for 4
		list = append(list, memtest.Request{Cycle: uint64(i) * 1000, Bytes: 64, Addr: page << 10})
	}
	q = r.requester(list...)
	m, err := r.run(t, q)
	require.NoError(t, err)
	for i, walk := range []bool{true, false, true, true, true, false, true, true} {
		want := plain
		if walk {
			want += 30
		}
		require.Equal(t, want, q.Answer[i]-q.Send[i], "access %d", i)
	}
	require.EqualValues(t, 6, m["walks"])
}

// A walk that reads memory takes its reads one after the other, where the table
// lives, and the walk's own time; accesses to the page wait for the one walk.
func TestWalksReadMemory(t *testing.T) {
	const plain, near, far = 54, 50 + 2, 90 + 2 // of TestLatency; a read below and its wire
	for _, x := range []struct {
		tlb  tiering.TLB
		want uint64
	}{
		{tiering.TLB{Entries: 4, Reads: 4, Tier: 0}, 4 * near},
		{tiering.TLB{Entries: 4, Reads: 4, Tier: 1}, 4 * far},
		{tiering.TLB{Entries: 4, Reads: 1, Tier: 1, Walk: units.InTime(30 * units.Nanosecond)}, far + 30},
	} {
		s := spec("static", nil)
		s.TLB = x.tlb
		r := newRig(t, s, &flat{latency: 50}, &flat{latency: 90})
		q := r.requester(memtest.Request{Bytes: 64}, memtest.Request{Cycle: 1, Bytes: 64, Addr: 64}, memtest.Request{Cycle: 2000, Bytes: 64})
		m, err := r.run(t, q)
		require.NoError(t, err)
		require.EqualValues(t, plain+x.want, q.Answer[0]-q.Send[0])
		require.Equal(t, q.Answer[0], q.Answer[1], "both wait for one walk")
		require.EqualValues(t, plain, q.Answer[2]-q.Send[2])
		require.EqualValues(t, 1, m["walks"])
		require.EqualValues(t, x.tlb.Reads, m["walk_reads"])
		require.EqualValues(t, x.want, m["walk_time_mean"])
	}
	// the table takes frames: 128 pages of 8 B are 1 KiB, and a line for each level above
	s := spec("static", nil)
	s.TLB = tiering.TLB{Entries: 4, Reads: 4}
	s.Capacity = []units.Bytes{4 << 10, 4 << 10}
	r := newRig(t, s, &flat{latency: 50}, &flat{latency: 90})
	_, err := r.run(t, r.requester(hot(10, 8)...))
	require.ErrorContains(t, err, "page 6 is touched, and all frames are in use", "8 less 2 of the table")
	s.Capacity = []units.Bytes{2 << 10}
	n, err := tiering.New("Tier", engine.New(), s)
	require.NoError(t, err)
	require.NoError(t, n.SetMap("bottom[0]", homes(t, 0, nil, 1)))
	require.ErrorContains(t, n.SetMap("bottom[1]", homes(t, 1, nil, 1)), "tier 0 has 2 frames, and the page table needs 2")
}

// The first access in an interval to a page outside the default tier takes a fault.
func TestFaults(t *testing.T) {
	s := spec("static", nil)
	s.Fault, s.Interval = units.InTime(700*units.Nanosecond), units.InTime(10*units.Microsecond)
	s.Capacity = []units.Bytes{1 << 10}
	r := newRig(t, s, &flat{latency: 50}, &flat{latency: 90})
	var list []memtest.Request
	for i, page := range []uint64{0, 0, 1, 1, 1, 1, 2} {
		list = append(list, memtest.Request{Cycle: uint64(i) * 4000, Bytes: 64, Addr: page << 10})
	}
	q := r.requester(list...)
	m, err := r.run(t, q)
	require.NoError(t, err)
	// cycles 8000 (first interval), 12000 (second), 16000, 20000 (third), 24000
	for i, want := range []uint64{54, 54, 94 + 700, 94 + 700, 94, 94 + 700, 94 + 700} {
		require.EqualValues(t, want, q.Answer[i]-q.Send[i], "access %d", i)
	}
	require.EqualValues(t, 4, m["faults"])

	// accesses during a fault wait for its end, and none overtakes another
	s.Capacity = []units.Bytes{64}
	s.Page, s.Migration.Burst = 64, 64
	r = newRig(t, s, &flat{latency: 50}, &flat{latency: 90, gap: 1})
	q = r.requester(memtest.Request{Bytes: 64}, memtest.Request{Cycle: 1000, Addr: 64, Bytes: 64, Write: true}, memtest.Request{Cycle: 1200, Addr: 64, Bytes: 64})
	m, err = r.run(t, q)
	require.NoError(t, err)
	require.EqualValues(t, 1, m["faults"])
	require.EqualValues(t, 94+700, q.Answer[1]-q.Send[1])
	require.Equal(t, q.Answer[1]+1, q.Answer[2])
}

// Requests of any size and alignment are answered once; bytes below are the bytes
// above and those of moves; checks of frames and of Little's law hold.
func TestEverythingIsAnswered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tiers := rapid.IntRange(1, 3).Draw(t, "tiers")
		s := spec(rapid.SampledFrom(placement.All.Names()).Draw(t, "policy"), nil)
		s.Tiers = tiers
		s.Sample = rapid.IntRange(1, 3).Draw(t, "sample")
		s.Outstanding = rapid.SampledFrom([]int{0, 1, 5}).Draw(t, "outstanding")
		s.Migration.Bandwidth = 400e9
		s.Migration.Parallel = rapid.IntRange(1, 4).Draw(t, "parallel")
		if rapid.Bool().Draw(t, "tlb") {
			s.TLB = tiering.TLB{Entries: 8, Walk: units.InTime(20 * units.Nanosecond)}
			if s.TLB.Reads = rapid.IntRange(0, 5).Draw(t, "reads"); s.TLB.Reads > 0 {
				s.TLB.Tier = rapid.IntRange(0, tiers-1).Draw(t, "table")
			}
		}
		if rapid.Bool().Draw(t, "faults") {
			s.Fault = units.InTime(300 * units.Nanosecond) // longer than an interval
		}
		for range rapid.IntRange(0, tiers).Draw(t, "capacities") {
			s.Capacity = append(s.Capacity, units.Bytes(rapid.IntRange(32, 64).Draw(t, "capacity"))<<10)
		}
		var timings []*flat
		for i := range tiers {
			timings = append(timings, &flat{latency: uint64(20 * (i + 1)), gap: uint64(rapid.IntRange(0, 9).Draw(t, "gap"))})
		}
		r := newRig(t, s, timings...)
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var list []memtest.Request
		var bytes uint64
		for range rapid.IntRange(1, 600).Draw(t, "n") {
			q := memtest.Request{Addr: rnd.Uint64N(24 << 10), Bytes: 1 + rnd.Uint64N(100), Write: rnd.IntN(3) == 0}
			if rnd.IntN(4) > 0 {
				q.Addr = 20<<10 + rnd.Uint64N(4<<10) // hot
			}
			if rnd.IntN(10) == 0 {
				q.Bytes = 1 + rnd.Uint64N(4000)
			}
			list = append(list, q)
			bytes += q.Bytes
		}
		q := r.requester(list...)
		q.Window = rapid.IntRange(1, 40).Draw(t, "window")
		m, err := r.run(t, q)
		require.NoError(t, err)
		require.Equal(t, len(list), q.Done())
		moved, seen := 0.0, 0.0
		for i := range tiers {
			moved += m[fmt.Sprintf("tier%d_move_read_bytes", i)] + m[fmt.Sprintf("tier%d_move_write_bytes", i)]
			for _, x := range r.below[i].Stats().Metrics() {
				if x.Name == "read_bytes" || x.Name == "write_bytes" {
					seen += x.Value
				}
			}
		}
		require.EqualValues(t, float64(bytes)+moved+64*m["walk_reads"], seen)
		require.EqualValues(t, bytes, m["read_bytes"]+m["write_bytes"])
	})
}

// hot is a list that touches 40 pages once, in order, and then works on the last
// ones at random.
func hot(n int, pages uint64) []memtest.Request {
	rnd := rand.New(rand.NewPCG(7, 7))
	var list []memtest.Request
	for i := range uint64(40) {
		list = append(list, memtest.Request{Addr: i << 10, Bytes: 64})
	}
	for range n {
		list = append(list, memtest.Request{Addr: (40-pages)<<10 + rnd.Uint64N(pages<<10/64)*64, Bytes: 64, Write: rnd.IntN(2) == 0})
	}
	return list
}

// Packing brings the hot pages, which were touched last, to the near tier; all of
// the traffic goes there.
func TestHotPagesComeNear(t *testing.T) {
	for _, policy := range []string{"hemem", "tpp"} {
		s := spec(policy, nil)
		s.Capacity = []units.Bytes{16 << 10}
		s.Warmup = units.InTime(20 * units.Microsecond)
		r := newRig(t, s, &flat{latency: 50, gap: 1}, &flat{latency: 150, gap: 1})
		q := r.requester(hot(8000, 8)...)
		q.Window = 16
		m, err := r.run(t, q)
		require.NoError(t, err)
		require.Greater(t, m["tier0_share@measure"], 98.0, policy)
		require.Positive(t, m["tier0_pages_in"])
		require.Equal(t, m["tier0_pages_in"], m["tier1_pages_out"])
		require.Equal(t, 1024*m["tier1_pages_out"], m["tier1_move_read_bytes"])
	}
}

// Where the near tier is the slow one under load colloid shares the traffic, so
// that latencies are close; packing puts up with the load.
func TestColloidSharesTheLoad(t *testing.T) {
	run := func(policy string, p any) map[string]float64 {
		s := spec(policy, p)
		s.Interval, s.Migration.Bandwidth = units.InTime(units.Microsecond), 8e9
		s.Warmup = units.InTime(500 * units.Microsecond)
		r := newRig(t, s, &flat{latency: 40, gap: 12}, &flat{latency: 120, gap: 12})
		q := r.requester(hot(100000, 30)...)
		q.Window = 40
		m, err := r.run(t, q)
		require.NoError(t, err)
		return m
	}
	packed, balanced := run("hemem", nil), run("colloid", nil)
	require.Greater(t, packed["tier0_latency@measure"], 450.0, "40 requests of 12 cycles")
	require.InEpsilon(t, balanced["tier1_latency@measure"], balanced["tier0_latency@measure"], 0.15)
	require.Greater(t, balanced["bandwidth@measure"]/packed["bandwidth@measure"], 1.5, "two memories in place of one, less moves")
}

func TestErrors(t *testing.T) {
	s := spec("static", nil)
	s.Capacity = []units.Bytes{2 << 10, 2 << 10}
	r := newRig(t, s, &flat{latency: 50}, &flat{latency: 90})
	_, err := r.run(t, r.requester(hot(10, 8)...))
	require.ErrorContains(t, err, "page 4 is touched, and all frames are in use")
	r = newRig(t, spec("static", nil), &flat{latency: 50}, &flat{latency: 90})
	_, err = r.run(t, r.requester(memtest.Request{Addr: 2*size - 1, Bytes: 2}))
	require.ErrorContains(t, err, "address 0x20000, which Req.Mem asks for, has no home below")

	for _, c := range []struct {
		change func(*tiering.Spec)
		want   string
	}{
		{func(s *tiering.Spec) { s.Tiers = 9 }, "is 9 (want 1 to 8)"},
		{func(s *tiering.Spec) { s.Page = 3000 }, "is 3000B (want a power of two from 64B to 1GiB)"},
		{func(s *tiering.Spec) { s.Capacity = make([]units.Bytes, 3) }, "has 3 sizes for 2 tiers"},
		{func(s *tiering.Spec) { s.Interval = units.InCycles(0) }, "is no time"},
		{func(s *tiering.Spec) { s.Sample = 0 }, "is 0 (want 1 or more)"},
		{func(s *tiering.Spec) { s.Outstanding = -1 }, "is -1 (want 0 or more)"},
		{func(s *tiering.Spec) { s.Migration.Bandwidth = 0 }, "bandwidth is 0"},
		{func(s *tiering.Spec) { s.Migration.Parallel = 0 }, "parallel is 0 (want 1 to 64)"},
		{func(s *tiering.Spec) { s.Migration.Burst = 2 << 10 }, "burst is 2KiB (want a power of two up to a page, 1KiB)"},
		{func(s *tiering.Spec) { s.TLB.Entries = 6 }, "entries is 6 (want 0, or a power of two from 4 on)"},
		{func(s *tiering.Spec) { s.TLB.Walk = units.InCycles(3) }, "walk has no effect without entries"},
		{func(s *tiering.Spec) { s.TLB.Reads = 3 }, "reads has no effect without entries"},
		{func(s *tiering.Spec) { s.TLB.Reads, s.TLB.Entries = 6, 4 }, "reads is 6 (want 0 to 5)"},
		{func(s *tiering.Spec) { s.TLB.Tier, s.TLB.Entries = 1, 4 }, "tier has no effect without reads"},
		{func(s *tiering.Spec) { s.TLB = tiering.TLB{Entries: 4, Reads: 1, Tier: 2} }, "tier is 2 of 2"},
		{func(s *tiering.Spec) { s.Policy = placement.Choose("lfu", nil) }, `unknown placement policy "lfu"`},
	} {
		s := spec("static", nil)
		c.change(&s)
		_, err := tiering.New("Tier", engine.New(), s)
		require.ErrorContains(t, err, c.want)
	}
	s = spec("static", nil)
	s.Capacity = []units.Bytes{1 << 20}
	n, err := tiering.New("Tier", engine.New(), s)
	require.NoError(t, err)
	require.ErrorContains(t, n.SetMap("bottom[0]", homes(t, 0, nil, 1)), "its ranges have 64KiB only")
}

// A request allocates nothing, nor does a move.
func TestRequestsDoNotAllocate(t *testing.T) {
	allocations := func(n int) float64 {
		return testing.AllocsPerRun(3, func() {
			s := spec("colloid", nil)
			r := newRig(t, s, &flat{latency: 40, gap: 12}, &flat{latency: 120, gap: 12})
			q := r.requester(hot(2000, 30)...)
			q.Window, q.Repeat = 40, n
			_, err := r.run(t, q)
			require.NoError(t, err)
		})
	}
	few, many := allocations(2), allocations(12)
	require.Less(t, (many-few)/(10*2040), 0.02, "of %g and %g", few, many)
}

func BenchmarkRequest(b *testing.B) {
	b.ReportAllocs()
	s := spec("colloid", nil)
	r := newRig(b, s, &flat{latency: 40, gap: 12}, &flat{latency: 120, gap: 12})
	q := r.requester(hot(2000, 30)...)
	q.Window, q.Repeat = 40, b.N/2040+1
	_, err := r.run(b, q)
	require.NoError(b, err)
}
