package dram

import (
	"fmt"

	"github.com/causeway-sim/causeway/memory/dram/standard"
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
		least = max(c.Grade.Apart(standard.REFS, standard.REFS), c.Grade.Apart(standard.REFS, standard.ACT))
	case PerBank:
		refresh, interval, turns = "RFC_B", "REFI_B", o.Groups*o.Banks
		least = max(c.Grade.Apart(standard.REFB, standard.REFB), c.Grade.Apart(standard.REFB, standard.ACT))
	}
	every := int64(t[interval])
	if least >= every {
		return fmt.Errorf("a refresh keeps its rank from the next one, or from opening rows, for %d clocks and falls due every %d (t%s): no request would ever be served", least, every, interval)
	}
	row, cycle := c.Grade.RowCycle()
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
