package player

import (
	"github.com/causeway-sim/causeway/components/clock/instant"
)

// Waits implements block.Guest.
func (c *Comp) Waits(answers int) bool {
	return c.patient && !c.tasks.On() && answers <= portBuffer/2
}

// Act implements block.Guest: Handle without messages.
func (c *Comp) Act(cycle uint64) error {
	now := instant.Of(fine, cycle)
	for a, ok := c.desk.Answered(cycle); ok; a, ok = c.desk.Answered(cycle) {
		if err := c.answered(c.calls.Over(a.Tag), c.inTarget(a.At), now); err != nil {
			return err
		}
	}
	return c.turn(cycle, now)
}

// inTarget is the cycle of the memory's clock at the beginning of one of fine.
func (c *Comp) inTarget(cycle uint64) uint64 {
	if c.target.Clock() == fine {
		return cycle
	}
	return c.target.AtOrBefore(instant.Of(fine, cycle))
}
