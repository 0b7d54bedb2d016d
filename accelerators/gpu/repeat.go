package gpu

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/work"
)

// A repeated is what a GPU knows of the periods of its program, some of which it need not
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
func (t *Tile) Repeat(p *work.Periods, m int, of []int32) error {
	if len(t.known) != 1 {
		return fmt.Errorf("%s has %d workloads: those that repeat are one workload", t.Name(), len(t.known))
	}
	t.repeats = &repeated{periods: p, first: m == 0, of: of}
	return nil
}

// busy reports whether the next operator belongs to the period under way.
func (t *Tile) busy() bool {
	i := t.ops.First()
	return i != nil && t.repeats.of[t.known[i.Share].Program.Jobs[i.Job].Op] == t.repeats.now
}

// border ends the period under way if its last operator has ended in this cycle.
func (t *Tile) border(cycle uint64) {
	if r := t.repeats; r != nil && !t.busy() {
		r.held = true
		r.periods.Arrived(cycle)
	}
}

// Resume implements work.Repeater: operators of periods that are left out have the rows of the
// last one.
func (t *Tile) Resume(r work.Resumption) (busy bool) {
	p := t.repeats
	was := t.rows[p.rows:len(t.rows):len(t.rows)]
	for n := range r.Skipped {
		for i := 0; i < len(was); {
			x, _ := t.ops.Next()
			s := t.known[x.Share]
			for _, op := range s.Program.Jobs[x.Job].All() {
				l := was[i]
				l.name, l.start = s.Graph.Ops[op].Name, l.start+uint64(n+1)*r.Took
				t.rows = append(t.rows, l)
				i++
			}
		}
	}
	t.host.Skip(uint64(r.Skipped) * r.Took)
	p.now, p.rows, p.held, p.from = r.Next, len(t.rows), false, r.At
	if !t.busy() {
		p.held = true
		return false
	}
	t.ticker.WakeAt(r.At)
	return true
}

// Assumptions implements system.Assumer.
func (t *Tile) Assumptions() []string {
	out := []string{t.launches(t.Name())}
	if n := t.sum.fused; n > 0 {
		out = append(out, fusedOperators(t.Name(), n))
	}
	if t.priced() {
		out = append(out, t.energyAssumption())
	}
	if r := t.repeats; r != nil && r.first {
		out = append(out, r.periods.Assumption())
	}
	return out
}
