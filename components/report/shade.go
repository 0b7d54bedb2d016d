package report

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/causeway-sim/causeway/components/stats"
)

// shadeOf is the place of a cause in the order of stacks, after all for unknown ones.
func shadeOf(column string) int { return stats.CauseIndex(column) }

// colorOf is the colour of a cause, the same in every figure.
func colorOf(column string) color.RGBA {
	if i := shadeOf(column); i < len(stats.Causes) {
		return stats.Causes[i].Color
	}
	return stats.OtherCause
}

// hex prints a colour for style sheets.
func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// causeName is a stall column's cause in words: "wait filter".
func causeName(column string) string {
	s := strings.TrimSuffix(strings.TrimPrefix(column, stats.StallPrefix), "_cycles")
	return strings.ReplaceAll(s, "_", " ")
}
