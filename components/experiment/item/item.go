package item

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/causeway-sim/causeway/components/chain"
	"github.com/causeway-sim/causeway/components/experiment"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/task"
)

// A Query names an item.
type Query struct {
	Layer   string // a name in layers.csv
	Request int    // a number in requests.csv, or of the requests in the order of their begin; -1: none
	Token   int    // of the request: 0 is up to the first token, Slowest the one that took longest; WholeRequest: all
	Step    int    // of steps of servers and programs, collectives of ranks, kernels, in the order of their begin; -1: none
	Message int    // of the messages in networks, in the order of their begin; -1: none
	Node    string // of several nodes that have carried out the layer; "": the one where it took longest
}

// Values of Query.Token that are not the number of a token.
const (
	WholeRequest = -1
	Slowest      = -2
)

// An Answer is the explanation of an item. Its parts sum to its latency.
type Answer struct {
	Item       string // "layer conv1 of resnet50 on Core"
	Begin, End int64  // ps
	Parts      []chain.Part
	Notes      []string
}

// A Loader loads the experiment with the given listeners.
type Loader func(listeners ...task.Listener) (*experiment.Experiment, error)

// ErrUnknown is the error for an item that the run does not have.
var ErrUnknown = errors.New("there is no such item")

// Explain runs an experiment and explains one item of it. The listeners others receive the tasks
// of the first run.
func Explain(ctx context.Context, load Loader, q Query, progress experiment.ProgressFunc, others ...task.Listener) (*Answer, error) {
	return explain(ctx, load, q, mostDetail, progress, others...)
}

// explain is Explain with a limit to the tasks of detail that the first run keeps.
func explain(ctx context.Context, load Loader, q Query, most int, progress experiment.ProgressFunc, others ...task.Listener) (*Answer, error) {
	r := newRecorder(always, most)
	res, err := play(ctx, load, progress, append(others, r)...)
	if err != nil {
		return nil, err
	}
	it, err := find(res, r, q)
	if err != nil {
		return nil, err
	}
	if r.dropped > 0 {
		r = newRecorder(window{it.from, it.to}, 4*mostDetail)
		if res, err = play(ctx, load, progress, r); err != nil {
			return nil, err
		}
	}
	return it.answer(res, r)
}

func play(ctx context.Context, load Loader, progress experiment.ProgressFunc, listeners ...task.Listener) (*result.Result, error) {
	x, err := load(listeners...)
	if err != nil {
		return nil, err
	}
	res, _, err := x.Run(ctx, progress)
	if err != nil {
		return nil, err
	}
	return res, nil
}

// A found item is an interval of a task, or of a row without one.
type found struct {
	name     string
	from, to int64
	id       task.ID // 0: none
	row      *row
	node     string
	notes    []string
}

func find(res *result.Result, r *recorder, q Query) (*found, error) {
	switch {
	case q.Request >= 0:
		return findRequest(res, r, q)
	case q.Step >= 0:
		return findTask(r, r.steps, q.Step, "step")
	case q.Message >= 0:
		return findTask(r, r.messages, q.Message, "message")
	}
	return findLayer(res, r, q)
}

// answer walks through the chain of causes.
func (it *found) answer(res *result.Result, r *recorder) (*Answer, error) {
	l := r.log()
	divideLayers(l, r, res)
	a := &Answer{Item: it.name, Begin: it.from, End: it.to, Notes: it.notes}
	if r.dropped > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("%d tasks were too many to be kept: parts of them are not divided", r.dropped))
	}
	if i := slices.Index(r.ids, it.id); it.id != 0 && i >= 0 {
		a.Parts = l.Explain(int32(i), it.from, it.to).Parts
	} else if it.row != nil {
		a.Parts = chain.Divide(it.node, it.from, it.to, it.row.shares())
	}
	if len(a.Parts) == 0 && it.from < it.to {
		return nil, fmt.Errorf("%s: nothing reports what it did", it.name)
	}
	whole := chain.Part{Time: it.to - it.from, Parts: a.Parts}
	a.Parts = chain.Shorten(chain.Alike(chain.Merge(a.Parts), mostAlike))
	if len(a.Parts) == 1 && a.Parts[0].What == kinds[task.Layer].Own && len(a.Parts[0].Parts) > 0 {
		a.Parts = a.Parts[0].Parts
	}
	merged := chain.Part{Time: whole.Time, Parts: a.Parts}
	if !whole.Sums() || !merged.Sums() {
		return nil, fmt.Errorf("%s: its parts do not sum to its latency of %d ps", it.name, whole.Time)
	}
	return a, nil
}

// mostAlike is how many parts of a level may differ in numbers alone.
const mostAlike = 8

// divideLayers divides what layers do on their own by their rows.
func divideLayers(l *chain.Log, r *recorder, res *result.Result) {
	if res.Layers == nil {
		return
	}
	type key struct {
		where, what string
		end         int64
	}
	at := map[key]int32{}
	for i := range l.Spans {
		if s := &l.Spans[i]; s.Kind == int32(task.Layer) {
			at[key{l.Nodes[s.Node], s.What, s.End}] = int32(i)
		}
	}
	periods := r.periods()
	for n := range res.Layers.Len() {
		w := row{Table: res.Layers, at: n}
		start, cycles, ok := w.cycles()
		p, known := periods[w.text("where")]
		if !ok || !known {
			continue
		}
		if i, ok := at[key{w.text("where"), w.text("layer"), p.at(start + cycles)}]; ok {
			l.Shares[i] = map[string][]chain.Share{kinds[task.Layer].Own: w.shares(), rowWords["compute_cycles"]: w.computing()}
		}
	}
}

// ofNanoseconds is a cell of nanoseconds in ps.
func ofNanoseconds(v float64) int64 { return int64(math.Round(v * 1e3)) }
