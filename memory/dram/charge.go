package dram

import (
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/dram/power"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// Charge implements memory.Charged: it counts requests, bytes and the energy of bursts. Energies
// of rows and background are left out, since they do not follow from bytes.
func (c *Comp) Charge(t memory.Traffic) {
	n := &c.count
	n.Traffic = n.Since(n.unsent)
	n.Add(t)
	n.unsent = t
}

// sent is what came to the port.
func (c *counters) sent() memory.Traffic { return c.Since(c.unsent) }

// energyOfBytes is the energy of the bursts of what was not sent: whole bursts, as long ones are.
func (c *Comp) energyOfBytes() (e power.Energies, ok bool) {
	burst, t := uint64(c.cfg.Grade.Organisation.Burst()), c.count.unsent
	var n Counters
	n.Commands[standard.RD] = (t.ReadBytes + burst - 1) / burst
	n.Commands[standard.WR] = (t.WriteBytes + burst - 1) / burst
	e, ok = n.Energy(c.cfg.Grade, 0)
	if t != (memory.Traffic{}) && c.count.sent() == (memory.Traffic{}) { // nothing is known of rows
		e.Activate, e.Refresh, e.Background = math.NaN(), math.NaN(), math.NaN()
	}
	return e, ok
}

// chargedWithout returns the parts of energy that a charge leaves out; "" without a charge.
func (c *Comp) chargedWithout() string {
	if c.count.unsent == (memory.Traffic{}) {
		return ""
	}
	return fmt.Sprintf("%s counts %d bytes that cores of fidelity analytic reckon with, and the energy of their bursts. Without requests it is not known which rows open and when the chips rest: that energy is left out.", c.Name(), c.count.unsent.ReadBytes+c.count.unsent.WriteBytes)
}
