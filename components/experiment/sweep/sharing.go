package sweep

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/journal"
	"github.com/causeway-sim/causeway/components/stats"
)

// A sharing is one process's part in the points of a folder.
type sharing struct {
	s      *Sweep
	folder *journal.Folder
	writer *journal.Writer                    // nil until there is something to do
	index  map[string]int                     // first point of each identity
	at     map[string]int                     // its position among those of its batch, by which chunks are cut
	weight map[string]int                     // points of that identity
	order  []string                           // identities in grid order
	mu     sync.Mutex                         // guards what follows
	known  map[string]Entry                   // what became of each
	found  map[string]map[string]stats.Metric // of the complete points that ran here, by key
	out    *Outcome
	done   int
	failed error // of the folder, not of a simulation
}

func newSharing(s *Sweep, folder *journal.Folder) *sharing {
	r := &sharing{s: s, folder: folder, index: map[string]int{}, at: map[string]int{}, weight: map[string]int{}, known: map[string]Entry{}, found: map[string]map[string]stats.Metric{}, out: &Outcome{}}
	r.add(s.points, s.identities)
	return r
}

// add takes points in, and returns their identities that are new.
func (r *sharing) add(points []int, identities []string) (fresh []string) {
	r.out.Total += len(points)
	for i, id := range identities {
		if id == "" {
			continue
		}
		if r.weight[id]++; r.weight[id] == 1 {
			r.index[id], r.at[id] = points[i], len(fresh)
			r.order = append(r.order, id)
			fresh = append(fresh, id)
		} else if _, ok := r.known[id]; ok {
			r.done++
		}
	}
	return fresh
}

// How long a process waits between looks at what others have done.
const (
	firstLook = 5 * time.Millisecond
	lastLook  = 500 * time.Millisecond
)

// all runs the batches of the search in turn until it ends.
func (r *sharing) all(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	batch := r.order
	for ended := false; !ended; {
		err := r.batch(ctx, cancel, batch)
		if err == nil && (ctx.Err() != nil || len(r.known) < len(r.order)) {
			break
		}
		if err == nil {
			batch, ended, err = r.s.more(ctx, r)
		}
		if err != nil {
			r.fail(err, cancel)
			break
		}
	}
	if r.writer != nil {
		if err := r.writer.Leave(len(r.known) == len(r.order)); r.failed == nil {
			r.failed = err
		}
	}
	return r.failed
}

// batch takes what the journals have of these points, then runs the rest: first those
// without a claim, then those that other processes do not finish.
func (r *sharing) batch(ctx context.Context, cancel context.CancelFunc, ids []string) error {
	todo := r.recorded(ids)
	if len(todo) == 0 {
		return nil
	}
	if r.writer == nil {
		var err error
		if r.writer, err = r.folder.Join(r.s.Build); err != nil {
			return err
		}
	}
	pending := r.round(ctx, cancel, todo, func(id string) (journal.Claim, Entry, error) {
		mine, err := r.writer.TryClaim(id)
		if mine {
			return journal.Mine, Entry{}, err
		}
		return journal.Held, Entry{}, err
	})
	for pause := firstLook; len(pending) > 0 && ctx.Err() == nil; {
		if err := r.folder.Refresh(); err != nil {
			r.fail(err, cancel)
			break
		}
		before := len(pending)
		if pending = r.round(ctx, cancel, pending, r.writer.Claim); len(pending) < before {
			pause = firstLook
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
		pause = min(2*pause, lastLook)
	}
	return r.failed
}

// recorded takes what the journals have, and returns those of the chunk that they lack.
func (r *sharing) recorded(ids []string) (todo []string) {
	for _, id := range ids {
		e, ok := r.folder.Lookup(id)
		if ok && r.stands(e) {
			r.settle(e, &r.out.Reused)
			continue
		}
		if r.s.Chunk.has(r.at[id]) {
			todo = append(todo, id)
		}
	}
	return todo
}

// stands reports whether a recorded entry is the point's: an older version kept what a
// point had found elsewhere, and its points are run again.
func (r *sharing) stands(e Entry) bool {
	if e.Status != string(result.Complete) {
		return !r.s.Retry
	}
	return e.Found()
}

// round claims each point and runs the claimed ones; it returns the points that others hold, in
// order.
func (r *sharing) round(ctx context.Context, cancel context.CancelFunc, ids []string, ask func(id string) (journal.Claim, Entry, error)) []string {
	held := make([]bool, len(ids))
	r.s.share(ctx, len(ids), func(i int) {
		claim, e, err := ask(ids[i])
		switch {
		case err != nil:
			r.fail(err, cancel)
		case claim == journal.Done:
			r.settle(e, &r.out.Shared)
		case claim == journal.Held:
			held[i] = true
		default:
			r.do(ctx, cancel, ids[i])
		}
	})
	var pending []string
	for i, h := range held {
		if h {
			pending = append(pending, ids[i])
		}
	}
	return pending
}

// do runs a point that is ours and records it.
func (r *sharing) do(ctx context.Context, cancel context.CancelFunc, id string) {
	e, metrics, err := r.s.point(ctx, r.index[id], id)
	if err == nil && e.Identity == "" {
		return // abandoned
	}
	values := keyed(metrics)
	if err == nil {
		err = r.writer.Record(e)
	}
	if err != nil {
		r.fail(err, cancel)
		return
	}
	e, ok := r.folder.Lookup(id)
	if ok && e.Writer == r.writer.Name() && e.Status == string(result.Complete) {
		r.mu.Lock()
		r.found[id] = values
		r.mu.Unlock()
	}
	if ok {
		r.settle(e, &r.out.Finished)
	}
}

// settle notes what became of a point; the first of its identity counts as kind,
// the others are found.
func (r *sharing) settle(e Entry, kind *int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.weight[e.Identity]
	r.known[e.Identity] = e
	r.done += n
	*kind++
	r.out.Reused += n - 1
	if e.Status != string(result.Complete) {
		r.out.Failed += n
	}
	if r.s.Progress != nil {
		r.s.Progress(r.done, r.out.Failed, r.out.Total)
	}
}

// fail keeps the first error of the folder and ends the work.
func (r *sharing) fail(err error, cancel context.CancelFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed == nil {
		r.failed = err
	}
	cancel()
}

// point runs one point, and returns its metrics where it is complete. The error is one of
// the folder, not of the simulation. An abandoned point has an empty entry.
func (s *Sweep) point(ctx context.Context, i int, id string) (Entry, []stats.Metric, error) {
	e := Entry{Identity: id, Index: i, Status: string(result.Complete)}
	job, err := s.Runner.Prepare(s.Grid.Point(i))
	if err == nil && job.Identity() != id {
		err = errors.New("its configuration or its inputs have changed since the sweep began")
	}
	var res *result.Result
	limit, cancel := ctx, context.CancelFunc(func() {})
	if s.Timeout > 0 {
		limit, cancel = context.WithTimeout(ctx, s.Timeout)
	}
	defer cancel()
	if err == nil && s.remote != nil {
		res, err = s.remote.Run(limit, s.Grid.Point(i).Set, id)
	} else if err == nil {
		res, err = runGuarded(limit, job)
	}
	switch {
	case ctx.Err() == nil && limit.Err() != nil && (err != nil || res.Status != result.Complete):
		e.Status, e.Error = string(result.Failed), fmt.Sprintf("killed: it ran for more than %s", s.Timeout)
	case ctx.Err() != nil:
		return Entry{}, nil, nil
	case err != nil:
		e.Status, e.Error = string(result.Failed), err.Error()
	case res.Status != result.Complete:
		e.Status, e.Error = string(res.Status), res.Reason
	default:
		e.Result, err = json.Marshal(res.Metrics)
		return e, res.Metrics, err
	}
	return e, nil, nil
}

// runGuarded turns a panic of a model into the failure of its point.
func runGuarded(ctx context.Context, job Job) (res *result.Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal error: %v\n%s", p, debug.Stack())
		}
	}()
	res, err = job.Run(ctx)
	if err == nil && res == nil {
		err = errors.New("the run returned no result")
	}
	return res, err
}
