package dram

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// The data clock of LPDDR5 (WCK) either runs all the time or is synchronised to the command
// clock for accesses. For that a CAS command goes out in the slot before a read or write of
// a rank whose data clock stands still; the preamble of the data clock lies within the
// latency of the access (tWCKENL + tWCKPRE_Static + tWCKPRE_Toggle = RL + 1, or WL + 1,
// from the CAS on). It stops when the data of the last access have passed: Grade.Hold.
//
// Reference: JESD209-5B, WCK2CK synchronization; MR18 OP[4], WCK always on.

// A WCK says when the data clock runs.
type WCK uint8

// The modes of the data clock.
const (
	AlwaysOn WCK = iota
	OnAccess
)

var wckNames = []string{"always_on", "on_access"}

func (w WCK) String() string { return wckNames[w] }

// Synced is the grade with a data clock that runs for accesses only.
func (g *Grade) Synced() (*Grade, error) {
	if g.Hold == ([2]int{}) {
		var have []string
		for _, b := range standards {
			for _, o := range b.grades() {
				if o.Hold != ([2]int{}) {
					have = append(have, o.Name)
				}
			}
		}
		slices.Sort(have)
		return nil, fmt.Errorf("%s has no data clock of its own (used by: %s)", g.Name, strings.Join(have, ", "))
	}
	out := *g
	out.WCK = OnAccess
	out.Slots[CAS] = 1
	return &out, nil
}

// hold evaluates how long the data clock runs after an access.
func (g *Grade) hold() error {
	for i, cmd := range []string{"RD", "WR"} {
		text, ok := g.sync[cmd]
		if !ok {
			continue
		}
		var err error
		if g.Hold[i], err = formula(text, g.Timing); err != nil {
			return fmt.Errorf("sync: %s: %w", cmd, err)
		}
	}
	return nil
}

// isColumn reports whether a command moves data.
func isColumn(c Command) bool { return c >= RD && c <= WRA }

// start is the clock of the first command of a column access that could go to a rank at
// clock at: of a CAS, in the clock before, where the data clock does not run then.
func (c *Controller) start(r *rank, at int64) int64 {
	if at <= r.synced {
		return at
	}
	return max(at-1, c.now, c.timing.free[c.timing.bus[RD]], r.synced+1)
}

// scanStarts is scan for column commands that may need a CAS.
func (c *Controller) scanStarts(cmd Command, set uint64, seqs *[maxBanks]uint64, l *least) {
	for m := set; m != 0; m &= m - 1 {
		i := lowest(m)
		at := c.start(&c.ranks[c.banks[i].rank], max(c.timing.ready(cmd, i), c.now))
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
	c.Count.Commands[CAS]++
	if c.Trace != nil {
		c.Trace(ch.at, CAS, int(ch.bank), 0, 0)
	}
	c.timing.free[c.timing.bus[RD]] = ch.at + 1
	ch.at++
	r.synced = ch.at
	c.chosen, c.pledged = true, true
}
