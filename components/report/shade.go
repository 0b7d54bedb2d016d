package report

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
)

// A shade is the colour of a cause, the same in every figure. The colours stay
// apart for readers who see few of them, on white and on black (Okabe and Ito,
// Color Universal Design, 2008; grey for what is neither work nor memory).
type shade struct {
	cause string
	rgb   color.RGBA
}

// The parts of compute are blues, the lighter the less is done.
var shadesOf = []shade{
	{"useful_cycles", color.RGBA{0x00, 0x72, 0xb2, 255}},
	{"vector_cycles", color.RGBA{0x00, 0x3f, 0x63, 255}},
	{"mapping_loss_cycles", color.RGBA{0xc3, 0xdc, 0xee, 255}},
	{"fill_cycles", color.RGBA{0x4f, 0x9f, 0xd0, 255}},
	{"drain_cycles", color.RGBA{0x8a, 0xbf, 0xe2, 255}},
	{"compute_cycles", color.RGBA{0x00, 0x72, 0xb2, 255}},
	{"stall_wait_ifmap_cycles", color.RGBA{0xe6, 0x9f, 0x00, 255}},
	{"stall_wait_filter_cycles", color.RGBA{0xd5, 0x5e, 0x00, 255}},
	{"stall_memory_cycles", color.RGBA{0xd5, 0x5e, 0x00, 255}},
	{"stall_wait_ofmap_cycles", color.RGBA{0xcc, 0x79, 0xa7, 255}},
	{"stall_store_cycles", color.RGBA{0x00, 0x9e, 0x73, 255}},
	{"stall_dependency_cycles", color.RGBA{0x8c, 0x8c, 0x8c, 255}},
	{"stall_overhead_cycles", color.RGBA{0x56, 0xb4, 0xe9, 255}},
	{"idle_cycles", color.RGBA{0xbb, 0xbb, 0xbb, 255}},
}

// other is the colour of a cause that is not in the list.
var other = color.RGBA{0xf0, 0xe4, 0x42, 255}

// shadeOf is the place of a cause in the list, behind all for others.
func shadeOf(column string) int {
	i := slices.IndexFunc(shadesOf, func(s shade) bool { return s.cause == column })
	if i < 0 {
		return len(shadesOf)
	}
	return i
}

func colorOf(column string) color.RGBA {
	if i := shadeOf(column); i < len(shadesOf) {
		return shadesOf[i].rgb
	}
	return other
}

// hex prints a colour for style sheets.
func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// causeName is a stall column's cause in words: "wait filter".
func causeName(column string) string {
	s := strings.TrimSuffix(strings.TrimPrefix(column, stallPrefix), "_cycles")
	return strings.ReplaceAll(s, "_", " ")
}
