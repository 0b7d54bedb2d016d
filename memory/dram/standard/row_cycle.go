package standard

import "slices"

// Apart returns the least clocks between two commands to a rank.
func (g *Grade) Apart(first, then Command) int64 {
	most := 0
	for _, x := range g.Constraints {
		if x.Window <= 1 && x.Level <= RankLevel && slices.Contains(x.Prev, first) && slices.Contains(x.Next, then) {
			most = max(most, x.Clocks)
		}
	}
	return int64(most)
}

// RowCycle returns the clocks for which one access occupies a bank: activation, access,
// precharge. words names the timings that decide.
func (g *Grade) RowCycle() (clocks int64, words string) {
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
