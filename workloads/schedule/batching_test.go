package schedule

import (
	"container/heap"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// batches plays a State with batching: executors in order, messages of one time unit. It
// keeps an account of the memory of its own.
type batches struct {
	t      require.TestingT
	s      *State
	events happenings
	seq    int
	queue  [][]Ref
	busy   []bool
	at     map[int32]int32 // operator that a request is to do next
	used   []uint64
	peak   []uint64
	sizes  map[Ref]int
	ended  map[int32]bool
	open   map[int32]int // requests of a model that have begun, and of which an operator is to be issued
	time   func(m *Model, op int32, n int) units.Time
}

func (w *batches) after(t units.Time, f func(now units.Time)) {
	w.seq++
	heap.Push(&w.events, happening{t, w.seq, f})
}

func play(t require.TestingT, s *State, arrive []units.Time, model []int) *batches {
	return playTimed(t, s, arrive, model, nil)
}

// playTimed is play that compares the time of each batch as well.
func playTimed(t require.TestingT, s *State, arrive []units.Time, model []int, time func(m *Model, op int32, n int) units.Time) *batches {
	n := len(s.Executors)
	w := &batches{t: t, s: s, time: time, open: map[int32]int{}, queue: make([][]Ref, n), busy: make([]bool, n), at: map[int32]int32{}, used: make([]uint64, n), peak: make([]uint64, n), sizes: map[Ref]int{}, ended: map[int32]bool{}}
	for i, at := range arrive {
		w.after(at, func(now units.Time) {
			s.Arrive(now, model[i])
			w.issue(now)
		})
	}
	for len(w.events) > 0 {
		e := heap.Pop(&w.events).(happening)
		e.f(e.at)
	}
	return w
}

func (w *batches) issue(now units.Time) {
	for {
		x, ok := w.s.Next(now)
		if !ok {
			break
		}
		members := w.s.Members(x.Ref)
		m := &w.s.Models[members[0].Model]
		w.sizes[x.Ref] = len(members)
		require.Equal(w.t, len(members), w.s.together(x.Ref))
		require.LessOrEqual(w.t, len(members), w.s.options.Batching.Max, "a batch is at most as large as may be")
		require.Equal(w.t, m.cost(x.Op, x.Executor, len(members)), w.s.costOf(x.Ref, x.Executor), "policies see the cost of the whole batch")
		for _, r := range members {
			require.Equal(w.t, w.at[r.ID], x.Op, "operators of a request go in order, each once")
			require.Equal(w.t, members[0].Model, r.Model)
			if w.at[r.ID] == 0 {
				w.open[r.Model]++
			}
			w.at[r.ID]++
		}
		if w.s.options.Batching.Rule != StaticBatches {
			require.LessOrEqual(w.t, w.open[members[0].Model], w.s.options.Batching.Max*len(w.s.Executors), "requests of one model that are carried out at a time")
		}
		for _, r := range members {
			if w.at[r.ID] == int32(len(m.Ops)) {
				w.open[r.Model]--
			}
		}
		if m.Feet != nil {
			f := m.Feet[x.Op]
			w.used[x.Executor] += f.Weights + uint64(len(members))*f.Need
			w.peak[x.Executor] = max(w.peak[x.Executor], w.used[x.Executor])
			require.LessOrEqual(w.t, w.used[x.Executor], uint64(w.s.options.Batching.Memory), "a plan never exceeds memory")
		}
		w.after(now+1, func(now units.Time) {
			w.queue[x.Executor] = append(w.queue[x.Executor], x.Ref)
			w.begin(x.Executor, now)
		})
	}
	if at, ok := w.s.Due(); ok {
		w.after(at, w.issue)
	}
}

func (w *batches) begin(e int, now units.Time) {
	if w.busy[e] || len(w.queue[e]) == 0 {
		return
	}
	ref := w.queue[e][0]
	w.queue[e], w.busy[e] = w.queue[e][1:], true
	members := w.s.Members(ref)
	m := &w.s.Models[members[0].Model]
	end := now + m.cost(ref.Op, e, len(members)).Time
	if w.time != nil {
		require.Equal(w.t, w.time(m, ref.Op, len(members)), end-now, "a batch takes its fetch once, and its compute for each request")
	}
	w.after(end, func(units.Time) {
		w.busy[e] = false
		w.after(end+1, func(t units.Time) {
			ended, err := w.s.Done(t, ref, now, end)
			require.NoError(w.t, err)
			if m.Feet != nil {
				f := m.Feet[ref.Op]
				w.used[e] -= f.Weights + uint64(len(members))*f.Free
			}
			for _, r := range ended {
				require.False(w.t, w.ended[r.ID], "a request is answered once")
				w.ended[r.ID] = true
			}
			w.issue(t)
		})
		w.begin(e, end)
	})
}

// chain is a model of operators one after the other; an operator for n requests takes its
// fetch, and n times its compute.
func chain(name string, executors, most int, feet []Footprint, fetch, compute []units.Time) Model {
	m := Model{Name: name, Feet: feet}
	for i := range feet {
		op := Operator{Name: fmt.Sprint("op", i)}
		if i > 0 {
			op.After = []int32{int32(i - 1)}
		}
		cost := func(n int) (all []Cost) {
			for range executors {
				all = append(all, Cost{Can: true, Time: fetch[i] + units.Time(n)*compute[i]})
			}
			return all
		}
		op.Cost = cost(1)
		for n := 2; n <= most; n++ {
			op.Batch = append(op.Batch, cost(n))
		}
		m.Ops = append(m.Ops, op)
	}
	return m
}

// Whatever the rule and the policy: the memory is never exceeded, nothing gets stuck, each
// operator of each request is carried out once and in order, each request is answered once,
// no executor is busy for longer than the run, and at the end the memory is empty.
func TestBatchingProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, least, most int) int { return rapid.IntRange(least, most).Draw(t, name) }
		executors, most := n("executors", 1, 2), n("max", 1, 6)
		const memory = 60
		var models []Model
		var fetches, computes [][]units.Time
		for m := range n("models", 1, 3) {
			var feet []Footprint
			var fetch, compute []units.Time
			held := uint64(0)
			ops := n("ops", 1, 6)
			for i := range ops {
				f := Footprint{Weights: uint64(n("weights", 0, 20)), Held: held, Need: uint64(n("need", 0, int(40-held)))}
				f.Free = uint64(n("free", int(max(f.Need+held, 20)-20), int(f.Need+held)))
				if i == ops-1 {
					f.Free = held + f.Need
				}
				held += f.Need - f.Free
				feet = append(feet, f)
				fetch, compute = append(fetch, units.Time(n("fetch", 0, 9))), append(compute, units.Time(n("compute", 0, 9)))
			}
			fetches, computes = append(fetches, fetch), append(computes, compute)
			models = append(models, chain(fmt.Sprint("model", m), executors, most, feet, fetch, compute))
		}
		p := rapid.SampledFrom([]string{"fcfs", "round_robin", "edf", "static", "earliest_finish", "dream", "layer_blocks", "least_slack", "balance", "tokens"}).Draw(t, "policy")
		entry, _ := Policies.Entry(p)
		o := Options{Grain: ByModel, Ahead: n("ahead", 1, 4), Batching: Batching{Rule: rapid.SampledFrom(BatchingRules()).Draw(t, "rule"), Max: most, Memory: memory, Wait: units.Time(n("wait", 0, 30))}}
		s, err := New(models, []string{"A", "B"}[:executors], entry.New(entry.Spec), o)
		require.NoError(t, err)
		var arrive []units.Time
		var model []int
		at := 0
		for range n("requests", 1, 25) {
			at += n("gap", 0, 20)
			arrive, model = append(arrive, units.Time(at)), append(model, n("model", 0, len(models)-1))
		}
		w := playTimed(t, s, arrive, model, func(m *Model, op int32, n int) units.Time {
			var k int
			_, err := fmt.Sscanf(m.Name, "model%d", &k)
			require.NoError(t, err)
			return fetches[k][op] + units.Time(n)*computes[k][op]
		})
		require.Len(t, w.ended, len(arrive), "nothing gets stuck: %s", p)
		require.Zero(t, s.Live())
		var end units.Time
		for i := range arrive {
			end = max(end, s.Request(int32(i)).End)
		}
		for e := range s.Executors {
			now, peak := s.Held(e)
			require.Zero(t, now)
			require.Zero(t, w.used[e])
			require.Equal(t, w.peak[e], peak)
			require.LessOrEqual(t, s.Executors[e].Busy, end)
		}
		if o.Batching.Rule == StaticBatches {
			for ref, n := range w.sizes {
				require.Equal(t, w.sizes[Ref{ref.Request, 0}], n, "a static batch keeps its size")
			}
		}
	})
}

// A first operator that takes two requests, a second that takes four: by hand. Memory 20;
// the first has weights 4 and 8 of results a request, the second weights 4 and hands on
// nothing.
func TestCascadeByHand(t *testing.T) {
	feet := []Footprint{{Weights: 4, Need: 8, Free: 4}, {Weights: 4, Held: 4, Free: 4}}
	require.Equal(t, 2, feet[0].Batch(20))
	require.Equal(t, 4, feet[1].Batch(20))
	for rule, sizes := range map[string]map[Ref]int{
		StaticBatches:   {{0, 0}: 2, {0, 1}: 2, {2, 0}: 2, {2, 1}: 2},
		CascadedBatches: {{0, 0}: 2, {0, 1}: 2, {2, 0}: 2, {2, 1}: 2},
		// Two hold 8 after the first operator, so one more fits there (4 + 8 more), and not
		// two. Three merge; the last one finds no other.
		AdaptiveBatches: {{0, 0}: 2, {2, 0}: 1, {0, 1}: 3, {3, 0}: 1, {3, 1}: 1},
	} {
		m := chain("net", 1, 4, feet, []units.Time{10, 10}, []units.Time{1, 1})
		s, err := New([]Model{m}, []string{"A"}, fcfs{}, Options{Grain: ByModel, Ahead: 1, Batching: Batching{Rule: rule, Max: 4, Memory: 20, Wait: 1}})
		require.NoError(t, err)
		require.Equal(t, sizes, play(t, s, []units.Time{0, 0, 0, 0}, []int{0, 0, 0, 0}).sizes, rule)
	}
}

// What an executor holds at an operator is what a liveness analysis of the graph says: a
// residual block, whose input stays until it is added.
func TestProfileOfABlock(t *testing.T) {
	b := graph.NewBuilder("block")
	x := b.Input("input", 1, 4, 8, 8) // 256 B
	a := b.Conv("conv1", x, graph.SquareConv(8, 1, 1, 0))
	r := b.Elementwise("relu", "relu", a)
	c := b.Conv("conv2", r, graph.SquareConv(8, 3, 1, 1))
	y := b.Elementwise("add", "add", c, a)
	b.Output(b.Conv("conv3", y, graph.SquareConv(2, 1, 1, 0)))
	g, err := b.Graph()
	require.NoError(t, err)
	var jobs [][]int
	for i := range g.Ops {
		jobs = append(jobs, []int{i})
	}
	feet, kept := Profile(g, jobs, 1<<20, 1<<18)
	require.Equal(t, []Footprint{
		{Weights: 32, Need: 512 + 256, Free: 256}, // conv1: the input passes
		{Held: 512, Need: 512},                    // relu: conv1 is added later, so it stays
		{Weights: 576, Held: 1024, Need: 512, Free: 512},
		{Held: 1024, Need: 0, Free: 512},                     // add writes in place of an operand
		{Weights: 16, Held: 512, Need: 128, Free: 512 + 128}, // conv3: the result passes
	}, feet)
	n := 0
	for _, k := range kept {
		if k {
			n++
		}
	}
	require.Equal(t, 4, n)
	// Where one request does not fit, the greatest results go through memory.
	small, kept := Profile(g, jobs, 1400, 600)
	for j, f := range small {
		require.LessOrEqual(t, f.Weights+f.Held+f.Need, uint64(1400), g.Ops[j].Name)
	}
	require.Less(t, countTrue(kept), 4)
	pieces, _ := Profile(g, jobs, 1<<20, 100)
	require.EqualValues(t, 100, pieces[2].Weights, "more weights pass in pieces")
}

func countTrue(list []bool) (n int) {
	for _, k := range list {
		if k {
			n++
		}
	}
	return n
}

// What cannot be is refused.
func TestBatchingRefusals(t *testing.T) {
	m := func() []Model {
		return []Model{chain("net", 1, 2, []Footprint{{Weights: 10, Need: 5, Free: 5}}, []units.Time{1}, []units.Time{1})}
	}
	for want, o := range map[string]Options{
		"batching by rule \"some\"":    {Grain: ByModel, Ahead: 1, Batching: Batching{Rule: "some", Max: 2}},
		"batches of 0":                 {Grain: ByModel, Ahead: 1, Batching: Batching{Rule: StaticBatches}},
		"batching with grain operator": {Grain: ByOperator, Ahead: 1, Batching: Batching{Rule: StaticBatches, Max: 2}},
		"net: op0 takes 15B of 14B":    {Grain: ByModel, Ahead: 1, Batching: Batching{Rule: AdaptiveBatches, Max: 2, Memory: 14}},
	} {
		_, err := New(m(), []string{"A"}, fcfs{}, o)
		require.ErrorContains(t, err, want)
	}
	_, err := New(m(), []string{"A"}, preemptive{}, Options{Grain: ByModel, Ahead: 1, Batching: Batching{Rule: StaticBatches, Max: 2}})
	require.ErrorContains(t, err, "a policy that takes operators back")
}
