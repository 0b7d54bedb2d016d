package gemmini

import "github.com/causeway-sim/causeway/components/integer"

// A Conv is a convolution. Groups are separate convolutions.
type Conv struct {
	Batch, InRows, InCols, Channels int
	OutRows, OutCols, Filters       int
	KernelRows, KernelCols          int
	Stride, PadUp, PadLeft          int
}

func (c *Conv) size() [dims]int {
	return [dims]int{c.Batch, c.OutRows, c.OutCols, c.Filters, c.KernelRows, c.KernelCols, c.Channels}
}

// rowsOf is the rows of the scratchpad and of the accumulators that a tile takes.
func (c *Conv) rowsOf(t *[dims]int, dim int) (scratchpad, accumulator int) {
	inputs := integer.Ceil(t[dimC], dim) * t[dimN] * (t[dimQ]*c.Stride + t[dimS] - 1) * (t[dimP]*c.Stride + t[dimR] - 1)
	banks := integer.Ceil(t[dimK], dim)
	return inputs + banks*t[dimR]*t[dimS]*t[dimC], banks * t[dimN] * t[dimQ] * t[dimP]
}

// Own is the library's own tiling, and the number of tiles whose rows it counted on the way.
//
// It halves nothing: from the whole convolution it takes away one of the largest dimension (a
// block, for channels and filters) until the rest fits into half of both memories. It then lets
// the columns of output grow, and in the end everything by ones, for as long as it fits.
func (c *Conv) Own(m *Machine) (Tiling, int) {
	t, whole := c.size(), c.size()
	probes := 0
	fits := func(t *[dims]int) bool {
		probes += 2
		s, a := c.rowsOf(t, m.Dim)
		return s <= m.Software.ScratchpadRows/2 && a <= m.Software.AccumulatorRows/2
	}
	for !fits(&t) {
		largest := -1
		for i, n := range t {
			if i == dimP && n <= m.Dim && t[dimQ] > 1 {
				continue // the columns keep the array busy
			}
			if largest < 0 || n > t[largest] {
				largest = i
			}
		}
		if largest < 0 || t[largest] <= 1 {
			break // nothing is left to take away
		}
		switch {
		case largest != dimK && largest != dimC:
			t[largest]--
		case t[largest]%m.Dim != 0:
			t[largest] = max(1, t[largest]/m.Dim*m.Dim)
		default:
			t[largest] = max(1, t[largest]-m.Dim)
		}
	}
	grow := func(i int) bool {
		if t[i] == whole[i] {
			return false
		}
		more := t
		more[i]++
		if !fits(&more) {
			return false
		}
		t = more
		return true
	}
	for grow(dimP) {
	}
	for grown := true; grown; {
		grown = false
		for i := range t {
			grown = grow(i) || grown
		}
	}
	return Tiling{Tile: t, Order: ownOrder}, probes
}

// Program is the tiles of the convolution under a tiling.
func (c *Conv) Program(t Tiling, start int) Program {
	return c.program(t, start, place{inputAt, weightAt, outputAt})
}

func (c *Conv) program(t Tiling, start int, p place) Program {
	size := c.size()
	return Program{Start: start, Loops: func(yield func(Loop) bool) {
		t.walk(size, func(at [dims]int) bool { return yield(Loop{IsConv: true, Conv: c.tile(&t, at, &p)}) })
	}}
}

// tile is the tile at a place.
func (c *Conv) tile(t *Tiling, at [dims]int, p *place) ConvTile {
	size := c.size()
	var n [dims]int
	for i := range n {
		n[i] = min(t.Tile[i], size[i]-at[i])
	}
	x := ConvTile{
		InRows: c.InRows, InCols: c.InCols, InChannels: c.Channels, OutRows: c.OutRows, OutCols: c.OutCols, OutChannels: c.Filters,
		KernelRows: c.KernelRows, KernelCols: c.KernelCols, Stride: c.Stride,
		Batches: n[dimN], Rows: n[dimQ], Cols: n[dimP], Filters: n[dimK], KRows: n[dimS], KCols: n[dimR], Channels: n[dimC],
		Clear: at[dimS] == 0 && at[dimR] == 0 && at[dimC] == 0,
	}
	row, col := at[dimQ]*c.Stride+at[dimS]-c.PadUp, at[dimP]*c.Stride+at[dimR]-c.PadLeft
	x.Up, x.Left = max(0, -row), max(0, -col)
	x.Down = max(0, row+x.Rows*c.Stride+x.KRows-1-c.InRows)
	x.Right = max(0, col+x.Cols*c.Stride+x.KCols-1-c.InCols)
	x.Input = p.input + int64((at[dimN]*c.InRows+row+x.Up)*c.InCols+col+x.Left)*int64(c.Channels) + int64(at[dimC])
	x.Weights = p.weight + int64((at[dimS]*c.KernelCols+at[dimR])*c.Channels+at[dimC])*int64(c.Filters) + int64(at[dimK])
	if at[dimS]+t.Tile[dimS] >= c.KernelRows && at[dimR]+t.Tile[dimR] >= c.KernelCols && at[dimC]+t.Tile[dimC] >= c.Channels {
		x.Output = p.output + int64((at[dimN]*c.OutRows+at[dimQ])*c.OutCols+at[dimP])*int64(c.Filters) + int64(at[dimK])
	}
	return x
}
