package streamed

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/work"
)

// A repeated is what a node knows of the periods of its program, some of which it need not
// carry out (simulation.repeat: sampled).
type repeated struct {
	periods *work.Periods
	first   bool    // states the assumption
	of      []int32 // period of each operator
	now     int32   // under way
	rows    int     // before it
	held    bool    // until Resume
	from    uint64  // cycle from which on the next kernel may begin
}

// Repeat implements work.Repeater.
func (x *Executor[L]) Repeat(p *work.Periods, m int, of []int32) error {
	if len(x.known) != 1 {
		return fmt.Errorf("%s has %d workloads: those that repeat are one workload", x.Name(), len(x.known))
	}
	x.repeats = &repeated{periods: p, first: m == 0, of: of}
	return nil
}

// busy reports whether the next operator belongs to the period under way.
func (x *Executor[L]) busy() bool {
	i := x.ops.First()
	return i != nil && x.repeats.of[x.known[i.Share].Program.Jobs[i.Job].Op] == x.repeats.now
}

// border ends the period under way if its last operator has ended in this cycle.
func (x *Executor[L]) border(cycle uint64) {
	if r := x.repeats; r != nil && !x.busy() {
		r.held = true
		r.periods.Arrived(cycle)
	}
}

// Resume implements work.Repeater: operators of periods that are left out have the rows of the
// last one.
func (x *Executor[L]) Resume(r work.Resumption) (busy bool) {
	p := x.repeats
	was := x.rows[p.rows:len(x.rows):len(x.rows)]
	for n := range r.Skipped {
		for i := 0; i < len(was); {
			j, _ := x.ops.Next()
			s := x.known[j.Share]
			for _, op := range s.Program.Jobs[j.Job].All() {
				x.rows = append(x.rows, x.model.Again(was[i], s.Graph.Ops[op].Name, uint64(n+1)*r.Took))
				i++
			}
		}
	}
	if x.model.Skip != nil {
		x.model.Skip(uint64(r.Skipped) * r.Took)
	}
	p.now, p.rows, p.held, p.from = r.Next, len(x.rows), false, r.At
	if !x.busy() {
		p.held = true
		return false
	}
	x.ticker.WakeAt(r.At)
	return true
}

// Sampled states the assumption of what was left out; "" where nothing was, or another node states it.
func (x *Executor[L]) Sampled() string {
	if r := x.repeats; r != nil && r.first {
		return r.periods.Assumption()
	}
	return ""
}
