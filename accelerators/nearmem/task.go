package nearmem

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/nearmem/offload"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/task"
)

// Tasks implements task.Reporter: a launch with all that belongs to it, steps where it
// leaves the host, begins on the device and loads its results, and the tasks that units of
// both sides compute for it, with their ends.
func (c *Comp) Tasks() *task.Source { return &c.m.tasks }

func (m *machine) instant() sim.VTimeInSec { return instant.Of(fine, m.now) }

func (m *machine) beginKernel(f *offload.Phase) {
	if m.tasks.On() {
		m.kernel = m.tasks.Begin(m.instant(), task.Kernel, m.tasks.What(f.Name), 0, uint64(f.Tasks)*f.Result)
	}
}

// passed reports a step of the launch.
func (m *machine) passed(what string) {
	if m.tasks.On() {
		m.tasks.Step(m.instant(), m.kernel, m.tasks.What(what))
	}
}

// computes reports a task of a unit that begins now.
func (m *machine) computes(side string, end uint64) {
	if m.tasks.On() {
		id := m.tasks.Begin(m.instant(), task.Compute, m.tasks.What(side), m.kernel, 0)
		m.tasks.End(instant.Of(fine, end), id)
	}
}
