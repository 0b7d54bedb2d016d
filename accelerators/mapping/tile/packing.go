package tile

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/components/integer"
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
type Packing struct {
	Pack   int64 // products that fit into one fold
	Serial bool  // they stream one after the other, along one side
	Along  dataflow.Axis
}

// packings are those of a tile: a block diagonal, along the rows, along the columns.
func (c *Mapping) packings(h *machine.Machine) [3]Packing {
	r, x := h.Words(h.RowAxis, c.Cut(h.RowAxis).Size), h.Words(h.ColAxis, c.Cut(h.ColAxis).Size)
	out := [3]Packing{{Pack: max(1, min(h.Rows/r, h.Cols/x))}}
	if c.BT > 1 {
		out[1] = Packing{h.Rows / r, true, h.RowAxis}
		out[2] = Packing{h.Cols / x, true, h.ColAxis}
	}
	return out
}

// streams is how many times a product's stream goes through a fold of so many products.
func (p Packing) streams(products int64) int64 {
	if p.Serial {
		return products
	}
	return 1
}

// last is how many products lie in the last fold of a tile of so many.
func (p Packing) last(products int64) int64 { return (products-1)%p.Pack + 1 }

// groups yields how many groups of so many products lie in the array at once, of all tiles.
func (c *Mapping) groups(s *product.Shape, pack int64, yield func(groups, products int64)) {
	tiles := func(n, products int64) {
		if full := products / pack; n*full > 0 {
			yield(n*full, pack)
		}
		if rest := products % pack; n*rest > 0 {
			yield(n, rest)
		}
	}
	tiles(s.Batch/c.BT, c.BT)
	tiles(1, s.Batch%c.BT)
}

// streamOf is how long the tiles of the time axis stream, with so many products each.
func (c *Mapping) streamOf(s *product.Shape, h *machine.Machine, products int64) (sum int64) {
	add := func(n, size int64) { sum += n * max(products*h.Words(h.Time, size), h.Timing.Min) }
	if h.Time != dataflow.M {
		t := c.Cut(h.Time)
		add(t.trips-1, t.Size)
		add(1, t.last)
		return sum
	}
	c.M.tiles(s, add)
	return sum
}

// tiles yields the tiles of the m axis by their sizes.
func (m *mcut) tiles(s *product.Shape, yield func(n, size int64)) {
	each := func(n, size int64, f func(count, size int64)) {
		trips := integer.Ceil(n, size)
		if trips > 1 {
			f(trips-1, size)
		}
		f(1, n-(trips-1)*size)
	}
	each(s.Images, m.images, func(b, bs int64) {
		each(s.Rows, m.rows, func(p, ps int64) {
			each(s.Cols, m.cols, func(q, qs int64) { yield(b*p*q, bs*ps*qs) })
		})
	})
}

// productsTogether lists how many products a tile may have, most first: as many as fit into the array by
// each packing, halves of these and so on, and one.
func productsTogether(h *machine.Machine, s *product.Shape) (out []int64) {
	r, x := h.Rows/h.Words(h.RowAxis, s.Axis(h.RowAxis)), h.Cols/h.Words(h.ColAxis, s.Axis(h.ColAxis))
	for _, most := range [3]int64{min(r, x), r, x} {
		for b := min(most, s.Batch); b > 1; b = integer.Ceil(b, 2) {
			out = append(out, b)
		}
	}
	out = append(out, 1)
	slices.SortFunc(out, func(a, b int64) int { return cmp.Compare(b, a) })
	return slices.Compact(out)
}
