package item

import (
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/components/chain"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
)

// mostDetail is how many tasks are kept of a run whose item has no known place in time: a
// gigabyte. Beyond it, single requests and messages are dropped, and the run is repeated for
// those of the item.
const mostDetail = 4_000_000

// A window is an interval of time in ps.
type window struct{ from, to int64 }

var always = window{0, math.MaxInt64}

// meets reports whether an interval has a point in the window.
func (w window) meets(from, to int64) bool { return from <= w.to && to >= w.from }

// A recorder keeps the tasks of a run that meet a window, and their causes.
type recorder struct {
	window
	most     int
	dropped  int // tasks of detail, and causes of such tasks
	nodes    []task.Reporter
	open     map[task.ID]open
	spans    []chain.Span
	ids      []task.ID
	parents  []task.ID
	causes   map[task.ID][]caused
	requests []task.ID // without a parent, in order of their begin
	begun    map[task.ID]int64
	steps    []task.ID // steps of programs and servers, collectives, kernels, in order of their begin
	messages []task.ID // messages in networks, in order of their begin
}

type open struct {
	begin  int64
	parent task.ID
	kind   task.Kind
	what   task.What
}

type caused struct {
	from, to int64
	by       task.ID
	what     string
	like     window // empty: it was simulated
}

func newRecorder(w window, most int) *recorder {
	return &recorder{window: w, most: most, open: map[task.ID]open{}, causes: map[task.ID][]caused{}, begun: map[task.ID]int64{}}
}

// ps is a time in picoseconds.
func ps(seconds float64) int64 { return int64(math.Round(seconds * 1e12)) }

// Stepless implements task.Stepless.
func (r *recorder) Stepless() {}

// Task implements task.Listener.
func (r *recorder) Task(s *task.Stream, e task.Event) {
	at := ps(float64(e.At))
	switch e.Phase {
	case task.Begin:
		r.number(e, at)
		if at <= r.to {
			r.open[e.ID] = open{at, e.Parent, e.Kind, e.What}
		}
	case task.End:
		o, ok := r.open[e.ID]
		delete(r.open, e.ID)
		if ok && at >= r.from {
			r.keep(s, e.ID, o, at)
		}
	}
}

// number numbers the items for queries.
func (r *recorder) number(e task.Event, at int64) {
	switch e.Kind {
	case task.Request:
		if e.Parent == 0 {
			r.requests = append(r.requests, e.ID)
			r.begun[e.ID] = at
		}
	case task.Batch, task.Collective, task.Iteration, task.Kernel:
		r.steps = append(r.steps, e.ID)
	case task.Message:
		r.messages = append(r.messages, e.ID)
	}
}

// detail reports whether tasks of a kind are too many to keep them all.
func detail(k task.Kind) bool {
	switch k {
	case task.Layer, task.Request, task.Batch, task.Collective, task.Kernel, task.Iteration, task.Move:
		return false
	}
	return true
}

func (r *recorder) keep(s *task.Stream, id task.ID, o open, end int64) {
	r.nodes = s.Nodes()
	if detail(o.kind) && len(r.spans) >= r.most {
		r.dropped++
		return
	}
	what := s.Text(id, o.what)
	if what == "" {
		what = o.kind.String()
	}
	r.spans = append(r.spans, chain.Span{Begin: o.begin, End: end, Parent: chain.None, Node: int32(id.Node()), Kind: int32(o.kind), What: what})
	r.ids, r.parents = append(r.ids, id), append(r.parents, o.parent)
}

// Cause implements task.Explainer.
func (r *recorder) Cause(s *task.Stream, c task.Cause) {
	from, to := ps(float64(c.From)), ps(float64(c.To))
	if from >= to || !r.meets(from, to) {
		return
	}
	if len(r.causes) >= r.most && r.drops(c.Task) {
		r.dropped++
		return
	}
	r.causes[c.Task] = append(r.causes[c.Task], caused{from, to, c.By, s.Text(c.Task, c.What), window{ps(float64(c.LikeFrom)), ps(float64(c.LikeTo))}})
}

// drops reports whether causes of a task are dropped once there are too many: tokens of requests
// are found by those of the request.
func (r *recorder) drops(id task.ID) bool {
	if _, ok := r.begun[id]; ok {
		return false
	}
	o, ok := r.open[id]
	return !ok || detail(o.kind)
}

// log is what was kept. Tasks that have not ended are not in it.
func (r *recorder) log() *chain.Log {
	l := &chain.Log{Spans: r.spans, Kinds: kinds, Causes: map[int32][]chain.Cause{}, Shares: map[int32]map[string][]chain.Share{}}
	for _, n := range r.nodes {
		l.Nodes = append(l.Nodes, n.Name())
	}
	at := make(map[task.ID]int32, len(r.ids))
	for i, id := range r.ids {
		at[id] = int32(i)
	}
	index := func(id task.ID) int32 {
		if i, ok := at[id]; ok {
			return i
		}
		return chain.None
	}
	for i := range r.spans {
		r.spans[i].Parent = index(r.parents[i])
	}
	for id, all := range r.causes {
		i, ok := at[id]
		if !ok {
			continue
		}
		for _, c := range all { // waits come before the task that they belong to has begun
			l.Causes[i] = append(l.Causes[i], chain.Cause{From: c.from, To: c.to, What: c.what, By: index(c.by), LikeFrom: c.like.from, LikeTo: c.like.to})
			l.Spans[i].Begin = min(l.Spans[i].Begin, c.from)
		}
	}
	for n, id := range r.requests {
		if i, ok := at[id]; ok {
			l.Spans[i].What = fmt.Sprintf("request %d (%s)", n, l.Spans[i].What)
		}
	}
	l.Index()
	return l
}

// clockOf is the clock of a node, if the node has one.
func (r *recorder) clockOf(node int32) (clock.Clock, bool) {
	c, ok := r.nodes[node].(system.Clocked)
	if !ok {
		return clock.Clock{}, false
	}
	return c.Clock(), true
}
