package standard

import (
	"fmt"
	"strings"
)

// Fits returns an error if refreshes leave no time for requests. Refreshes come first, so a
// device whose refreshes last as long as their interval never serves a request, and
// a row cycle must fit between two of them. Where banks are refreshed by turns the
// others serve meanwhile; then a refresh must not keep its rank from the next one, or
// from opening rows, until another falls due, and each bank needs its own row cycle
// between two turns.
func (g *Grade) Fits(refresh Command, turns int) error {
	a := g.Actions[refresh]
	lasts, interval := strings.TrimSuffix(a.Busy.Formula, "?"), strings.TrimSuffix(a.Every.Formula, "?")
	every, least := int64(a.Every.Clocks), int64(0)
	if refresh != REF {
		least = max(g.Apart(refresh, refresh), g.Apart(refresh, ACT))
	}
	if least >= every {
		return fmt.Errorf("a refresh keeps its rank from the next one, or from opening rows, for %d clocks and falls due every %d (t%s): no request would ever be served", least, every, interval)
	}
	row, cycle := g.RowCycle()
	if busy := int64(a.Busy.Clocks) + row; busy > every*int64(turns) {
		return fmt.Errorf("t%s of %d clocks and a row cycle of %d (%s) do not fit between two refreshes of a bank, %d clocks (t%s%s): no request would ever be served",
			lasts, a.Busy.Clocks, row, cycle, every*int64(turns), interval, times(turns))
	}
	return nil
}

func times(n int) string {
	if n == 1 {
		return ""
	}
	return fmt.Sprintf(" of %d turns", n)
}
