package player

import (
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/task"
)

// Heard implements block.Guest. In a closed loop of the finest clock an answer lets a request
// be sent in the cycle after the one in which it is seen; nothing else happens before.
func (c *Comp) Heard(cycle uint64, answers int) uint64 {
	switch {
	case c.shown > 0 || c.prompt || c.tasks.Wants(task.Request):
	case c.spec.Mode.Kind == Closed && c.feed.ok && c.pace.Clock() == fine:
		return cycle + 2
	case c.patient && answers <= portBuffer/2:
		return never
	}
	return cycle + 1
}

// Act implements block.Guest: Handle without messages.
func (c *Comp) Act(cycle uint64) error {
	now := instant.Of(fine, cycle)
	c.uncountArrived()
	for a, ok := c.guest.Answered(cycle); ok; a, ok = c.guest.Answered(cycle) {
		if a.At+2 == cycle && c.pace.Clock() == fine {
			c.actAt(cycle - 1) // it was heard, and the driver acts for the cycle in which it was seen
		}
		if err := c.answered(c.calls.Over(a.Tag), c.inTarget(a.At), now); err != nil {
			return err
		}
	}
	return c.turn(cycle, now)
}

// countArrived counts answers that have arrived although the driver acts on them later, for readers of
// counters during a run.
func (c *Comp) countArrived(now float64) {
	c.uncountArrived()
	if c.guest != nil && !math.IsInf(now, 1) {
		c.told = uint64(c.guest.Seen(instant.AtOrBefore(fine, sim.VTimeInSec(now))))
		c.count.answered += c.told
	}
}

// uncountArrived takes that back.
func (c *Comp) uncountArrived() {
	c.count.answered -= c.told
	c.told = 0
}

// inTarget is the cycle of the memory's clock at the beginning of one of fine.
func (c *Comp) inTarget(cycle uint64) uint64 {
	if c.target.Clock() == fine {
		return cycle
	}
	return c.target.AtOrBefore(instant.Of(fine, cycle))
}
