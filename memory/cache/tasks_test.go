package cache_test

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// taskLog keeps what nodes report, by task.
type taskLog struct {
	begun  []task.Event
	ended  map[task.ID][]uint64 // cycles
	steps  map[task.What]int
	causes map[task.ID][]task.Cause
}

func (l *taskLog) Task(_ *task.Stream, e task.Event) {
	switch e.Phase {
	case task.Begin:
		l.begun = append(l.begun, e)
	case task.Step:
		l.steps[e.What]++
	case task.End:
		l.ended[e.ID] = append(l.ended[e.ID], cycles(e.At))
	}
}

func (l *taskLog) Cause(_ *task.Stream, c task.Cause) { l.causes[c.Task] = append(l.causes[c.Task], c) }

// cycles is a time in cycles of 1 GHz.
func cycles(at sim.VTimeInSec) uint64 { return uint64(math.Round(float64(at) * 1e9)) }

// fidelities are the caches of one specification.
func fidelities(t require.TestingT, s cache.TimedSpec) map[string]func(e *engine.Engine) node {
	return map[string]func(e *engine.Engine) node{
		"timed": func(e *engine.Engine) node { return newTimed(t, e, s) },
		"functional": func(e *engine.Engine) node {
			c, err := cache.NewFunctional("LLC", e, s.Spec)
			require.NoError(t, err)
			return c
		},
	}
}

// Each request is one task: it has the request's parent and bytes, ends when the answer is sent, and
// has a step for each line that is looked up. Requests below have the task as their parent. What a
// request waited for fills the time from its begin until its last lookup without a gap.
func TestEachRequestIsATask(t *testing.T) {
	often(t, 4, func(t *rapid.T) {
		s := randomSpec(t)
		list := requests(t, 40, 3000)
		for i := range list {
			list[i].Task = task.ID(1000 + i)
		}
		explained := rapid.Bool().Draw(t, "explained")
		for name, build := range fidelities(t, s) {
			e := engine.New()
			c, m := build(e), newFlat(e, rapid.Uint64Range(0, 40).Draw(t, "memory"))
			onMemory(t, e, c, m)
			r := memtest.New("Core", e, clock.GHz, c.GetPortByName("Top"), list...)
			r.Window = rapid.SampledFrom([]int{0, 1, 3}).Draw(t, "window")
			memtest.Wire(e, r.Dst, clock.GHz, r)
			log := &taskLog{ended: map[task.ID][]uint64{}, steps: map[task.What]int{}, causes: map[task.ID][]task.Cause{}}
			var listener task.Listener = log
			if !explained {
				listener = struct{ task.Listener }{log}
			}
			stream := task.NewStream(e, []task.Reporter{c.(task.Reporter), m}, listener)
			r.Start()
			require.NoError(t, e.Run())
			stream.Close()
			above, below := metrics(c.Stats()), metrics(m.Stats())
			if c, ok := c.(*cache.Timed); ok {
				require.Zero(t, c.Looks(), "explained when they are answered")
			}

			n, sum, longest, memories, caused := 0, 0.0, uint64(0), 0.0, 0
			mine := map[task.ID]bool{}
			for _, b := range log.begun {
				if b.ID.Node() == 1 {
					memories++
					if b.Parent != 0 {
						require.True(t, mine[b.Parent], "%s: a request below is caused by a request", name)
						caused++
					}
					continue
				}
				require.Equal(t, task.Access, b.Kind)
				q := list[n]
				require.Equal(t, task.ReadWrite(q.Write), b.What)
				require.Equal(t, []any{q.Task, q.Bytes}, []any{b.Parent, b.Bytes})
				require.Equal(t, []uint64{r.Answer[n] - 1}, log.ended[b.ID], "%s: request %d ends once, a cycle before its answer arrives", name, n)
				took := r.Answer[n] - 1 - cycles(b.At)
				sum, longest = sum+float64(took), max(longest, took)
				mine[b.ID] = true
				n++
				tiled(t, log.causes[b.ID], cycles(b.At), r.Answer[n-1]-1)
			}
			require.Equal(t, len(list), n, name)
			require.InDelta(t, above["latency_mean"], sum/float64(n), 1e-6, name)
			require.EqualValues(t, above["latency_max"], longest, name)
			require.Equal(t, below["reads"]+below["writes"], memories, name)
			if above["below_reads"] > above["prefetches"] {
				require.Positive(t, caused, name)
			}
			require.EqualValues(t, above["hits"], log.steps[task.Hit], name)
			require.EqualValues(t, above["bypasses"], log.steps[task.Bypass], name)
			require.EqualValues(t, above["misses"]+above["merges"], log.steps[task.Miss]+log.steps[task.Bypass], name)
			if s.Sectors == 1 && s.Prefetch.Name == "none" && name == "timed" {
				require.EqualValues(t, above["merges"]+above["delayed_hits"], log.steps[task.Merge])
			}
			if !explained || name == "functional" {
				require.Empty(t, log.causes[log.begun[0].ID], name)
			}
		}
	})
}

// tiled requires that causes lie side by side from the begin of a task on, and end with it at the
// latest.
func tiled(t require.TestingT, causes []task.Cause, from, to uint64) {
	slices.SortFunc(causes, func(a, b task.Cause) int { return cmp.Compare(a.From, b.From) })
	for _, c := range causes {
		require.Equal(t, from, cycles(c.From))
		require.Less(t, cycles(c.From), cycles(c.To))
		from = cycles(c.To)
	}
	require.LessOrEqual(t, from, to)
}

// A hit spends its latency on its lookup, and what it waits for before is named by what its bank
// lacked.
func TestCausesOfARequestAreNamed(t *testing.T) {
	s := cache.DefaultTimedSpec()
	s.MSHRs = 1
	e := engine.New()
	c, m := newTimed(t, e, s), newFlat(e, 50)
	onMemory(t, e, c, m)
	r := memtest.New("Core", e, clock.GHz, c.GetPortByName("Top"), memtest.Request{Bytes: 64}, memtest.Request{Addr: 64, Bytes: 64}, memtest.Request{Cycle: 500, Bytes: 64})
	memtest.Wire(e, r.Dst, clock.GHz, r)
	log := &taskLog{ended: map[task.ID][]uint64{}, steps: map[task.What]int{}, causes: map[task.ID][]task.Cause{}}
	stream := task.NewStream(e, []task.Reporter{c, m}, log)
	r.Start()
	require.NoError(t, e.Run())
	stream.Close()
	var got [][]any
	for _, b := range log.begun {
		for _, x := range log.causes[b.ID] {
			if b.ID.Node() == 0 {
				got = append(got, []any{stream.Text(b.ID, x.What), cycles(x.From), cycles(x.To)})
			}
		}
	}
	require.Equal(t, [][]any{{"waits for an MSHR", uint64(2), uint64(59)}, {"looks up the last line", uint64(501), uint64(521)}}, got)
}
