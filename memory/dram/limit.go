package dram

import (
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// A limit is a timing of a standard that keeps commands back, under the hold that it is a part
// of. Constraints of one name and hold are one limit.
type limit struct {
	hold hold
	name string // tRCD, tCCD_L, tWR + tRP
}

// maxLimits is the most limits of a grade; the first is none.
const maxLimits = 32

// limit is the number of the limit that a constraint is between two commands.
func (t *timing) limit(c *standard.Constraint, prev, next standard.Command) uint8 {
	l := limit{t.holdOf(c, prev, next), t.limitName(c, prev, next)}
	i := slices.Index(t.names, l)
	if i < 0 {
		i = len(t.names)
		t.names = append(t.names, l)
	}
	return uint8(i)
}

// holdOf is what a constraint between two commands counts as.
func (t *timing) holdOf(c *standard.Constraint, prev, next standard.Command) hold {
	switch {
	case prev.IsState():
		return waking
	case t.scope[next] != standard.OneBank || t.scope[prev] != standard.OneBank || next == standard.REFB || prev == standard.REFB || next == standard.RFMB || prev == standard.RFMB:
		return refreshing
	case next.IsColumn() && prev == standard.ACT:
		return activating
	case next.IsColumn() && (prev == standard.WR || prev == standard.WRA) != (next == standard.WR || next == standard.WRA):
		return turning
	case next.IsColumn():
		return transfer
	case next == standard.ACT && c.Level == standard.BankLevel:
		return precharge
	case next == standard.ACT:
		return spacing
	}
	return keeping
}

// limitName is what a constraint is called: by the timings of its formula that are more than
// the way of the data.
func (t *timing) limitName(c *standard.Constraint, prev, next standard.Command) string {
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
	case t.holdOf(c, prev, next) == turning && (prev == standard.RD || prev == standard.RDA) && c.Level != standard.OtherRanks:
		return "tRTW"
	case len(out) == 0:
		return dataBus
	}
	return strings.Join(out, " + ")
}

// dataBus is the limit of the data pins.
const dataBus = "data_bus"

// by is the number of the limit that keeps a command from a bank longest; 0 where it is the
// command bus.
func (t *timing) by(c standard.Command, bank int) (limit uint8) {
	p := &t.banks[bank&(maxBanks-1)]
	at := t.free[t.bus[c&(maxCommands-1)]&1]
	for l := standard.ChannelLevel; l <= standard.BankLevel; l++ {
		r, n := row(l, c), p[l]&(maxBanks-1)
		if t.next[r][n] > at {
			at, limit = t.next[r][n], t.why[r][n]
		}
	}
	return limit
}
