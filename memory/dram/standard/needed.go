package standard

import (
	"fmt"
	"slices"
)

// needed are the pairs of commands that every DRAM keeps apart, at the widest at a level.
var needed = []struct {
	prev, next Command
	level      Level
	window     int
}{
	{ACT, ACT, BankLevel, 1}, {ACT, ACT, RankLevel, 4},
	{ACT, PRE, BankLevel, 1}, {PRE, ACT, BankLevel, 1},
	{ACT, RD, BankLevel, 1}, {ACT, WR, BankLevel, 1},
	{RD, PRE, BankLevel, 1}, {WR, PRE, BankLevel, 1},
	{RDA, ACT, BankLevel, 1}, {WRA, ACT, BankLevel, 1},
	{RD, RD, RankLevel, 1}, {WR, WR, RankLevel, 1},
	{RD, WR, RankLevel, 1}, {WR, RD, RankLevel, 1},
	{REF, ACT, RankLevel, 1}, {PREA, REF, RankLevel, 1},
}

// Missing lists constraints that every DRAM has and the grade has not.
func (g *Grade) Missing() (out []string) {
	for _, w := range needed {
		if !slices.ContainsFunc(g.Constraints, func(c Constraint) bool {
			return c.Level <= w.level && c.Window == w.window && slices.Contains(c.Prev, w.prev) && slices.Contains(c.Next, w.next)
		}) {
			out = append(out, fmt.Sprintf("no constraint of %s between %s and %s, window %d", w.level, w.prev, w.next, w.window))
		}
	}
	return out
}
