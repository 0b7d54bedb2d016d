package nest

// Moved is for how many cycles the memory outside is busy with a tensor over the whole run:
// with what comes in, and with what leaves. Fresh is how much longer an element takes where a
// tile brings only what the one before has not; 0 is as long.
type Moved struct{ In, Out, Fresh float64 }

// A turned tensor is what turns of the loops of the outermost level bring of it.
type turned struct {
	first  int     // the innermost loop that moves its tile; Inside, Never
	fresh  float64 // cycles of what a turn of that loop brings
	whole  float64 // of what a turn of a loop further out brings: the whole tile
	result float64 // of what leaves with a tile
}

// Paced is how many cycles a mapping takes that was evaluated last, in closed form: one
// iteration of the loops of the outermost level is a step, whose loads go on while the step
// before computes, and whose results leave while the next one does. Before the first step
// its tiles come (fill), after the last one results leave (drain). A turn of a loop brings
// new tiles of the tensors that it moves and of those that loops inside it do, less what
// two tiles in a row share.
//
// A window takes as long as the units or the memory. Since the loads of a step begin when
// the step two before is done, which frees their half of the buffer, it takes no less than
// half of both together with the latency.
func (n *Nest) Paced(m *Mapping, r *Result, moved []Moved, latency float64) float64 {
	steps := 1.0
	outer := n.loops[n.from[1]:]
	for i := range outer {
		steps *= outer[i].factor
	}
	compute := r.Cycles / steps
	var x [MaxTensors]turned
	fill, drain := latency, latency
	for t := range n.nT {
		x[t] = n.turned(m, t, steps, moved[t])
		fill += x[t].whole
		drain += x[t].result
	}
	time, inside := fill+compute+drain, 1.0
	for j := range outer {
		turns := steps/inside - steps/(inside*outer[j].factor) // of loop j, when those inside it begin again
		inside *= outer[j].factor
		window := 0.0
		for t := range n.nT {
			switch f := x[t].first; {
			case f == Never || j < f:
			case j == f:
				window += x[t].fresh + x[t].result
			default:
				window += x[t].whole + x[t].result
			}
		}
		time += turns * max(compute, window, (compute+window+latency)/2)
	}
	return time
}

// Shared is the loop by which tiles of tensor t, in the mapping that was evaluated last,
// follow each other so that what they share stays; ok is false where there is none.
func (n *Nest) Shared(r *Result, t int) (dim int, step int64, ok bool) {
	keeper := 1
	for keeper < n.nL && !r.Counts[keeper*n.nT+t].Kept {
		keeper++
	}
	if keeper == n.nL {
		return 0, 0, false
	}
	i := n.from[keeper]
	for i < len(n.loops) && !n.dims[t].Has(n.loops[i].dim) {
		i++
	}
	if i == len(n.loops) || i < n.from[1] || i > n.from[keeper] && n.rules < Rules2025 {
		return 0, 0, false
	}
	return n.loops[i].dim, int64(n.loops[i].step), true
}

// turned finds out what turns bring of tensor t.
func (n *Nest) turned(m *Mapping, t int, steps float64, moved Moved) turned {
	keeper := 1
	for keeper < n.nL && !m.Levels[keeper].Keep.Has(t) {
		keeper++
	}
	if keeper == n.nL { // compute takes it from memory, cycle by cycle
		return turned{Inside, moved.In / steps, moved.In / steps, moved.Out / steps}
	}
	i := n.from[keeper]
	for i < len(n.loops) && !n.dims[t].Has(n.loops[i].dim) {
		i++
	}
	if i == len(n.loops) {
		return turned{Never, 0, moved.In, moved.Out}
	}
	if i < n.from[1] {
		return turned{Inside, moved.In / steps, moved.In / steps, moved.Out / steps}
	}
	out := turned{first: i - n.from[1]}
	loop, runs := &n.loops[i], 1.0
	for k := i + 1; k < len(n.loops); k++ {
		runs *= n.loops[k].factor
	}
	part := 1.0 // of a tile that a turn of the loop brings
	if i == n.from[keeper] || n.rules >= Rules2025 {
		ext := n.extAt(keeper)
		part -= n.overlap(ext, t, loop) / n.tile(t, ext)
	}
	out.whole = moved.In / (runs * (1 + (loop.factor-1)*part))
	out.fresh = out.whole * part
	if part < 1 && moved.Fresh > 0 {
		out.fresh *= moved.Fresh
	}
	out.result = moved.Out / (runs * loop.factor)
	return out
}
