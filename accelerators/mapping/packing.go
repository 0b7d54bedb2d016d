package mapping

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
)

// Independent products (heads, groups of a convolution) that are small against the array lie in
// it together. Each operand is indexed by the product and by two of the three axes m, n and k.
// An axis is made longer by the products that lie along it: (m, product), (n, product) or
// (k, product). Two of the three axes have to be, so that the two operands or the result that
// lie between them are zero, or not wanted, where the products differ:
//
//   - Rows and columns: a block diagonal of the array works, and all products stream at once.
//     Each has rows and columns of its own.
//   - One side and time: products have their own part of that side, use the whole of the other
//     one, and stream one after the other. The operand that enters along the side is zero while
//     the others stream, or results along it are dropped. That is a fold for all of them in
//     place of one each: a depthwise convolution with outputs in the array becomes a convolution
//     of as many channels as there are columns, whose weights are zero but for its own.
//
// All take part in the search by the cycles that they need.
type packing struct {
	pack   int64 // products that fit into one fold
	serial bool  // they stream one after the other, along one side
	along  dataflow.Axis
}

// packings are those of a tile: a block diagonal, along the rows, along the columns.
func (h *machine) packings(c *candidate) [3]packing {
	r, x := h.words(h.rowAxis, c.cut(h.rowAxis).size), h.words(h.colAxis, c.cut(h.colAxis).size)
	out := [3]packing{{pack: max(1, min(h.rows/r, h.cols/x))}}
	if c.bt > 1 {
		out[1] = packing{h.rows / r, true, h.rowAxis}
		out[2] = packing{h.cols / x, true, h.colAxis}
	}
	return out
}

// streams is how many times a product's stream goes through a fold of so many products.
func (p packing) streams(products int64) int64 {
	if p.serial {
		return products
	}
	return 1
}

// last is how many products lie in the last fold of a tile of so many.
func (p packing) last(products int64) int64 { return (products-1)%p.pack + 1 }

// groupsOf yields how many groups of so many products lie in the array at once, of all tiles.
func (s *shape) groupsOf(c *candidate, pack int64, yield func(groups, products int64)) {
	tiles := func(n, products int64) {
		if full := products / pack; n*full > 0 {
			yield(n*full, pack)
		}
		if rest := products % pack; n*rest > 0 {
			yield(n, rest)
		}
	}
	tiles(s.batch/c.bt, c.bt)
	tiles(1, s.batch%c.bt)
}

// streamOf is how long the tiles of the time axis stream, with so many products each.
func (s *shape) streamOf(h *machine, c *candidate, products int64) (sum int64) {
	add := func(n, size int64) { sum += n * max(products*h.words(h.time, size), h.timing.Min) }
	if h.time != dataflow.M {
		t := c.cut(h.time)
		add(t.trips-1, t.size)
		add(1, t.last)
		return sum
	}
	s.mtiles(c.m, add)
	return sum
}

// mtiles yields the tiles of the m axis by their sizes.
func (s *shape) mtiles(m *mcut, yield func(n, size int64)) {
	each := func(n, size int64, f func(count, size int64)) {
		trips := ceil(n, size)
		if trips > 1 {
			f(trips-1, size)
		}
		f(1, n-(trips-1)*size)
	}
	each(s.images, m.images, func(b, bs int64) {
		each(s.rows, m.rows, func(p, ps int64) {
			each(s.cols, m.cols, func(q, qs int64) { yield(b*p*q, bs*ps*qs) })
		})
	})
}

// together lists how many products a tile may have, most first: as many as fit into the array by
// each packing, halves of these and so on, and one.
func (h *machine) together(s *shape) (out []int64) {
	r, x := h.rows/h.words(h.rowAxis, s.axis(h.rowAxis)), h.cols/h.words(h.colAxis, s.axis(h.colAxis))
	for _, most := range [3]int64{min(r, x), r, x} {
		for b := min(most, s.batch); b > 1; b = ceil(b, 2) {
			out = append(out, b)
		}
	}
	out = append(out, 1)
	slices.SortFunc(out, func(a, b int64) int { return cmp.Compare(b, a) })
	return slices.Compact(out)
}
