package explain

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/system"
)

// helps is the ratio from which on a change counts as help.
const helps = 1.01

// sentence says in words which change helps most, and how far the next one is.
func (e *Explanation) sentence() string {
	if len(e.Levers) == 0 {
		return "No setting could be changed."
	}
	best := e.Levers[0]
	if best.Ratio < helps {
		return fmt.Sprintf("Nothing that was tried helps; the best is %s with %.2fx.", best.Name, best.Ratio)
	}
	s := fmt.Sprintf("%s improves the %s %.2fx", best.of.change(), e.Base.Label, best.Ratio)
	if e.Base.Metric == system.TotalTime {
		s = fmt.Sprintf("%s makes it %.2fx as fast", best.of.change(), best.Ratio)
	}
	if best.Work > 0 {
		s += " for the same work"
	}
	if len(e.Levers) == 1 {
		return s + "."
	}
	switch second := e.Levers[1]; {
	case second.Ratio < helps:
		return s + "; nothing else that was tried helps."
	case second.Ratio-1 > (best.Ratio-1)/2:
		return s + fmt.Sprintf("; %s comes next with %.2fx.", second.Name, second.Ratio)
	default:
		return s + fmt.Sprintf("; nothing else helps more than %.2fx.", second.Ratio)
	}
}
