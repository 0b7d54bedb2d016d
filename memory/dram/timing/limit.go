package timing

import (
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// A Limit is a timing of a standard that keeps commands back, under the Hold that it is a part
// of. Constraints of one name and Hold are one Limit.
type Limit struct {
	Hold Hold
	Name string // tRCD, tCCD_L, tWR + tRP
}

// MaxLimits is the most limits of a grade; the first is none.
const MaxLimits = 32

// Limits are the limits of the grade, by their numbers; the first is none.
func (t *Table) Limits() []Limit { return t.names }

// limit is the number of the Limit that a constraint is between two commands.
func (t *Table) limit(c *standard.Constraint, prev, next standard.Command) uint8 {
	l := t.LimitOf(c, prev, next)
	i := slices.Index(t.names, l)
	if i < 0 {
		i = len(t.names)
		t.names = append(t.names, l)
	}
	return uint8(i)
}

// LimitOf is the Limit that a constraint is between two commands.
func (t *Table) LimitOf(c *standard.Constraint, prev, next standard.Command) Limit {
	return Limit{t.holdOf(c, prev, next), t.limitName(c, prev, next)}
}

// holdOf is what a constraint between two commands counts as.
func (t *Table) holdOf(c *standard.Constraint, prev, next standard.Command) Hold {
	switch {
	case prev.IsState():
		return Waking
	case t.scope[next] != standard.OneBank || t.scope[prev] != standard.OneBank || next == standard.REFB || prev == standard.REFB || next == standard.RFMB || prev == standard.RFMB:
		return Refreshing
	case next.IsColumn() && prev == standard.ACT:
		return Activating
	case next.IsColumn() && (prev == standard.WR || prev == standard.WRA) != (next == standard.WR || next == standard.WRA):
		return Turning
	case next.IsColumn():
		return Transfer
	case next == standard.ACT && c.Level == standard.BankLevel:
		return Precharge
	case next == standard.ACT:
		return Spacing
	}
	return Keeping
}

// limitName is what a constraint is called: by the timings of its formula that are more than
// the way of the data.
func (t *Table) limitName(c *standard.Constraint, prev, next standard.Command) string {
	var out []string
	for _, w := range strings.Fields(c.Formula) {
		switch w {
		case "+", "-", "CL", "CWL", "BL", "DQSCK":
			continue
		}
		if w[0] >= '0' && w[0] <= '9' {
			continue
		}
		out = append(out, "t"+w)
	}
	switch {
	case t.holdOf(c, prev, next) == Turning && (prev == standard.RD || prev == standard.RDA) && c.Level != standard.OtherRanks:
		return "tRTW"
	case len(out) == 0:
		return DataBus
	}
	return strings.Join(out, " + ")
}

// DataBus is the limit of the data pins.
const DataBus = "data_bus"
