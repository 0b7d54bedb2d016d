package layers

import (
	"fmt"
	"image/color"
	"strings"

	"github.com/causeway-sim/causeway/components/stats"
)

// shadeOf is the place of a cause in the order of stacks, after all for unknown ones.
func shadeOf(column string) int { return stats.CauseIndex(column) }

// ColorOf is the colour of a cause, the same in every figure.
func ColorOf(column string) color.RGBA {
	if i := shadeOf(column); i < len(stats.Causes) {
		return stats.Causes[i].Color
	}
	return stats.OtherCause
}

// Hex is ColorOf as style sheets write it: #rrggbb.
func Hex(column string) string {
	c := ColorOf(column)
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

// CauseName is a stall column's cause in words: "wait filter".
func CauseName(column string) string {
	s := strings.TrimSuffix(strings.TrimPrefix(column, stats.StallPrefix), "_cycles")
	return strings.ReplaceAll(s, "_", " ")
}
