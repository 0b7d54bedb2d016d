package systolic

import (
	"fmt"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/systolic/burst"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
)

// A Tile is a systolic core of fidelity tile: every burst is a request to the
// memory below the port, and time passes as the answers come.
//
// In one cycle the core takes in answers, then ends and starts computing, then
// issues at most one burst.
type Tile struct {
	*core
	slots *slots
	queue queue
	cut   burst.Cutter

	bursts transfers
	loads  readTimes

	// the job under way
	layer     *layer
	ahead     moved   // bytes fetched for the next job
	finished  int     // steps computed
	computing bool    // step number finished is being computed ...
	until     uint64  // ... and ends here
	computed  uint64  // when the last step ended
	stored    task.ID // burst of the last store that was answered

	// the burst that waits to be issued
	armed   bool
	next    burst.Burst
	current *dma.Transfer
	store   bool
	issued  uint64 // cycle after the last issue
	active  int64  // bursts sent and steps computed
}

// New makes a core of fidelity tile. The Spec has been checked.
func New(name string, e sim.Engine, s Spec) *Tile {
	t := &Tile{}
	t.core = newCore(name, e, s, t, t)
	t.bursts = t.transfers()
	return t
}

// SetMap implements system.Requester.
func (t *Tile) SetMap(port string, m *memory.Map) error {
	err := t.core.SetMap(port, m)
	t.cut = burst.Cutter{Routes: t.routes, Align: uint64(t.spec.DMA.Burst)}
	t.slots = newSlots(t.depth(), t.mem, t.element)
	t.loads = make(readTimes, len(m.Ranges()))
	return err
}

// Handle implements sim.Handler.
func (t *Tile) Handle(e sim.Event) error {
	now := e.Time()
	cycle := t.ticker.Cycle(now)
	if err := t.ops.Receive(now, cycle); err != nil {
		return err
	}
	if err := t.receive(now, cycle); err != nil {
		return err
	}
	for t.at < len(t.jobs) || t.draw(cycle) {
		if !t.running && !t.enter(cycle) {
			break
		}
		t.compute(cycle)
		if !t.queue.done() || t.armed || t.finished < t.queue.loaded || t.slots.inFlight() > t.queue.fetching() {
			break
		}
		t.layer.book[storing] += cycle - t.computed
		t.explain(storing, t.computed, cycle, t.stored)
		t.end(cycle)
	}
	t.issue(now, cycle)
	t.ops.Send(now, cycle)
	return nil
}

// enter begins the next job if nothing holds it up.
func (t *Tile) enter(cycle uint64) bool {
	if open := t.open(); open > cycle {
		t.ticker.WakeAt(open)
		return false
	}
	from, ok := t.cleared()
	if !ok {
		return false
	}
	if from > cycle {
		t.ticker.WakeAt(from)
		return false
	}
	t.layer = t.begin(cycle)
	t.queue.open(t.layer.steps(), t.layer.job.share.roles, t.lookahead())
	for b, n := range t.ahead {
		t.layer.read[b] += n
	}
	t.ahead = moved{}
	t.finished, t.computing, t.computed = 0, false, cycle
	return true
}

// receive takes in all answers that are here.
func (t *Tile) receive(now sim.VTimeInSec, cycle uint64) error {
	for {
		var id string
		switch m := t.mem.Retrieve(now).(type) {
		case nil:
			return nil
		case *mem.DataReadyRsp:
			id = m.RespondTo
		case *mem.WriteDoneRsp:
			id = m.RespondTo
		case *memory.ErrorRsp:
			return fmt.Errorf("%s: request %s failed: %s", t.Name(), m.RespondTo, m.Code)
		default:
			return fmt.Errorf("%s got a %T at its memory port", t.Name(), m)
		}
		s, err := t.slots.answered(id)
		if err != nil {
			return fmt.Errorf("%s got %w", t.Name(), err)
		}
		t.tasks.End(now, s.task)
		if t.moved != nil {
			t.moved.Pass(float64(s.bytes()), t.clock.Nanoseconds(cycle))
		}
		if !s.store {
			t.loads.note(s, cycle)
			g := &t.queue.stage[s.step]
			g.pending--
			g.ready[s.buf], g.last[s.buf] = cycle, s.task
		} else {
			t.stored = s.task
		}
	}
}

// compute ends the step under way if its time has come, and starts the next one
// if it is all there; steps without cycles pass at once.
func (t *Tile) compute(cycle uint64) {
	for {
		t.arm()
		if t.computing {
			if cycle < t.until {
				return
			}
			t.computing = false
			t.computed = cycle
			t.endStep(t.queue.of(t.finished), cycle)
			t.finished++
			t.active++
			continue
		}
		i := t.finished
		if i >= t.queue.loaded || !t.queue.passed(i) {
			return
		}
		g := t.queue.of(i)
		if g.pending > 0 {
			return
		}
		t.layer.book.wait(t.computed, cycle, &g.ready)
		t.explainWait(g, cycle)
		t.layer.book[compute] += g.cycles
		t.layer.macs += g.macs
		t.computing, t.until = true, cycle+g.cycles
		if t.did != nil {
			t.did.Add(float64(g.macs), t.clock.Nanoseconds(cycle), t.clock.Nanoseconds(t.until))
		}
		t.beginCompute(g, cycle)
		if g.cycles > 0 {
			t.ticker.WakeAt(t.until)
		}
	}
}

// arm finds the next burst of the queue, as far as compute lets it go.
func (t *Tile) arm() {
	for !t.armed {
		if t.current == nil {
			tr, store := t.queue.head(t.finished)
			if tr == nil {
				return
			}
			t.current, t.store = tr, store
			w := t.layer.job.share
			t.cut.Begin(tr, w.base.of(tr.Tensor), w.over(tr.Tensor))
		}
		if t.next, t.armed = t.cut.Next(); !t.armed {
			t.queue.advance()
			t.current = nil
		}
	}
}

// issue sends one burst if it may, and sees to it that the core wakes when the
// next one may go.
func (t *Tile) issue(now sim.VTimeInSec, cycle uint64) {
	if !t.running || !t.armed || t.slots.inFlight() == len(t.slots.all) {
		return
	}
	if cycle < t.issued {
		t.ticker.WakeAt(t.issued)
		return
	}
	s := t.slots.next()
	buf := t.current.Buffer
	s.store, s.buf, s.begun, s.home = t.store, int8(buf), cycle, t.next.Home
	s.hint.Tensor, s.hint.Kind, s.hint.Reuse, s.hint.About = 0, 0, 0, nil
	id, w := t.current.Tensor, t.layer.job.share
	if id >= 0 {
		s.hint.Tensor, s.hint.Kind = uint32(id)+1, w.roles[id]
		s.hint.Reuse = w.reuse.remainingReuse(id, t.next.Size, t.store)
		s.hint.About = w.Tensors.Of(id)
	}
	var err *sim.SendError
	if t.store {
		m := &s.write
		m.Address, m.Data = t.next.Addr, memory.Zeros(t.next.Size)
		m.Dst, m.SendTime, m.TrafficBytes = t.routes.Targets[t.next.Target].Port, now, int(t.next.Size)
		err = t.mem.Send(m)
	} else {
		m := &s.read
		m.Address, m.AccessByteSize = t.next.Addr, t.next.Size
		m.Dst, m.SendTime, m.TrafficBytes = t.routes.Targets[t.next.Target].Port, now, 0
		err = t.mem.Send(m)
	}
	if err != nil {
		return // NotifyPortFree wakes the core
	}
	t.slots.take()
	t.beginBurst(s, now)
	t.issued = cycle + 1
	t.active++
	if t.queue.beyond() {
		t.ahead[buf] += t.next.Size
	} else {
		t.layer.bytes(id, buf, t.next.Size, t.store)
	}
	if !t.store {
		if id >= 0 {
			w.reuse.left[id] -= int64(t.next.Size)
		}
		s.step = t.queue.slot(t.queue.at)
		t.queue.stage[s.step].pending++
	}
	t.armed = false
	at := t.queue.at
	t.arm()
	// Wake for the next burst, or for a step that only waited for this one.
	if t.armed && t.slots.inFlight() < len(t.slots.all) || t.queue.at != at && !t.computing {
		t.ticker.WakeAt(t.issued)
	}
}

// Waiting implements engine.Waiter.
func (t *Tile) Waiting() []engine.Wait {
	if t.at >= len(t.jobs) {
		return nil
	}
	if !t.running {
		return t.waitsForOthers()
	}
	j := t.layer.job
	why := fmt.Sprintf("layer %s, step %d", j.share.Graph.Ops[j.Op].Name, t.finished)
	if n := t.slots.inFlight(); n > 0 {
		why += fmt.Sprintf(", %d requests without an answer", n)
	}
	return []engine.Wait{{Who: t.Name(), For: t.mem.Name(), Why: why}}
}
