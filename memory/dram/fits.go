package dram

import (
	"fmt"
	"slices"
)

// fits refuses timings that leave no time for requests. Refreshes come first, so a
// device whose refreshes last as long as their interval never serves a request, and
// a row cycle must fit between two of them. Where banks are refreshed by turns the
// others serve meanwhile; then a refresh must not keep its rank from the next one, or
// from opening rows, until another falls due, and each bank needs its own row cycle
// between two turns.
func (c Config) fits() error {
	t := c.Grade.Timing
	var refresh, interval string
	least, turns := int64(0), 1
	o := c.Grade.Organisation
	switch c.Refresh {
	case NoRefresh:
		return nil
	case AllBank:
		refresh, interval = "RFC", "REFI"
	case SameBank:
		refresh, interval, turns = "RFC_S", "REFI_S", o.Banks
		least = max(c.Grade.apart(REFS, REFS), c.Grade.apart(REFS, ACT))
	case PerBank:
		refresh, interval, turns = "RFC_B", "REFI_B", o.Groups*o.Banks
		least = max(c.Grade.apart(REFB, REFB), c.Grade.apart(REFB, ACT))
	}
	every := int64(t[interval])
	if least >= every {
		return fmt.Errorf("a refresh keeps its rank from the next one, or from opening rows, for %d clocks and falls due every %d (t%s): no request would ever be served", least, every, interval)
	}
	row, cycle := c.Grade.rowCycle()
	if busy := int64(t[refresh]) + row; busy > every*int64(turns) {
		return fmt.Errorf("t%s of %d clocks and a row cycle of %d (%s) do not fit between two refreshes of a bank, %d clocks (t%s%s): no request would ever be served",
			refresh, t[refresh], row, cycle, every*int64(turns), interval, times(turns))
	}
	return nil
}

func times(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" of %d turns", n)
}

// apart is how many clocks lie at least between two commands to a rank.
func (g *Grade) apart(first, then Command) int64 {
	most := 0
	for _, x := range g.Constraints {
		if x.Window <= 1 && x.Level <= RankLevel && slices.Contains(x.Prev, first) && slices.Contains(x.Next, then) {
			most = max(most, x.Clocks)
		}
	}
	return int64(most)
}

// rowCycle is how long one access keeps a bank: a row is opened, read or written, and
// closed again. The words say which of its timings decide.
func (g *Grade) rowCycle() (clocks int64, words string) {
	t := g.Timing
	pre := max(t["RP"], t["RPA"])
	for _, x := range []struct {
		clocks int
		words  string
	}{
		{t["RC"], "tRC"},
		{t["RAS"] + pre, "tRAS + tRP"},
		{max(t["RCD"], t["RCDRD"]) + t["RTP"] + pre, "tRCD + tRTP + tRP"},
		{max(t["RCD"], t["RCDWR"]) + t["CWL"] + t["BL"] + t["WR"] + pre, "tRCD + tCWL + tBL + tWR + tRP"},
	} {
		if int64(x.clocks) > clocks {
			clocks, words = int64(x.clocks), x.words
		}
	}
	return clocks, words
}
