package dram_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// leaves adds up the times of a tree's causes by name; a cause that is divided is the sum of its parts.
func leaves(t require.TestingT, tree *cause.Tree) (sum float64, by map[string]float64) {
	by = map[string]float64{}
	var walk func(parts []*cause.Tree)
	walk = func(parts []*cause.Tree) {
		for _, p := range parts {
			by[p.Name] += p.Time
			if len(p.Parts) == 0 {
				sum += p.Time
				continue
			}
			divided := 0.0
			for _, x := range p.Parts {
				divided += x.Time
			}
			require.InDelta(t, p.Time, divided, 1e-6, p.Name)
			walk(p.Parts)
		}
	}
	walk(tree.Parts)
	return sum, by
}

// Reads that come one at a time are held back for as long as they take: 22 + 26 clocks of a closed row, 26 of a
// hit, 22 + 22 + 26 of a conflict. Each cause says by which timing.
func TestCausesOfIdleReads(t *testing.T) {
	s := dram.DefaultSpec()
	s.Refresh.Mode, s.Map = "none", plainMap
	m, _ := memory(t, s, 0,
		memtest.Request{Bytes: 64}, memtest.Request{Cycle: 1000, Bytes: 64, Addr: 64}, memtest.Request{Cycle: 2000, Bytes: 64, Addr: 128 << 10})
	tree := m.Causes()
	sum, by := leaves(t, tree)
	ns := m.PortSpecs()[0].Clock.Nanoseconds(1)
	require.InDelta(t, (48+26+70)*ns, sum, 1e-6)
	for name, clocks := range map[string]float64{"row_activation": 44, "precharge": 22, "rows": 66, "latency": 78} {
		require.InDelta(t, clocks*ns, by[name], 1e-6, name)
	}
	require.Equal(t, 1, tree.Nodes)
	require.InDelta(t, 2070*ns, tree.Time, 3*ns, "the last beat")
}

// Whatever is asked for, what holds commands back is no more than the time of all channels, and each
// hold that timings divide is divided whole.
func TestCausesFitIntoTheTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := dram.DefaultSpec()
		s.Channels = rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "channels")
		s.RowPolicy = rapid.SampledFrom([]string{"open", "closed", "capped"}).Draw(t, "rows")
		var list []memtest.Request
		at := uint64(0)
		for range rapid.IntRange(1, 200).Draw(t, "requests") {
			at += rapid.Uint64Range(0, 40).Draw(t, "gap")
			list = append(list, memtest.Request{Cycle: at, Addr: 64 * rapid.Uint64Range(0, 1<<20).Draw(t, "line"), Bytes: rapid.SampledFrom([]uint64{8, 64, 512}).Draw(t, "bytes"), Write: rapid.Bool().Draw(t, "write")})
		}
		e := engine.New()
		m, err := dram.NewComp("Mem", e, s)
		require.NoError(t, err)
		c := m.PortSpecs()[0].Clock
		r := memtest.New("Core", e, c, m.GetPortByName("Top"), list...)
		memtest.Wire(e, r.Dst, c, r)
		r.Start()
		require.NoError(t, e.Run())
		require.Empty(t, m.Stats().Verify())
		tree := m.Causes()
		sum, _ := leaves(t, tree)
		require.Positive(t, sum)
		require.LessOrEqual(t, sum, tree.Time+float64(40*s.Channels)*c.Nanoseconds(1), "data of posted writes are on their way for longer")
		require.Equal(t, s.Channels, tree.Nodes)
	})
}

// Full queues are remarked, and few banks that take most of the bursts while rows are waited for.
func TestRemarksOfCauses(t *testing.T) {
	s := dram.DefaultSpec()
	s.Map, s.ReadQueue = plainMap, 4
	var one, all []memtest.Request
	for i := range uint64(400) {
		one = append(one, memtest.Request{Bytes: 64, Addr: i * 128 << 10}) // rows of one bank
		all = append(all, memtest.Request{Cycle: 200 * i, Bytes: 64, Addr: i * 64})
	}
	m, _ := memory(t, s, 64, one...)
	said := cause.Join(m.Causes().Time, []*cause.Tree{m.Causes()}).About("Mem")
	require.Contains(t, said, "of the time a burst finds the queues of its channel full")
	require.Contains(t, said, "the busiest of its banks takes 16 times the bursts of the mean bank")
	m, _ = memory(t, s, 0, all...)
	said = cause.Join(m.Causes().Time, []*cause.Tree{m.Causes()}).About("Mem")
	require.NotContains(t, said, "full")
	require.NotContains(t, said, "busiest")
}

// taskLog keeps what a memory reports.
type taskLog struct {
	begun  []task.Event
	ended  map[task.ID]sim.VTimeInSec
	causes map[task.ID][]task.Cause
}

func (l *taskLog) Task(_ *task.Stream, e task.Event) {
	switch e.Phase {
	case task.Begin:
		l.begun = append(l.begun, e)
	case task.End:
		l.ended[e.ID] = e.At
	}
}

func (l *taskLog) Cause(_ *task.Stream, c task.Cause) { l.causes[c.Task] = append(l.causes[c.Task], c) }

// Each request is a task with its bytes and its parent, as long as its answer takes. What its last burst went
// through fills the time of a read without a gap: queues, its row, its column access, the controller.
func TestRequestsAreTasks(t *testing.T) {
	s := dram.DefaultSpec()
	s.Refresh.Mode, s.Map, s.Latency = "none", plainMap, units.InCycles(7)
	e := engine.New()
	m, err := dram.NewComp("Mem", e, s)
	require.NoError(t, err)
	c := m.PortSpecs()[0].Clock
	list := []memtest.Request{
		{Bytes: 64, Task: 100}, {Cycle: 1000, Bytes: 64, Addr: 64, Task: 101}, {Cycle: 2000, Bytes: 64, Addr: 128 << 10, Task: 102},
		{Cycle: 3000, Bytes: 256, Addr: 128 << 10, Task: 103}, {Cycle: 4000, Bytes: 64, Write: true, Task: 104},
	}
	r := memtest.New("Core", e, c, m.GetPortByName("Top"), list...)
	memtest.Wire(e, r.Dst, c, r)
	log := &taskLog{ended: map[task.ID]sim.VTimeInSec{}, causes: map[task.ID][]task.Cause{}}
	stream := task.NewStream(e, []task.Reporter{m}, log)
	r.Start()
	require.NoError(t, e.Run())
	stream.Close()
	clocks := func(at sim.VTimeInSec) int64 { return int64(math.Round(float64(at) * 1e9 / c.Nanoseconds(1))) }
	require.Len(t, log.begun, len(list))
	for i, x := range log.begun {
		q := list[i]
		require.Equal(t, []any{task.Memory, task.ReadWrite(q.Write), q.Task, q.Bytes}, []any{x.Kind, x.What, x.Parent, x.Bytes})
		require.EqualValues(t, r.Answer[i]-1, clocks(log.ended[x.ID]), "a clock on the link")
		require.EqualValues(t, r.Send[i]+1, clocks(x.At))
		causes := log.causes[x.ID]
		if q.Write {
			require.Empty(t, causes, "it is answered when it is in the queues")
			continue
		}
		slices.SortFunc(causes, func(a, b task.Cause) int { return cmp.Compare(a.From, b.From) })
		from := clocks(x.At)
		took := map[string]int64{}
		for _, y := range causes {
			require.Equal(t, from, clocks(y.From))
			took[stream.Text(x.ID, y.What)] += clocks(y.To) - from
			from = clocks(y.To)
		}
		require.Equal(t, clocks(log.ended[x.ID]), from)
		want := map[string]int64{"column access and transfer": 26, "controller and interface": 7}
		switch i {
		case 0:
			want["opens its row"] = 22
		case 2:
			want["bank conflict: another row is closed, and its own opened"] = 44
		case 3: // the last of four bursts, which are accepted one per clock, comes three times tCCD_L later
			want["waits for a place in the queue of its channel"], want["waits in the queue of its channel"] = 3, 21
		}
		require.Equal(t, want, took, "request %d", i)
	}
}

// Repeat doubles what is counted, and leaves means as they are.
func TestRepeatDoublesCounts(t *testing.T) {
	s := dram.DefaultSpec()
	s.Refresh.Mode = "none"
	e := engine.New()
	m, err := dram.NewComp("Mem", e, s)
	require.NoError(t, err)
	before := m.Stats().Tally()
	c := m.PortSpecs()[0].Clock
	r := memtest.New("Core", e, c, m.GetPortByName("Top"))
	for i := range uint64(300) {
		r.List = append(r.List, memtest.Request{Cycle: 7 * i, Addr: i * i * 4160 % (1 << 24), Bytes: 64 * (1 + i%3), Write: i%4 == 1})
	}
	memtest.Wire(e, r.Dst, c, r)
	r.Start()
	require.NoError(t, e.Run())
	once := metrics(m.Stats())
	m.Stats().Repeat(before, m.Stats().Tally(), 1)
	require.Empty(t, m.Stats().Verify())
	for _, x := range m.Stats().Metrics() {
		switch {
		case x.Name == "bandwidth" || x.Name == "bandwidth_utilization" || x.Name == "energy" || x.Name == "energy_background": // of the time, which is not repeated here
		case x.Unit == stats.Request || x.Unit == stats.Byte || x.Unit == stats.PJ || x.Unit == stats.One && x.Name != "channel_balance" && x.Name != "bank_balance":
			require.InDelta(t, 2*once[x.Name], x.Value, 1e-6*max(1, x.Value), x.Name)
		default:
			require.InDelta(t, once[x.Name], x.Value, 1e-9*max(1, x.Value), x.Name)
		}
	}
	require.Positive(t, once["row_conflicts"]*once["row_misses"]*once["row_hits"]*once["commands_act"]*once["commands_wr"])
}
