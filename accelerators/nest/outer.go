package nest

import "math"

// An OuterLoop is a loop of the outermost level, which goes through what the levels
// inside it hold at a time.
type OuterLoop struct {
	Dim   int
	Trips int64
	Step  int64 // elements of the dimension from one iteration to the next
}

// Outer is what a mapping without imperfect factors does outside the chip: the temporal
// loops of the outermost level, innermost first, and how far what lies inside them
// reaches in each dimension.
func (n *Nest) Outer(m *Mapping) (loops []OuterLoop, extent []int64) {
	n.open(m)
	for _, e := range n.midAt(0) {
		extent = append(extent, int64(e))
	}
	for i := n.from[1]; i < len(n.loops); i++ {
		x := &n.loops[i]
		loops = append(loops, OuterLoop{x.dim, int64(x.factor), int64(x.step)})
	}
	return loops, extent
}

// An OuterTensor is how a tensor moves between the outermost level and those inside.
type OuterTensor struct {
	// First is the outer loop that moves the tile, the innermost of them; -1: it moves
	// further in, and -2: it never moves.
	First int
	// Adjacent: what two tiles in a row share is kept.
	Adjacent bool
}

// Never and Inside are values of OuterTensor.First.
const (
	Inside = -1
	Never  = -2
)

// OuterTensors says so of each tensor of the mapping that Outer was last asked about.
func (n *Nest) OuterTensors(m *Mapping) (out []OuterTensor) {
	for t := range n.nT {
		keeper := 1
		for keeper < n.nL && !m.Levels[keeper].Keep.Has(t) {
			keeper++
		}
		x, i := OuterTensor{First: Never}, n.from[keeper]
		if keeper == n.nL { // compute takes it from memory, cycle by cycle
			x.First, i = Inside, len(n.loops)
		}
		for ; i < len(n.loops); i++ {
			if n.dims[t].Has(n.loops[i].dim) {
				x.Adjacent = (i == n.from[keeper] || n.rules >= Rules2025) && !n.shared[t]
				x.First = max(i-n.from[1], Inside)
				break
			}
		}
		out = append(out, x)
	}
	return out
}

// Reach is how far a rank of a tensor reaches in what the loops of the outermost level go
// through, in the mapping that was evaluated last.
func (n *Nest) Reach(tensor, rank int) int64 { return int64(n.rank[tensor][rank].span(n.midAt(0))) }

// OuterWords are the words of a tensor that leave the outermost level and that come there,
// those of the metadata of a compressed format included, in the mapping that was evaluated.
func (n *Nest) OuterWords(r *Result, t int) (out, in int64) {
	c, bits := r.Of(0, t), float64(n.a.Levels[0].WordBits)
	var read, written float64
	if n.a.Levels[0].Metadata.Width > 0 {
		for i := range c.Format {
			f := &c.Format[i]
			meta, payload := n.itemBits(0, t, i)
			of := func(u Units) float64 { return u.Metadata*meta + u.Payload*payload }
			read += of(f.Reads)
			written += of(f.Updates)
		}
	}
	return int64(c.Actual.Reads + math.Floor(read/bits)), int64(c.Actual.Updates + math.Floor(written/bits))
}

// Sparse reports whether the machine knows of zeros.
func (n *Nest) Sparse() bool { return n.sparse != nil }

// Whole is how many elements a tensor has, padding included.
func (n *Nest) Whole(tensor int) float64 { return n.whole[tensor] }

// Span is how far a rank of a tensor reaches as a whole.
func (n *Nest) Span(tensor, rank int) float64 { return n.rank[tensor][rank].span(n.size) }

// Perfect reports whether the factors of every dimension multiply to its size.
func (n *Nest) Perfect(m *Mapping) bool { return n.divides(m) }
