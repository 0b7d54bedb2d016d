package machine

import "github.com/causeway-sim/causeway/components/integer"

// The GEMV path is a second way of weights into the array. On the first way a tile of
// weights is shifted in from the edge while the array waits: 128 cycles for 128 rows. On the
// GEMV path several rows of weights enter in one cycle, each over a bus of its own, into a
// second set of weight registers while the first set works, and tiles follow each other in
// the wavefront: weight-stationary, both overlaps, Core.Gemv rows per cycle. Products of few
// rows gain most, since the array waits longest for them. All products may take the path, also
// on a core whose dataflow holds another operand: so that no product, and no part of one, is
// faster when it is a little smaller.
//
// Where a bus reaches each row, the rows in use may be the last ones: results then leave through
// no row that is not in use, and inputs pass no column beyond the last in use. So a product may
// take a part of the array, which fills and drains in less time: half of a side, or a quarter,
// and so on. As many words enter a part per cycle as the whole array. A part of an array that
// holds another operand is filled at the edge of the part.
//
// The objective time takes the path, or a part, where it is faster; other objectives do not
// use them.

// Ways are the ways on which a core may carry out a product of element type rate h.rate:
// its own dataflow, and the GEMV path, each on the part of the array of r rows and c columns.
// The first way of a core that holds weights is left out where the GEMV path is never slower.
func Ways(core *Core, h *Machine, r, c int) (out []Machine) {
	a := core.Array
	a.Rows, a.Cols = r, c
	add := func(x Core) {
		if m, err := newArray(x, h.Rate); err == nil {
			m.Mem, m.Lanes, m.SharedA, m.SharedB = h.Mem, h.Lanes, h.SharedA, h.SharedB
			out = append(out, m)
		}
	}
	x := *core
	x.Array = a
	weights := HoldsWeights(core.Dataflow)
	same := weights && a.OverlapPreload && a.OverlapDrain
	if core.Gemv < 1 || !weights || same {
		add(x)
	}
	if core.Gemv < 1 || same && core.Gemv*core.Array.Cols/c <= max(a.LoadRows, 1) {
		return out
	}
	if !weights {
		x.Dataflow = "ws"
	}
	x.Array.OverlapPreload, x.Array.OverlapDrain, x.Array.LoadRows = true, true, max(1, min(core.Gemv*core.Array.Cols/c, r))
	add(x)
	return out
}

// Sides of a side that may be used alone: for a product of so many words along it, all of the
// side, the least that takes no more folds, and by halving the least that holds the words, and what is smaller.
func Sides(side int, words int64) []int {
	out := []int{side}
	if folds := integer.Ceil(words, int64(side)); folds > 1 {
		if least := int(integer.Ceil(words, folds)); least < side {
			out = append(out, least)
		}
	}
	for side > 1 {
		if side = (side + 1) / 2; int64(side) < 2*words {
			out = append(out, side)
		}
	}
	return out
}

// HoldsWeights reports whether weights are the operand that a dataflow holds in the array.
func HoldsWeights(flow string) bool { return flow == "ws" || flow == "dip" }
