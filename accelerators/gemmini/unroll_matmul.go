package gemmini

// matmul is the next command of a state machine for a tile of a product.
func (u *unroller) matmul(x *unit, t *MatmulTile, i int) command {
	switch i {
	case uWeights:
		return u.matmulWeights(x, t)
	case uInputs:
		return u.matmulInputs(x, t)
	case uExecute:
		return u.matmulExecute(x, t)
	}
	return u.matmulStore(x, t)
}

// width is the bytes of some blocks of a row of which the last may lack elements.
func width(d, at, blocks, all, pad int) int {
	if at+blocks >= all {
		return blocks*d - pad
	}
	return blocks * d
}

// short is the rows of a block.
func short(d, at, all, pad int) int { return width(d, at, 1, all, pad) }

// matmulWeights goes through B row of blocks by row of blocks.
func (u *unroller) matmulWeights(x *unit, t *MatmulTile) command {
	d, k, j := u.m.Dim, x.it[0], x.it[1]
	n := min(u.blocks(t.J), t.J-j)
	at := (x.slot+1)*u.m.ScratchpadRows/2 - (t.K*t.J-k*t.J-j)*d
	out := command{op: opLoad, first: span{at, at + n*d}, rows: d, bytes: width(d, j, n, t.J, t.PadJ),
		addr: t.B + int64(k*d)*int64(t.BStride) + int64(j*d), stride: t.BStride}
	switch {
	case x.advance(1, u.blocks(t.J), 0, t.J), x.advance(0, 1, 0, t.K):
	default:
		x.busy = false
	}
	return out
}

// matmulInputs goes through A a few columns of blocks at a time.
func (u *unroller) matmulInputs(x *unit, t *MatmulTile) command {
	d, k, i := u.m.Dim, x.it[0], x.it[1]
	n := min(u.blocks(t.K), t.K-k)
	at := x.slot*u.m.ScratchpadRows/2 + (i*t.K+k)*d
	out := command{op: opLoad, first: span{at, at + n*d}, rows: short(d, i, t.I, t.PadI), bytes: width(d, k, n, t.K, t.PadK),
		addr: t.A + int64(i*d)*int64(t.AStride) + int64(k*d), stride: t.AStride}
	switch {
	case x.advance(1, 1, 0, t.I), x.advance(0, u.blocks(t.K), 0, t.K):
	default:
		x.busy = false
	}
	return out
}

func (u *unroller) matmulExecute(x *unit, t *MatmulTile) command {
	d, k, j, i := u.m.Dim, x.it[0], x.it[1], x.it[2]
	rows := short(d, i, t.I, t.PadI)
	if x.preload {
		x.preload = false
		c := accumulatorAt + x.half*u.m.AccumulatorRows/2 + (i*t.J+j)*d
		out := command{op: opPreload, first: span{c, c + rows}}
		if i == 0 {
			b := (x.slot+1)*u.m.ScratchpadRows/2 - (t.K*t.J-k*t.J-j)*d
			out.second = span{b, b + short(d, k, t.K, t.PadK)}
		}
		return out
	}
	x.preload = true
	a := x.slot*u.m.ScratchpadRows/2 + (i*t.K+k)*d
	out := command{op: opCompute, first: span{a, a + rows}, rows: rows}
	switch {
	case x.advance(2, 1, 0, t.I), x.advance(1, 1, 0, t.J), x.advance(0, 1, 0, t.K):
	default:
		x.busy = false
	}
	return out
}

func (u *unroller) matmulStore(x *unit, t *MatmulTile) command {
	d, j, i := u.m.Dim, x.it[0], x.it[1]
	n := min(u.blocks(t.J), t.J-j)
	at := accumulatorAt + x.half*u.m.AccumulatorRows/2 + (i*t.J+j)*d
	out := command{op: opStore, first: span{at, at + n*d}, rows: short(d, i, t.I, t.PadI), bytes: width(d, j, n, t.J, t.PadJ),
		addr: t.C + int64(i*d)*int64(t.CStride) + int64(j*d), stride: t.CStride}
	switch {
	case x.advance(1, 1, 0, t.I), x.advance(0, u.blocks(t.J), 0, t.J):
	default:
		x.busy = false
	}
	return out
}
