package dram

import (
	"slices"
	"strings"
)

// A limit is a timing of a standard that keeps commands back, under the hold that it is a part
// of. Constraints of one name and hold are one limit.
type limit struct {
	hold hold
	name string // tRCD, tCCD_L, tWR + tRP
}

// maxLimits bounds the limits of a grade; the first stands for none.
const maxLimits = 32

// limit is the number of the limit that a constraint is between two commands.
func (t *timing) limit(c *Constraint, prev, next Command) uint8 {
	l := limit{holdOf(c, prev, next), limitName(c, prev, next)}
	i := slices.Index(t.names, l)
	if i < 0 {
		i = len(t.names)
		t.names = append(t.names, l)
	}
	return uint8(i)
}

// holdOf is what a constraint between two commands counts as.
func holdOf(c *Constraint, prev, next Command) hold {
	switch {
	case scopes[next] != oneBank || scopes[prev] != oneBank || next == REFB || prev == REFB:
		return refreshing
	case isColumn(next) && prev == ACT:
		return activating
	case isColumn(next) && (prev == WR || prev == WRA) != (next == WR || next == WRA):
		return turning
	case isColumn(next):
		return transfer
	case next == ACT && c.Level == BankLevel:
		return precharge
	case next == ACT:
		return spacing
	}
	return keeping
}

// limitName is what a constraint is called: by the timings of its formula that are more than
// the way of the data.
func limitName(c *Constraint, prev, next Command) string {
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
	case holdOf(c, prev, next) == turning && (prev == RD || prev == RDA) && c.Level != OtherRanks:
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
func (t *timing) by(c Command, bank int) (limit uint8) {
	p := &t.banks[bank&(maxBanks-1)]
	at := t.free[t.bus[c&(maxCommands-1)]&1]
	for l := ChannelLevel; l <= BankLevel; l++ {
		r, n := row(l, c), p[l]&(maxBanks-1)
		if t.next[r][n] > at {
			at, limit = t.next[r][n], t.why[r][n]
		}
	}
	return limit
}
