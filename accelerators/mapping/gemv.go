package mapping

// The GEMV path is a second way of weights into the array. On the first way a tile of
// weights is shifted in from the edge while the array waits: 128 cycles for 128 rows. On the
// GEMV path several rows of weights enter in one cycle, each over a bus of its own, into a
// second set of weight registers while the first set works, and tiles follow each other in
// the wavefront: weight-stationary, both overlaps, Core.Gemv rows per cycle. Products of few
// rows gain most, since the array waits longest for them. On a core that holds weights all
// products may take the path; on a core that holds another operand those that do not fill its
// array, so that the dataflow of the others is the one that was asked for.
//
// The rows that are in use may be the last ones of the array, since a bus reaches each of them:
// results then leave through no row that is not in use, and inputs pass no column beyond the
// last in use. So a product that does not fill the array may take a part of it: half of a side, or a
// quarter, and so on. As many words enter a part per cycle as the whole array.
//
// The objective time takes the path where the estimate is better; other objectives do not
// use it.

// gemvMachines are the core on the GEMV path, in place of h: the whole array, and parts of
// it for a product of rows x cols words of weights. There is none where the core has no such
// path, or holds another operand and the product fills it; the whole array is left out where
// the path is no other than the first way.
func gemvMachines(core Core, h *machine, by goal, rows, cols int64, fills bool) (out []machine) {
	if core.Gemv < 1 || by != leastTime || fills && !holdsWeights(core.Dataflow) {
		return nil
	}
	a := core.Array
	same := a.OverlapPreload && a.OverlapDrain && core.Gemv <= max(a.LoadRows, 1) && holdsWeights(core.Dataflow)
	if !holdsWeights(core.Dataflow) {
		core.Dataflow = "ws"
	}
	add := func(r, c int) {
		core.Array.Rows, core.Array.Cols = r, c
		core.Array.OverlapPreload, core.Array.OverlapDrain, core.Array.LoadRows = true, true, min(core.Gemv*a.Cols/c, r)
		if x, err := newArray(core, h.rate); err == nil {
			x.mem, x.lanes, x.sharedA, x.sharedB = h.mem, h.lanes, h.sharedA, h.sharedB
			out = append(out, x)
		}
	}
	for _, r := range parts(a.Rows, rows) {
		for _, c := range parts(a.Cols, cols) {
			if r < a.Rows || c < a.Cols || !same {
				add(r, c)
			}
		}
	}
	return out
}

// fills reports whether a product has a word for each element of an array.
func (s *shape) fills(h *machine) bool {
	return h.words(h.rowAxis, s.axis(h.rowAxis)) >= h.rows && h.words(h.colAxis, s.axis(h.colAxis)) >= h.cols
}

// parts of a side: all of it, and the least that holds so many words by halving.
func parts(side int, words int64) []int {
	out := []int{side}
	for side%2 == 0 && int64(side/2) >= words {
		side /= 2
	}
	if side < out[0] {
		return append(out, side)
	}
	return out
}

// holdsWeights reports whether weights are the operand that a dataflow holds in the array.
func holdsWeights(flow string) bool { return flow == "ws" || flow == "dip" }
