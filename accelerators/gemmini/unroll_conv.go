package gemmini

import "github.com/causeway-sim/causeway/components/integer"

// conv is the next command of a state machine for a tile of a convolution.
func (u *unroller) conv(x *unit, t *ConvTile, i int) command {
	switch i {
	case uClear:
		return u.convClear(x, t)
	case uWeights:
		return u.convWeights(x, t)
	case uInputs:
		return u.convInputs(x, t)
	case uExecute:
		return u.convExecute(x, t)
	}
	return u.convStore(x, t)
}

// results is rows of the accumulators: filters by blocks, then batch, rows, columns.
func (u *unroller) results(x *unit, t *ConvTile, filter, batch, row, col, n int) span {
	at := accumulatorAt + x.half*u.m.AccumulatorRows/2 + (filter/u.m.Dim*t.Batches+batch)*t.Rows*t.Cols + row*t.Cols + col
	return span{at, at + n}
}

// overResults steps through batch, rows, columns by blocks, filters by blocks.
func (u *unroller) overResults(x *unit, t *ConvTile) {
	d := u.m.Dim
	switch {
	case x.advance(3, d, 0, t.Filters), x.advance(2, d, 0, t.Cols), x.advance(1, 1, 0, t.Rows), x.advance(0, 1, 0, t.Batches):
	default:
		x.busy = false
	}
}

// advance moves an iterator on and says whether it is still within its range; if not, it begins
// anew.
func (x *unit) advance(i, by, from, to int) bool {
	if x.it[i] += by; x.it[i] < to {
		return true
	}
	x.it[i] = from
	return false
}

func (u *unroller) convClear(x *unit, t *ConvTile) command {
	d, b, row, col, f := u.m.Dim, x.it[0], x.it[1], x.it[2], x.it[3]
	n := min(d, t.Cols-col)
	c := command{op: opLoad, first: u.results(x, t, f, b, row, col, n), rows: n, bytes: 4 * min(d, t.Filters-f), zero: true}
	u.overResults(x, t)
	return c
}

func (u *unroller) convStore(x *unit, t *ConvTile) command {
	d, b, row, col, f := u.m.Dim, x.it[0], x.it[1], x.it[2], x.it[3]
	n := min(d, t.Cols-col)
	c := command{op: opStore, first: u.results(x, t, f, b, row, col, n), rows: n, bytes: min(d, t.Filters-f),
		addr: t.Output + int64((b*t.OutRows+row)*t.OutCols+col)*int64(t.OutChannels) + int64(f), stride: t.OutChannels}
	u.overResults(x, t)
	return c
}

// weightRows is where weights begin in the scratchpad: they end with its half.
func (u *unroller) weightRows(x *unit, t *ConvTile) int {
	return (x.slot+1)*u.m.ScratchpadRows/2 - integer.Ceil(t.Filters, u.m.Dim)*t.KRows*t.KCols*t.Channels
}

func (u *unroller) convWeights(x *unit, t *ConvTile) command {
	d, f, r, s, c := u.m.Dim, x.it[0], x.it[1], x.it[2], x.it[3]
	wide := min(t.Filters, u.m.MaxBytes)
	rows, bytes := min(d, t.Channels-c), min(wide, t.Filters-f)
	apart := t.KRows * t.KCols * t.Channels
	at := u.weightRows(x, t) + f/d*apart + (r*t.KCols+s)*t.Channels + c
	out := command{op: opLoad, first: span{at, at + (integer.Ceil(bytes, d)-1)*apart + rows}, rows: rows, bytes: bytes,
		addr: t.Weights + int64((r*t.KernelCols+s)*t.InChannels+c)*int64(t.OutChannels) + int64(f), stride: t.OutChannels}
	switch {
	case x.advance(3, d, 0, t.Channels), x.advance(2, 1, 0, t.KCols), x.advance(1, 1, 0, t.KRows), x.advance(0, wide, 0, t.Filters):
	default:
		x.busy = false
	}
	return out
}

// inSize is rows and columns of a tile's inputs, zeros included.
func (t *ConvTile) inSize() (rows, cols int) {
	return t.Rows*t.Stride + t.KRows - 1, t.Cols*t.Stride + t.KCols - 1
}

func (u *unroller) convInputs(x *unit, t *ConvTile) command {
	d, b, row, col, ch := u.m.Dim, x.it[0], x.it[1], x.it[2], x.it[3]
	rows, cols := t.inSize()
	realRows, realCols := rows-t.Up-t.Down, cols-t.Left-t.Right
	wide := min(t.Channels, u.m.MaxBytes)
	n, bytes := min(d, realCols-col), min(wide, t.Channels-ch)
	if col < 0 {
		n = min(d, -col)
	} else if col >= realCols {
		n = min(d, realCols+t.Right-col)
	}
	apart := t.Batches * rows * cols
	at := x.slot*u.m.ScratchpadRows/2 + ch/d*apart + (b*rows+row+t.Up)*cols + col + t.Left
	out := command{op: opLoad, first: span{at, at + (integer.Ceil(bytes, d)-1)*apart + n}, rows: n, bytes: bytes,
		zero: row < 0 || row >= realRows || col < 0 || col >= realCols,
		addr: t.Input + int64((b*t.InRows+row)*t.InCols+col)*int64(t.InChannels) + int64(ch), stride: t.InChannels}
	switch {
	case x.advance(3, wide, 0, t.Channels), x.advance(2, n, -t.Left, realCols+t.Right), x.advance(1, 1, -t.Up, realRows+t.Down), x.advance(0, 1, 0, t.Batches):
	default:
		x.busy = false
	}
	return out
}

// convExecute: the weights of a place of the kernel, a block of channels and of filters stay for
// all results; a row of results is computed in blocks of columns.
func (u *unroller) convExecute(x *unit, t *ConvTile) command {
	d := u.m.Dim
	f, place, c, line, col := x.it[0], x.it[1], x.it[2], x.it[3], x.it[4]
	n := min(d, t.Cols-col)
	if x.preload {
		x.preload = false
		out := command{op: opPreload, first: u.results(x, t, f, 0, line, col, n)}
		if line == 0 && col == 0 {
			at := u.weightRows(x, t) + f/d*t.KRows*t.KCols*t.Channels + place*t.Channels + c
			out.second = span{at, at + min(d, t.Channels-c)}
		}
		return out
	}
	rows, cols := t.inSize()
	b, row := line/t.Rows, line%t.Rows
	at := x.slot*u.m.ScratchpadRows/2 + c/d*t.Batches*rows*cols + (b*rows+row*t.Stride+place/t.KCols)*cols + col*t.Stride + place%t.KCols
	out := command{op: opCompute, first: span{at, at + n*t.Stride}, rows: n}
	x.preload = true
	switch {
	case x.advance(4, d, 0, t.Cols), x.advance(3, 1, 0, t.Batches*t.Rows), x.advance(2, d, 0, t.Channels), x.advance(1, 1, 0, t.KRows*t.KCols), x.advance(0, d, 0, t.Filters):
	default:
		x.busy = false
	}
	return out
}
