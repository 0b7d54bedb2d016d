package dram

import (
	"math"

	"github.com/causeway-sim/causeway/memory/dram/standard"
	"github.com/causeway-sim/causeway/memory/dram/timing"
)

// start is the clock of the first command of a column access that could go to a rank at
// clock at: of a CAS, in the clock before, where the data clock does not run then.
func (c *Controller) start(r *rank, at int64) int64 {
	if at <= r.synced {
		return at
	}
	return max(at-1, c.now, c.timing.BusFree(standard.RD), r.synced+1)
}

// scanStarts is scan for column commands that may need a CAS.
func (c *Controller) scanStarts(cmd standard.Command, set uint64, seqs *[timing.MaxBanks]uint64, l *least) {
	for m := set; m != 0; m &= m - 1 {
		i := lowest(m)
		at := c.start(&c.ranks[c.banks[i].rank], max(c.timing.Ready(cmd, i), c.now))
		age := min(c.seq-seqs[i], math.MaxUint32)
		if k := uint64(at-c.now)<<32 | (math.MaxUint32 - age); k < l.key {
			*l = least{k, cmd, i}
		}
	}
}

// sync issues the CAS of the access that was chosen, which follows in the next clock.
func (c *Controller) sync(ch *choice, r *rank) {
	if ch.class == 2 {
		c.writing = c.turning
	} else {
		c.settle(ch.at)
	}
	c.turns = ch.at + 1
	c.Count.Commands[standard.CAS]++
	if c.Trace != nil {
		c.Trace(ch.at, standard.CAS, int(ch.bank), 0, 0)
	}
	c.timing.TakeBus(standard.RD, ch.at+1)
	ch.at++
	r.synced = ch.at
	c.chosen, c.pledged = true, true
}
