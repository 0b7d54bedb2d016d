package gemmini

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseMapping reads a mapping as Timeloop prints it on one line: levels from the memory to the
// registers of weights, each with the tensors it keeps and its loops, the outermost first:
//
//	L3[WIO] Q14 P2 - L2[WI] N1 K16X - L1[O] K4 S3 R3 C4 P2 C16X - L0[W] Q2 P14
//
// X and Y mark a dimension of the array. The loops of the level of the memory are the order of the tiles; the
// product of all the others is the size of a tile. What a tile does inside is up to the
// hardware, so the order of inner loops has no effect.
func ParseMapping(text string) (Tiling, error) {
	t := Tiling{Tile: [dims]int{1, 1, 1, 1, 1, 1, 1}}
	levels := strings.Split(text, " - ")
	if len(levels) < 2 {
		return t, fmt.Errorf("mapping %q has one level (want levels from the memory to the registers, such as \"L3[WIO] K4 - L2[WI] K16X - L1[O] C48 P16 C16X - L0[W] P8\")", text)
	}
	var outer []int
	for l, level := range levels {
		words := strings.Fields(level)
		if len(words) == 0 || !strings.Contains(words[0], "[") || !strings.HasSuffix(words[0], "]") {
			return t, fmt.Errorf("mapping level %q has no name with tensors (want such as L1[O])", strings.TrimSpace(level))
		}
		for _, w := range words[1:] {
			d, n, spatial, err := parseLoop(w)
			if err != nil {
				return t, fmt.Errorf("mapping level %s: %w", words[0], err)
			}
			switch {
			case l > 0:
				t.Tile[d] *= n
			case spatial:
				return t, fmt.Errorf("mapping level %s: %s is on the array (the outermost level is the memory)", words[0], w)
			default:
				outer = append(outer, d)
			}
		}
	}
	t.Order = orderOf(outer)
	return t, nil
}

// parseLoop reads such as C48 or K16X.
func parseLoop(w string) (dim, n int, spatial bool, err error) {
	text := strings.TrimRight(w, "XY")
	spatial = text != w
	dim = strings.IndexByte(dimNames, w[0])
	if n, err = strconv.Atoi(text[min(1, len(text)):]); err != nil || dim < 0 || n < 1 {
		return 0, 0, false, fmt.Errorf("%q is no loop (want one of %s and a positive number, with X or Y on the array)", w, strings.Join(strings.Split(dimNames, ""), ", "))
	}
	return dim, n, spatial, nil
}

// orderOf is the loops over tiles of which only some are named: those that are not have one
// trip, and stand outside in the library's own order.
func orderOf(named []int) [dims]int {
	var order [dims]int
	seen := map[int]bool{}
	at := dims - 1
	put := func(d int) {
		if !seen[d] {
			seen[d] = true
			order[at] = d
			at--
		}
	}
	for i := len(named) - 1; i >= 0; i-- {
		put(named[i])
	}
	for i := len(ownOrder) - 1; i >= 0; i-- {
		put(ownOrder[i])
	}
	return order
}
