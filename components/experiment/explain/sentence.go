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
	best, rest := e.Levers[0], e.Levers[1:]
	with := ""
	if t := e.Together; t != nil {
		if best.Ratio >= helps && best.Name == t.of.parts[0].name() {
			with = fmt.Sprintf(", together with %s %.2fx", inWords(t.of.parts[1:]), t.Ratio)
		} else {
			best, rest = *t, e.Levers
		}
	}
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
	s += with
	if len(rest) == 0 {
		return s + "."
	}
	switch second := rest[0]; {
	case second.Ratio < helps:
		return s + "; nothing else that was tried helps."
	case second.Ratio-1 > (best.Ratio-1)/2:
		return s + fmt.Sprintf("; %s comes next with %.2fx.", second.Name, second.Ratio)
	case len(e.Untried) > 0:
		return s + fmt.Sprintf("; nothing else that was tried helps more than %.2fx.", second.Ratio)
	default:
		return s + fmt.Sprintf("; nothing else helps more than %.2fx.", second.Ratio)
	}
}
