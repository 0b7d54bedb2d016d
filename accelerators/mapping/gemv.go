package mapping

// The GEMV path is a second way of weights into the array. On the first way a tile of
// weights is shifted in from the edge while the array waits: 128 cycles for 128 rows. On the
// GEMV path several rows of weights enter in one cycle, each over a bus of its own, into a
// second set of weight registers while the first set works, and tiles follow each other in
// the wavefront: weight-stationary, both overlaps, Core.Gemv rows per cycle. Products of few
// rows gain most, since the array waits longest for them; all products may take the path.
//
// The objective time takes the path where the estimate is better; other objectives do not
// use it.

// gemv puts the mapping on the GEMV path in place of v, if it is faster there.
func (v *memoValue) gemv(s *shape, core Core, key *memoKey, known cuts) {
	h, ok := gemvMachine(core, &key.h, key.goal)
	if !ok {
		return
	}
	if sol, err := search(s, &h, key.w, key.goal, known); err == nil && (v.err != nil || sol.rank < v.sol.rank) {
		v.sol, v.h, v.err = sol, h, nil
	}
}

// gemvMachine is the core on the GEMV path, in place of h. ok is false where there is no such
// path, and where it is no other than the first way.
func gemvMachine(core Core, h *machine, by goal) (machine, bool) {
	a := core.Array
	if core.Gemv < 1 || by != leastTime || a.OverlapPreload && a.OverlapDrain && core.Gemv <= max(a.LoadRows, 1) && holdsWeights(core.Dataflow) {
		return machine{}, false
	}
	if !holdsWeights(core.Dataflow) {
		core.Dataflow = "ws"
	}
	core.Array.OverlapPreload, core.Array.OverlapDrain, core.Array.LoadRows = true, true, core.Gemv
	x, err := newArray(core, h.rate)
	x.mem, x.sharedA, x.sharedB = h.mem, h.sharedA, h.sharedB
	return x, err == nil
}

// holdsWeights reports whether weights are the operand that a dataflow holds in the array.
func holdsWeights(flow string) bool { return flow == "ws" || flow == "dip" }
