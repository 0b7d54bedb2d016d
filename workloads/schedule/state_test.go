package schedule

import (
	"container/heap"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/units"
)

// A world plays a State: executors that work in order, and messages that take a time.
type world struct {
	t       require.TestingT
	s       *State
	arrive  []units.Time // by request, ascending
	model   []int
	way     units.Time // of a message
	queue   [][]Ref    // of each executor
	running []bool
	events  happenings
	seq     int
	done    map[Ref][2]units.Time
	where   map[Ref]int
	issues  map[Ref]int // less those taken back
	taken   int
}

type happening struct {
	at  units.Time
	seq int
	f   func(now units.Time)
}

type happenings []happening

func (h happenings) Len() int { return len(h) }
func (h happenings) Less(i, j int) bool {
	return h[i].at < h[j].at || h[i].at == h[j].at && h[i].seq < h[j].seq
}
func (h happenings) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *happenings) Push(x any)   { *h = append(*h, x.(happening)) }
func (h *happenings) Pop() any {
	x := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return x
}

func (w *world) at(t units.Time, f func(now units.Time)) {
	w.seq++
	heap.Push(&w.events, happening{t, w.seq, f})
}

func (w *world) run() {
	w.queue, w.running = make([][]Ref, len(w.s.Executors)), make([]bool, len(w.s.Executors))
	w.done, w.where, w.issues = map[Ref][2]units.Time{}, map[Ref]int{}, map[Ref]int{}
	for i, t := range w.arrive {
		w.at(t, func(now units.Time) {
			w.s.Arrive(now, w.model[i])
			for _, x := range w.s.Revocations() {
				w.at(now+w.way, func(now units.Time) { w.revoke(x, now) })
			}
			w.issue(now)
		})
	}
	for len(w.events) > 0 {
		e := heap.Pop(&w.events).(happening)
		e.f(e.at)
	}
}

func (w *world) issue(now units.Time) {
	for {
		x, ok := w.s.Next(now)
		if !ok {
			return
		}
		w.issues[x.Ref]++
		require.Equal(w.t, 1, w.issues[x.Ref], "issued twice")
		require.LessOrEqual(w.t, len(w.s.Executors[x.Executor].Queue), w.s.options.Ahead)
		w.at(now+w.way, func(now units.Time) {
			w.queue[x.Executor] = append(w.queue[x.Executor], x.Ref)
			w.begin(x.Executor, now)
		})
	}
}

// begin lets an idle executor go on with its oldest operator.
func (w *world) begin(e int, now units.Time) {
	if w.running[e] || len(w.queue[e]) == 0 {
		return
	}
	ref := w.queue[e][0]
	w.queue[e] = w.queue[e][1:]
	m := &w.s.Models[w.model[ref.Request]]
	require.True(w.t, m.Ops[ref.Op].Cost[e].Can)
	for _, a := range m.Ops[ref.Op].After {
		d, ok := w.done[Ref{ref.Request, a}]
		require.True(w.t, ok && d[1] <= now, "operator %v begins before %d is done", ref, a)
	}
	w.running[e] = true
	end := now + m.Ops[ref.Op].Cost[e].Time
	w.at(end, func(units.Time) {
		_, twice := w.done[ref]
		require.False(w.t, twice)
		w.done[ref], w.where[ref] = [2]units.Time{now, end}, e
		w.running[e] = false
		w.at(end+w.way, func(t units.Time) {
			_, err := w.s.Done(t, ref, now, end)
			require.NoError(w.t, err)
			w.issue(t)
		})
		w.begin(e, end)
	})
}

func (w *world) revoke(x Issue, now units.Time) {
	for i, r := range w.queue[x.Executor] {
		if r == x.Ref {
			w.queue[x.Executor] = append(w.queue[x.Executor][:i:i], w.queue[x.Executor][i+1:]...)
			w.taken++
			w.at(now+w.way, func(t units.Time) {
				w.issues[r]--
				require.NoError(w.t, w.s.Revoked(t, r))
				w.issue(t)
			})
			return
		}
	}
}

func drawModels(t *rapid.T, executors int) []Model {
	models := make([]Model, rapid.IntRange(1, 4).Draw(t, "models"))
	for i := range models {
		m := &models[i]
		m.Name = fmt.Sprint("model", i)
		m.Deadline = units.Time(rapid.IntRange(0, 60).Draw(t, "deadline"))
		m.Priority = rapid.IntRange(0, 2).Draw(t, "priority")
		m.Ops = make([]Operator, rapid.IntRange(0, 6).Draw(t, "ops"))
		for j := range m.Ops {
			for a := range j {
				if rapid.Bool().Draw(t, "after") {
					m.Ops[j].After = append(m.Ops[j].After, int32(a))
				}
			}
			for range executors {
				m.Ops[j].Cost = append(m.Ops[j].Cost, Cost{Can: true, Time: units.Time(rapid.IntRange(0, 9).Draw(t, "time"))})
			}
		}
	}
	return models
}

// Whatever the policy: each operator is carried out once, after those it waits for;
// nothing is lost where operators are taken back; an executor does one at a time; with
// grain model a request has one executor; and what is ready does not wait for nothing.
func TestEveryPolicyDoesAllTheWork(t *testing.T) {
	taken := 0
	for _, e := range Policies.Entries() {
		specs := []any{e.Spec}
		if _, ok := e.Spec.(Urgency); ok {
			specs = append(specs, Urgency{Preempt: true})
		}
		for _, spec := range specs {
			rapid.Check(t, func(t *rapid.T) {
				n := rapid.IntRange(1, 3).Draw(t, "executors")
				w := world{t: t, way: units.Time(rapid.IntRange(0, 3).Draw(t, "way"))}
				models := drawModels(t, n)
				o := Options{Grain: rapid.SampledFrom([]string{ByModel, ByOperator}).Draw(t, "grain"), Ahead: rapid.IntRange(1, 3).Draw(t, "ahead")}
				if e.Name != "static" && o.Grain == ByOperator && n > 1 { // an operator that one executor cannot do
					for m := range models {
						for j := range models[m].Ops {
							if rapid.IntRange(0, 3).Draw(t, "cannot") == 0 {
								models[m].Ops[j].Cost[rapid.IntRange(0, n-1).Draw(t, "who")].Can = false
							}
						}
					}
				}
				var names []string
				for i := range n {
					names = append(names, fmt.Sprint("E", i))
				}
				var err error
				w.s, err = New(models, names, e.New(spec), o)
				require.NoError(t, err)
				at := units.Time(0)
				for range rapid.IntRange(1, 8).Draw(t, "requests") {
					at += units.Time(rapid.IntRange(0, 12).Draw(t, "gap"))
					w.arrive = append(w.arrive, at)
					w.model = append(w.model, rapid.IntRange(0, len(models)-1).Draw(t, "model"))
				}
				w.run()
				taken += w.taken
				require.Zero(t, w.s.Live())
				require.Zero(t, w.s.Open())
				ops := 0
				var busy [3]units.Time
				var last units.Time
				for i, m := range w.model {
					r := w.s.Request(int32(i))
					require.True(t, r.Finished() && r.Begun())
					first, end, one := units.Time(1<<62), r.Arrival, -1
					for j := range models[m].Ops {
						ref := Ref{int32(i), int32(j)}
						d, ok := w.done[ref]
						require.True(t, ok, "%v is lost", ref)
						require.GreaterOrEqual(t, d[0], r.Arrival)
						first, end = min(first, d[0]), max(end, d[1])
						busy[w.where[ref]] += d[1] - d[0]
						if o.Grain == ByModel && r.Revoked == 0 {
							require.True(t, one < 0 || one == w.where[ref])
							one = w.where[ref]
						}
						ops++
					}
					if len(models[m].Ops) > 0 {
						require.Equal(t, [2]units.Time{first, end}, [2]units.Time{r.Begin, r.End})
					}
					last = max(last, end)
				}
				require.Len(t, w.done, ops)
				for i := range w.s.Executors {
					require.Equal(t, busy[i], w.s.Executors[i].Busy)
					require.LessOrEqual(t, busy[i], last)
					require.Empty(t, w.s.Executors[i].Queue)
				}
			})
		}
	}
	require.Positive(t, taken, "nothing was ever taken back: the property says nothing of it")
}

// One executor, one operator each: who comes when, by hand.
func TestOrders(t *testing.T) {
	one := func(name string, time, deadline units.Time, priority int) Model {
		return Model{Name: name, Deadline: deadline, Priority: priority, Ops: []Operator{{Name: "op", Cost: []Cost{{Can: true, Time: time}}}}}
	}
	models := func() []Model { return []Model{one("slow", 10, 0, 0), one("soft", 4, 50, 1), one("hard", 4, 20, 2)} }
	order := func(policy string, spec any, o Options) (out []int32) {
		e, _ := Policies.Entry(policy)
		s, err := New(models(), []string{"E"}, e.New(spec), o)
		require.NoError(t, err)
		w := world{t: t, s: s, arrive: []units.Time{0, 0, 1, 2, 3}, model: []int{0, 0, 0, 1, 2}}
		w.run()
		for len(out) < 5 {
			var next int32 = -1
			for i := range int32(5) {
				if d := w.done[Ref{i, 0}]; !contains(out, i) && (next < 0 || d[0] < w.done[Ref{next, 0}][0]) {
					next = i
				}
			}
			out = append(out, next)
		}
		return out
	}
	alone := Options{Grain: ByModel, Ahead: 1}
	require.Equal(t, []int32{0, 1, 2, 3, 4}, order("fcfs", nil, alone))
	require.Equal(t, []int32{0, 3, 4, 1, 2}, order("round_robin", nil, alone))
	require.Equal(t, []int32{0, 4, 3, 1, 2}, order("edf", Urgency{}, alone))
	require.Equal(t, []int32{0, 4, 3, 1, 2}, order("priority", Urgency{}, alone))
	// The second slow one is issued ahead, before the others come; who preempts takes
	// it back.
	ahead := Options{Grain: ByModel, Ahead: 2}
	require.Equal(t, []int32{0, 1, 4, 3, 2}, order("edf", Urgency{}, ahead))
	require.Equal(t, []int32{0, 4, 3, 1, 2}, order("edf", Urgency{Preempt: true}, ahead))
}

func contains(list []int32, x int32) bool {
	for _, y := range list {
		if x == y {
			return true
		}
	}
	return false
}

// Unlike executors: first come first served takes the slow one that is free, earliest
// finish waits for the fast one, static keeps to its own.
func TestUnlikeExecutors(t *testing.T) {
	m := []Model{{Name: "m", Ops: []Operator{{Name: "op", Cost: []Cost{{Can: true, Time: 100}, {Can: true, Time: 10}}}}}}
	for policy, want := range map[string][]int{
		"fcfs":            {0, 1, 1},
		"earliest_finish": {1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1}, // the tenth would end at 100 on both
		"static":          {0, 0, 0},
	} {
		e, _ := Policies.Entry(policy)
		s, err := New(m, []string{"Slow", "Fast"}, e.New(e.Spec), Options{Grain: ByModel, Ahead: 1})
		require.NoError(t, err)
		w := world{t: t, s: s, arrive: make([]units.Time, len(want)), model: make([]int, len(want))}
		w.run()
		for i, e := range want {
			require.Equal(t, e, w.where[Ref{int32(i), 0}], "%s: request %d", policy, i)
		}
	}
	m[0].Executors = []int{1}
	e, _ := Policies.Entry("static")
	s, err := New(m, []string{"Slow", "Fast"}, e.New(nil), DefaultOptions())
	require.NoError(t, err)
	s.Arrive(0, 0)
	x, ok := s.Next(0)
	require.True(t, ok)
	require.Equal(t, 1, x.Executor)
}

// A chain on one executor has no gap between operators, whatever messages take, while
// they are shorter than an operator; with one operator at a time it has.
func TestIssuedAheadLeavesNoGap(t *testing.T) {
	chain := Model{Name: "chain"}
	for i := range 5 {
		op := Operator{Name: fmt.Sprint("op", i), Cost: []Cost{{Can: true, Time: 10}}}
		if i > 0 {
			op.After = []int32{int32(i - 1)}
		}
		chain.Ops = append(chain.Ops, op)
	}
	for ahead, want := range map[int]units.Time{1: 3 + 5*10 + 4*6, 2: 3 + 5*10} {
		e, _ := Policies.Entry("fcfs")
		s, err := New([]Model{chain}, []string{"E"}, e.New(nil), Options{Grain: ByModel, Ahead: ahead})
		require.NoError(t, err)
		w := world{t: t, s: s, arrive: []units.Time{0}, model: []int{0}, way: 3}
		w.run()
		require.Equal(t, want, s.Request(0).End)
	}
}

func TestModelsAreRefused(t *testing.T) {
	can := []Cost{{Can: true, Time: 1}, {}}
	cannot := []Cost{{}, {Can: true, Time: 1}}
	for text, m := range map[string]Model{
		"m: executor 2 of 2":               {Executors: []int{2}},
		"m: b has 1 costs for 2 executors": {Ops: []Operator{{Name: "b", Cost: can[:1]}}},
		"m: no executor can carry out b":   {Executors: []int{1}, Ops: []Operator{{Name: "b", Cost: can}}},
		"m: operator 0 (b) waits for operator 0, which does not come before it": {Ops: []Operator{{Name: "b", Cost: can, After: []int32{0}}}},
		"m: no executor can carry out all of it (grain operator shares it out)": {Ops: []Operator{{Name: "a", Cost: can}, {Name: "b", Cost: cannot}}},
	} {
		m.Name = "m"
		_, err := New([]Model{m}, []string{"A", "B"}, fcfs{}, DefaultOptions())
		require.EqualError(t, err, text)
	}
	for _, other := range []int{-1, 0, 2, 3} { // of two models the first; only the second may be named
		m := []Model{{Name: "m", Ops: []Operator{{Name: "a", Cost: can}}}, {Name: "n"}}
		m[0].After = []int{other}
		_, err := New(m, []string{"A", "B"}, fcfs{}, DefaultOptions())
		require.EqualError(t, err, fmt.Sprintf("m comes after model %d of 2", other))
		m[0].After, m[0].Forms = nil, []int{other}
		_, err = New(m, []string{"A", "B"}, fcfs{}, DefaultOptions())
		require.EqualError(t, err, fmt.Sprintf("m has model %d of 2 as a form (without batching)", other))
	}
	_, err := New(nil, nil, fcfs{}, Options{Grain: "layer", Ahead: 1})
	require.ErrorContains(t, err, "want one of: model, operator")
	_, err = New(nil, nil, fcfs{}, Options{Grain: ByModel})
	require.ErrorContains(t, err, "want 1 or more")
	s, err := New([]Model{{Name: "m", Ops: []Operator{{Name: "a", Cost: can[:1]}}}}, []string{"A"}, fcfs{}, DefaultOptions())
	require.NoError(t, err)
	s.Arrive(0, 0)
	_, err = s.Done(1, Ref{0, 0}, 0, 1)
	require.EqualError(t, err, "operator 0 of request 0 is not issued")
	require.EqualError(t, s.Revoked(1, Ref{0, 0}), "operator 0 of request 0 is not issued")
}
