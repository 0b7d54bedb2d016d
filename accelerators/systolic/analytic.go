package systolic

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
)

// An Analytic is a systolic core of fidelity analytic: it sends nothing to the
// memory but computes from the nominal figures in its address map when every
// answer would come, and says at the end what it would have sent. Events are left for the operators of other cores that
// its own come after, and for the end of the run.
//
// Each core computes as if it were the only user of the memory. Contention between cores
// needs fidelity tile.
type Analytic struct {
	*core
	model *recurrence
	stop  func() bool // the run is to end
}

// NewAnalytic makes a core of fidelity analytic. The Spec has been checked.
func NewAnalytic(name string, e sim.Engine, s Spec) *Analytic {
	a := &Analytic{stop: stopper(e)}
	a.core = newCore(name, e, s, a, a)
	a.estimates, a.mostWalked = true, mostWalked
	a.group.Sum(a.sums)
	return a
}

// stopper returns what asks the engine whether it is stopping.
func stopper(e sim.Engine) func() bool {
	if s, ok := e.(engine.Stopper); ok {
		return s.Stopping
	}
	return func() bool { return false }
}

// SetMap implements system.Requester.
func (a *Analytic) SetMap(port string, m *memory.Map) error {
	if err := a.core.SetMap(port, m); err != nil {
		return err
	}
	a.model = newRecurrence(a.routes, a.clock, uint64(a.spec.DMA.Burst), a.depth())
	a.model.of = a.core
	return nil
}

// Handle implements sim.Handler: it computes as many jobs as nothing outside
// can change, and asks to be woken when the last of them ends.
func (a *Analytic) Handle(e sim.Event) error {
	now := e.Time()
	cycle := a.ticker.Cycle(now)
	if err := a.ops.Receive(now, cycle); err != nil {
		return err
	}
	for a.at < len(a.jobs) || a.draw(cycle) {
		came, ok := a.cleared()
		if !ok {
			break
		}
		l := a.begin(max(a.open(), came))
		from := l.start + l.book[dependency]
		if a.long(l.job) {
			end := a.estimate(l, from)
			a.end(end)
			a.reckon(l)
			a.spread(l, from, end)
			continue
		}
		w := &counting{walker: l.steps(), layer: l, stop: a.stop}
		end := a.model.job(w, l.job.share, from, &l.book, a.lookahead())
		if w.stopped {
			a.layers = a.layers[:len(a.layers)-1] // a part of a layer is no result
			a.running = false
			return nil // the engine ends the run
		}
		a.end(end)
	}
	a.ops.Send(now, cycle)
	if a.free > cycle {
		a.ticker.WakeAt(a.free)
	}
	return nil
}

// reckon counts what an estimated layer moves as requests of the burst size. All requests
// of an operand count for the memory that holds its first byte.
func (a *Analytic) reckon(l *layer) {
	op := &l.job.share.Graph.Ops[l.job.Op]
	sum := op.Out[0]
	for b, n := range l.read {
		id := sum
		if b < len(op.In) && b < int(dma.Ofmap) {
			id = op.In[b]
		}
		a.model.reckon(l.job.share.base.of(id), n, false)
	}
	for _, n := range l.written {
		a.model.reckon(l.job.share.base.of(sum), n, true)
	}
}

// sums are what adds up of what it would have sent.
func (a *Analytic) sums() (all []any) {
	if a.model != nil {
		for i := range a.model.lanes {
			all = append(all, &a.model.lanes[i].sent)
		}
	}
	return all
}

// Unsent implements memory.UnsentReporter.
func (a *Analytic) Unsent() (out []memory.Unsent) {
	if a.model == nil {
		return nil
	}
	for i, t := range a.routes.Targets {
		out = append(out, memory.Unsent{Port: t.Port, Traffic: a.model.lanes[i].sent})
	}
	return out
}

// counting books the bytes and the work of every step that passes.
type counting struct {
	walker
	layer   *layer
	steps   uint
	stop    func() bool
	stopped bool // before the last step
}

// stepsPerLook is how many steps are walked between two looks at whether the run is to
// end: some milliseconds.
const stepsPerLook = 1 << 10

func (c *counting) Next(s *dma.Step) bool {
	if c.steps++; c.steps%stepsPerLook == 0 && c.stop() {
		c.stopped = true
		return false
	}
	if !c.walker.Next(s) {
		return false
	}
	c.layer.macs += uint64(s.MACs)
	for i := range s.Loads {
		c.layer.count(&s.Loads[i], false)
	}
	for i := range s.Stores {
		c.layer.count(&s.Stores[i], true)
	}
	return true
}

// Waiting implements engine.Waiter.
func (a *Analytic) Waiting() []engine.Wait {
	if a.at >= len(a.jobs) {
		return nil
	}
	if w := a.waitsForOthers(); w != nil {
		return w
	}
	return []engine.Wait{{Who: a.Name(), For: a.Name(), Why: fmt.Sprintf("job %d has not begun", a.at)}}
}
