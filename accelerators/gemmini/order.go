package gemmini

import (
	"fmt"
	"strings"
)

// The dimensions of a tiling, in the order of the library: batch, rows and columns of output,
// filters, rows and columns of the kernel, channels.
const (
	dimN = iota
	dimQ
	dimP
	dimK
	dimS
	dimR
	dimC
	dims
)

const dimNames = "NQPKSRC"

// A Tiling is sizes of a tile and the order of the loops over tiles.
type Tiling struct {
	Tile [dims]int
	// Order is the loops over tiles, the outermost first.
	Order [dims]int
}

// ownOrder is the library's own order, the outermost first.
var ownOrder = [dims]int{dimN, dimQ, dimP, dimK, dimS, dimR, dimC}

// walk calls yield with the start of every tile, in order; it ends when yield returns false.
func (t *Tiling) walk(size [dims]int, yield func(at [dims]int) bool) {
	var at [dims]int
	for {
		if !yield(at) {
			return
		}
		i := dims - 1
		for ; i >= 0; i-- {
			d := t.Order[i]
			at[d] += t.Tile[d]
			if at[d] < size[d] {
				break
			}
			at[d] = 0
		}
		if i < 0 {
			return
		}
	}
}

// String is the sizes of a tile, such as "1 22 23 16 3 3 64".
func (t *Tiling) String() string { return strings.Trim(fmt.Sprint(t.Tile), "[]") }
