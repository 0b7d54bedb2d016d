package nearmem

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/nearmem/offload"
	"github.com/causeway-sim/causeway/components/units"
)

// play runs a program to its end, or to where it is stuck.
func play(t require.TestingT, s Spec, p offload.Program) *machine {
	m, err := newMachine(s, p)
	require.NoError(t, err)
	m.start()
	last := int64(-1)
	for at, ok := m.next(); ok; at, ok = m.next() {
		require.Greater(t, int64(at), last, "a time comes twice")
		last = int64(at)
		require.NoError(t, m.step(at))
	}
	return m
}

// finished is play of a program that ends, with its laws checked.
func finished(t require.TestingT, s Spec, p offload.Program) *machine {
	m := play(t, s, p)
	require.Equal(t, done, m.stage)
	sum := func(parts []uint64) (n uint64) {
		for _, p := range parts {
			n += p
		}
		return n
	}
	require.Equal(t, m.now, sum(m.acct.device[:]), "device")
	require.Equal(t, m.now, sum(m.acct.host[:]), "host")
	var tasks, groups, launches int
	_, _, result := p.Totals()
	for i := range p {
		n := p[i].Launches()
		tasks, groups, launches = tasks+n*p[i].Tasks, groups+n*p[i].Groups()*p[i].Parts(), launches+n
	}
	require.EqualValues(t, tasks, m.count.tasks)
	require.EqualValues(t, groups, m.count.hostTasks)
	require.EqualValues(t, launches, m.count.launches)
	require.Equal(t, result, m.count.results)
	return m
}

// plain has round numbers: 1 GHz units, no bandwidth limits, 100 and 400 ns.
func plain(p Protocol) Spec {
	s := DefaultSpec()
	s.Protocol = p
	for _, side := range []*Side{&s.Host, &s.Device} {
		require.NoError(nil, side.Clock.UnmarshalText([]byte("1GHz")))
		side.Units, side.Bandwidth = 1, 0
	}
	s.Link = Link{Mem: 100 * units.Nanosecond, IO: 400 * units.Nanosecond}
	s.Firmware = units.InCycles(300)
	s.Stream.Factor = 1
	return s
}

// One task of 1000 cycles each: every protocol is a sum.
func TestOneTask(t *testing.T) {
	p := offload.Program{{Name: "one", Tasks: 1, Task: offload.Cost{Ops: 1000}, Result: 4, Host: offload.Cost{Ops: 1000}}}
	for _, c := range []struct {
		protocol Protocol
		ns       uint64
	}{
		// Doorbell 200, firmware 300, kernel to 1500; the poll of 2000 is answered at
		// 2400; results 100; host.
		{RemotePolling, 2400 + 100 + 1000},
		{BulkSynchronous, 50 + 1000 + 50 + 100 + 1000},
		// DMA 500, posted write 200, seen at the look of 1750 exactly.
		{Async, 50 + 1000 + 500 + 200 + 1000},
		{Interrupt, 50 + 1000 + 500 + 200 + 50000 + 1000},
	} {
		m := finished(t, plain(c.protocol), p)
		require.Equal(t, c.ns*1000, m.now, c.protocol)
	}
	s := plain(RemotePolling)
	s.Firmware = units.InCycles(1000) // the kernel ends at 2200, as the poll of 2000 comes: it counts
	require.EqualValues(t, 3500_000, finished(t, s, p).now)
	s.Firmware = units.InCycles(1001)
	require.EqualValues(t, 4500_000, finished(t, s, p).now)
	s = plain(Async)
	s.Local = 5 * units.Microsecond
	require.EqualValues(t, (5000+1000)*1000, finished(t, s, p).now)
}

// The link and the memories are shared.
func TestBandwidth(t *testing.T) {
	p := offload.Program{{Name: "one", Argument: 1000, Tasks: 2, Task: offload.Cost{Ops: 1, Read: 4000}, Result: 1000, Host: offload.Cost{Ops: 1, Read: 2000}}}
	s := plain(BulkSynchronous)
	s.Device.Units, s.Host.Units = 2, 2
	s.Link.Bandwidth, s.Device.Bandwidth, s.Host.Bandwidth = 8e9, 8e9, 8e9 // 1 B per ns
	m := finished(t, s, p)
	require.EqualValues(t, (1000+50+8000+50+100+2000+4000)*1000, m.now)
	require.EqualValues(t, 8000_000, m.acct.device[deviceBusy])
	require.EqualValues(t, 2100_000, m.acct.host[hostLoad])
	// Slots of 32 B and 16 B of metadata: 1024+16 for each.
	s.Protocol = Async
	m = finished(t, s, p)
	require.EqualValues(t, 2080, m.count.streamed)
}

// Two units with a block each end tasks 0 and 2 first. In order, 2 waits for 1.
func TestOrder(t *testing.T) {
	p := offload.Program{{Name: "four", Tasks: 4, Task: offload.Cost{Ops: 10000}, Result: 4, Host: offload.Cost{Ops: 4000}}}
	s := plain(Async)
	s.Device.Units = 2
	// Results 0 and 2 are there at 10750, 1 and 3 at 20750; the host is done with
	// the former in between.
	require.EqualValues(t, (20750+8000)*1000, finished(t, s, p).now)
	s.Order = false
	require.EqualValues(t, (20750+12000)*1000, finished(t, s, p).now)
	s.Rounds = 2 // 0 and 1 first: order costs nothing
	require.EqualValues(t, (20750+8000)*1000, finished(t, s, p).now)
}

// The streaming factor holds results back until enough wait or the kernel ends.
func TestStreamingFactor(t *testing.T) {
	p := offload.Program{{Name: "six", Tasks: 6, Task: offload.Cost{Ops: 1000}, Result: 8, Host: offload.Cost{Ops: 1}}}
	for factor, want := range map[units.Bytes]uint64{1: 6, 8: 6, 9: 3, 16: 3, 24: 2, 32: 2, 1000: 1} {
		s := plain(Async)
		s.Stream.Factor = factor
		require.Equal(t, want, finished(t, s, p).count.requests, "%d B", factor)
	}
}

// A ring with exactly the slots that a host task needs is enough, one slot less is
// a circle of waiting.
func TestCircle(t *testing.T) {
	p := offload.Program{{Name: "all", Tasks: 10, Task: offload.Cost{Ops: 1000}, Result: 64, Gather: 5, Host: offload.Cost{Ops: 1}}}
	s := plain(Async)
	s.Device.Units = 2 // blocks: tasks 0 and 5, then 1 and 6: both groups are open
	s.Ring.Slots = 20
	finished(t, s, p)
	s.Ring.Slots = 18
	require.Equal(t, done, play(t, s, p).stage, "one group is complete with 18")
	s.Ring.Slots = 16
	require.Equal(t, working, play(t, s, p).stage)
	s.Rounds = 5 // one group after the other
	finished(t, s, p)
	s.Ring.Slots = 9
	m := play(t, s, p)
	require.Equal(t, working, m.stage)
	require.True(t, m.dev.blocked)
}

func drawProgram(t *rapid.T) offload.Program {
	cost := func(name string) offload.Cost {
		return offload.Cost{Ops: rapid.Uint64Range(0, 5000).Draw(t, name), Read: rapid.Uint64Range(0, 5000).Draw(t, name+" bytes")}
	}
	var p offload.Program
	for i := range rapid.IntRange(1, 3).Draw(t, "phases") {
		f := offload.Phase{
			Name: fmt.Sprint(i), Repeat: rapid.IntRange(0, 3).Draw(t, "repeat"), Argument: rapid.Uint64Range(0, 1000).Draw(t, "argument"),
			Tasks: rapid.IntRange(1, 40).Draw(t, "tasks"), Task: cost("task"), Result: rapid.Uint64Range(1, 200).Draw(t, "result"),
			Gather: rapid.IntRange(0, 4).Draw(t, "gather"), Split: rapid.IntRange(0, 3).Draw(t, "split"), Host: cost("host"), Width: rapid.IntRange(0, 3).Draw(t, "width"),
			Unit: cost("unit"), Rounds: rapid.IntRange(0, 9).Draw(t, "rounds"),
		}
		f.Before.Tasks = rapid.IntRange(0, 3).Draw(t, "before")
		f.Before.Cost = cost("ahead")
		if rapid.Bool().Draw(t, "irregular") {
			f.Units = rapid.SliceOfN(rapid.Uint32Range(0, 5), f.Tasks, f.Tasks).Draw(t, "units")
		}
		p = append(p, f)
	}
	return p
}

func drawSpec(t *rapid.T) Spec {
	s := DefaultSpec()
	s.Host.Units, s.Device.Units = rapid.IntRange(1, 5).Draw(t, "host units"), rapid.IntRange(1, 5).Draw(t, "device units")
	s.Local = units.Time(rapid.Uint64Range(1, 5000).Draw(t, "local")) * units.Nanosecond
	s.Ring.Slot = units.Bytes(rapid.Uint64Range(1, 64).Draw(t, "slot"))
	s.Stream.Factor = units.Bytes(rapid.Uint64Range(1, 500).Draw(t, "factor"))
	s.Order = rapid.Bool().Draw(t, "out of order")
	return s
}

// Every protocol ends every program, with all laws; none is faster than what its
// slower side needs, and bulk synchronous is the sum of its parts.
func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, p := drawSpec(t), drawProgram(t)
		for _, s.Protocol = range []Protocol{RemotePolling, BulkSynchronous, Async, Interrupt} {
			m := finished(t, s, p)
			require.GreaterOrEqual(t, m.now*uint64(s.Device.Units), m.count.deviceBusy)
			require.GreaterOrEqual(t, m.now*uint64(s.Host.Units), m.count.hostBusy)
			if s.Protocol == BulkSynchronous {
				notices := uint64(m.count.launches) * m.mem // of the kernel's end
				require.Equal(t, m.now, m.acct.device[deviceBusy]+m.acct.host[hostBusy]+m.acct.host[hostLoad]+m.acct.host[hostLaunch]+notices)
				require.Equal(t, notices, m.acct.host[hostTransfer])
			}
		}
	})
}

// A ring of any size either ends the run with the same work done, or is stuck with
// the device blocked; it never loses a result. Room for all of a launch is enough.
func TestAnyRing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, p := drawSpec(t), drawProgram(t)
		s.Protocol = Async
		need, most := 1, 1
		for i := range p {
			n := int((p[i].Result + uint64(s.Ring.Slot) - 1) / uint64(s.Ring.Slot))
			need, most = max(need, n), max(most, n*p[i].Tasks)
		}
		s.Ring.Slots = rapid.IntRange(need, most).Draw(t, "slots")
		if m := play(t, s, p); m.stage != done {
			require.True(t, m.dev.blocked)
			require.Zero(t, m.hst.running+m.hst.unseen+m.dev.sent.len())
			require.Less(t, s.Ring.Slots, most)
		}
		s.Ring.Slots = most
		finished(t, s, p)
	})
}

// A launch costs no allocation once its lists have grown, nor does a flit.
func TestNoGarbage(t *testing.T) {
	p, err := offload.New("knn", offload.KNN{Dim: 512, Rows: 64, Queries: 100000, Slices: 16}, 0)
	require.NoError(t, err)
	for _, flit := range []string{"", "68B"} {
		s := DefaultSpec()
		s.Link.Flit = flit
		m, err := newMachine(s, p)
		require.NoError(t, err)
		m.start()
		step := func() {
			for range 1000 {
				at, _ := m.next()
				_ = m.step(at)
			}
		}
		for range 300 {
			step()
		}
		require.Zero(t, testing.AllocsPerRun(20, step), "flit %q", flit)
		require.NotEqual(t, done, m.stage)
	}
}

func BenchmarkMachine(b *testing.B) {
	p, err := offload.New("sssp", nil, 0)
	require.NoError(b, err)
	b.ReportAllocs()
	tasks := uint64(0)
	for b.Loop() {
		m, err := newMachine(DefaultSpec(), p)
		if err != nil {
			b.Fatal(err)
		}
		m.start()
		for at, ok := m.next(); ok; at, ok = m.next() {
			_ = m.step(at)
		}
		tasks += m.count.tasks
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(tasks), "ns/task")
}
