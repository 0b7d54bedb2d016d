package mapping

// The GEMV path. Products of few rows pass an array faster than it can be loaded: a
// tile of weights takes as many cycles to shift in as the array has rows, and serves
// one row of inputs after the other in one cycle each, so that of 128 x 128 weights
// 128 move per cycle whatever the memory brings. On the GEMV path several rows of
// weights enter in one cycle, each over a bus of its own, into a second set of weight
// registers while the first works, and tiles follow each other in the wavefront:
// weight-stationary, both overlaps, Core.Gemv rows per cycle. A core whose array works
// otherwise takes the path for such products alone.
//
// The objective time takes the path where the estimate is better; other objectives
// know nothing of it.

// gemv puts the mapping on the GEMV path in place of v, if it is faster there.
func (v *memoValue) gemv(s *shape, core Core, key *memoKey, known cuts) {
	if s.form != gemm {
		return
	}
	h, ok := gemvMachine(core, &key.h, key.goal, s.m())
	if !ok {
		return
	}
	if sol, err := search(s, &h, key.w, key.goal, known); err == nil && (v.err != nil || sol.rank < v.sol.rank) {
		v.sol, v.h, v.err = sol, h, nil
	}
}

// gemvMachine is the core on the GEMV path, in place of h; ok is false where products of
// so many rows do not take it.
func gemvMachine(core Core, h *machine, by goal, rows int64) (machine, bool) {
	if core.Gemv < 1 || by != leastTime || rows >= h.rows {
		return machine{}, false
	}
	core.Dataflow = "ws"
	core.Array.OverlapPreload, core.Array.OverlapDrain, core.Array.LoadRows = true, true, core.Gemv
	x, err := newArray(core, h.rate)
	x.mem, x.sharedA, x.sharedB = h.mem, h.sharedA, h.sharedB
	return x, err == nil
}
