package standard

import (
	"fmt"
	"slices"
	"strings"
)

// The data clock of LPDDR5 (WCK) either runs all the time or is synchronised to the command clock
// for accesses. For that a CAS command is issued in the slot before a read or write of a rank
// whose data clock is stopped; the preamble of the data clock lies within the latency of the
// access (tWCKENL + tWCKPRE_Static + tWCKPRE_Toggle = RL + 1, or WL + 1, from the CAS on). It
// stops when the data of the last access have passed: Grade.Hold.
//
// Reference: JESD209-5B, WCK2CK synchronization; MR18 OP[4], WCK always on.

// A WCK is when the data clock runs.
type WCK uint8

// The modes of the data clock.
const (
	AlwaysOn WCK = iota
	OnAccess
)

var WCKNames = []string{"always_on", "on_access"}

func (w WCK) String() string { return WCKNames[w] }

// Synced returns the grade with a data clock that runs for accesses only. The error is a grade
// without such a clock.
func (g *Grade) Synced() (*Grade, error) {
	if g.Hold == ([2]int{}) {
		var have []string
		for _, b := range standards() {
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
