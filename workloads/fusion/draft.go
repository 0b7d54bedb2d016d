package fusion

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A draft is pieces in order with addresses, of one group or of all.
type draft struct {
	p      *planner
	pieces []piece
	by     [][]int // by unit: its pieces
	alloc  allocator
	groups int

	block    []int             // by piece: block of its result; -1: it goes to memory
	resident map[operandOf]int // block of an operand that every piece of its unit reads
	inner    []bool
	kept     []bool // by unit
	bytes    struct{ kept, spilled int64 }
}

func (p *planner) draft() *draft {
	n := len(p.units)
	d := &draft{p: p, by: make([][]int, n), resident: map[operandOf]int{}, inner: make([]bool, n), kept: make([]bool, n), alloc: allocator{capacity: p.o.Capacity}}
	return d
}

// An operandOf names an operand of a unit.
type operandOf struct{ unit, read int }

// tiled is a group in that many parts; nil: it does not fit.
func (p *planner) tiled(group []int, tiles int64) *draft {
	d := p.draft()
	d.groups = 1
	o := orderer{p: p, group: make([]bool, len(p.units)), tiles: tiles, by: d.by, done: make([]int64, len(p.units)), keep: make([]bool, len(p.units))}
	o.add(group)
	d.pieces = o.pieces
	d.block = slices.Repeat([]int{-1}, len(d.pieces))
	readers := d.readers()
	for _, u := range group {
		d.inner[u] = !o.sink(u)
	}
	for i := range d.pieces {
		u := d.pieces[i].unit
		if !d.inner[u] {
			continue
		}
		b := d.result(i, readers[i])
		// The bytes of a piece are free once the unit's next Depth-1 pieces have begun.
		if k := slices.Index(d.by[u], i) + p.o.Depth - 1; k < len(d.by[u]) {
			b.to = max(b.to, d.by[u][k])
		}
		if !d.alloc.add(b, false) {
			return nil
		}
		d.block[i] = len(d.alloc.blocks) - 1
	}
	if !p.o.Stream {
		for _, u := range group {
			d.stay(u)
		}
	}
	return d
}

// readers is, by piece, the pieces that read its result.
func (d *draft) readers() [][]int {
	out := make([][]int, len(d.pieces))
	for i := range d.pieces {
		for _, a := range d.pieces[i].after {
			out[a] = append(out[a], i)
		}
	}
	return out
}

// result is the block of a piece's result.
func (d *draft) result(i int, readers []int) block {
	n := &d.pieces[i]
	b := block{bytes: bytesOf(d.p.g.Tensor(d.p.units[n.unit].out), n.to-n.from), from: i, to: i, writer: i, readers: readers}
	if len(readers) > 0 {
		b.to = readers[len(readers)-1]
	}
	return b
}

// stay keeps the matrices that every piece of a unit needs all of, if there is room:
// weights, keys and values. Vectors are not worth it.
func (d *draft) stay(u int) {
	x, made := &d.p.units[u], d.by[u]
	if len(made) < 2 {
		return
	}
	for k := range x.reads {
		r := &x.reads[k]
		t := d.p.g.Tensor(r.tensor)
		if !r.full || len(t.Shape) < 2 || r.unit >= 0 && d.inner[r.unit] {
			continue
		}
		b := block{bytes: t.Bytes(), from: made[0], to: made[len(made)-1], writer: made[0], readers: made[1:]}
		if d.alloc.add(b, true) {
			d.resident[operandOf{u, k}] = len(d.alloc.blocks) - 1
		}
	}
}

// append adds the draft of the next group.
func (d *draft) append(f *draft) {
	n, blocks := len(d.pieces), len(d.alloc.blocks)
	shift := func(list []int, by int) []int {
		out := slices.Clone(list)
		for i := range out {
			out[i] += by
		}
		return out
	}
	for u := range f.by {
		if len(f.by[u]) > 0 {
			d.by[u] = shift(f.by[u], n)
			d.inner[u] = f.inner[u]
		}
	}
	for k, b := range f.resident {
		d.resident[k] = b + blocks
	}
	for i, x := range f.pieces {
		x.after = shift(x.after, n)
		d.pieces = append(d.pieces, x)
		d.block = append(d.block, f.block[i])
		if f.block[i] >= 0 {
			d.block[n+i] += blocks
		}
		d.outside(n + i)
	}
	for _, b := range f.alloc.blocks {
		b.from, b.to, b.writer, b.readers = b.from+n, b.to+n, b.writer+n, shift(b.readers, n)
		d.alloc.blocks = append(d.alloc.blocks, b)
	}
	d.groups += f.groups
}

// outside finds the pieces of earlier groups that a piece reads.
func (d *draft) outside(i int) {
	n := &d.pieces[i]
	x := &d.p.units[n.unit]
	for k := range x.reads {
		r := &x.reads[k]
		if r.unit < 0 {
			continue
		}
		a, b := x.need(d.p.g, r, n.from, n.to)
		for _, j := range d.by[r.unit] {
			if j >= i {
				break
			}
			if y := &d.pieces[j]; d.block[j] < 0 && y.from < b && a < y.to {
				n.after = append(n.after, j)
			}
		}
	}
	slices.Sort(n.after)
	n.after = slices.Compact(n.after)
}

// keep keeps results between groups in the scratchpad, those with the shortest lifetime first.
func (d *draft) keep() {
	readers := d.readers()
	var all []int
	life := make([]int, len(d.p.units))
	for u := range d.p.units {
		x := &d.p.units[u]
		if x.last || d.inner[u] || len(x.readers) == 0 {
			continue
		}
		all = append(all, u)
		for _, i := range d.by[u] {
			if r := readers[i]; len(r) > 0 {
				life[u] = max(life[u], r[len(r)-1]-d.by[u][0])
			}
		}
	}
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(life[a], life[b]) })
	for _, u := range all {
		n := d.p.g.Tensor(d.p.units[u].out).Bytes()
		if !d.p.o.Keep || !d.hold(u, readers) {
			d.bytes.spilled += n
			continue
		}
		d.bytes.kept += n
		d.kept[u] = true
	}
}

// hold gives all pieces of a unit room, or none.
func (d *draft) hold(u int, readers [][]int) bool {
	before := len(d.alloc.blocks)
	for _, i := range d.by[u] {
		if !d.alloc.add(d.result(i, readers[i]), true) {
			d.alloc.blocks = d.alloc.blocks[:before]
			return false
		}
	}
	for k, i := range d.by[u] {
		d.block[i] = before + k
	}
	return true
}

// inPad reports whether the result of a unit lies in the scratchpad.
func (d *draft) inPad(u int) bool { return d.inner[u] || d.kept[u] }

// traffic adds up what the pieces read and write.
func (d *draft) traffic() (t Traffic) {
	g := d.p.g
	for i := range d.pieces {
		n := &d.pieces[i]
		x := &d.p.units[n.unit]
		for k := range x.reads {
			r := &x.reads[k]
			if !x.counts(g, r) {
				continue
			}
			bytes := touched(g, &g.Ops[x.ops[r.op]], r, n.from, n.to)
			_, resident := d.resident[operandOf{n.unit, k}]
			switch {
			case r.unit >= 0 && d.inPad(r.unit), resident && i != d.by[n.unit][0]:
				t.PadRead += bytes
			case g.Tensor(r.root).Role == graph.Weight:
				t.Weights += bytes
			default:
				t.Read += bytes
			}
		}
		if bytes := bytesOf(g.Tensor(x.out), n.to-n.from); d.inPad(n.unit) {
			t.PadWritten += bytes
		} else {
			t.Written += bytes
		}
	}
	return t
}

// touched is the bytes of an operand that rows [p0, p1) of an operator's result read.
func touched(g *graph.Graph, op *graph.Op, r *operand, p0, p1 int64) int64 {
	t := g.Tensor(r.tensor)
	if r.full {
		p0, p1 = 0, rowsOf(g.Tensor(op.Out[0]))
	}
	switch k := op.Kind.(type) {
	case graph.Conv:
		if r.in == 0 && k.StrideH > k.DilationH*(k.R-1)+1 { // a stride passes rows over
			return bytesOf(t, (p1-p0)*int64(k.R))
		}
	case graph.Gather:
		if r.in == 0 {
			return t.DType.Bytes(k.Rows * k.Cols)
		}
	}
	if r.full {
		return t.Bytes()
	}
	a, b, _ := window(g, op, r.in, p0, p1)
	return bytesOf(t, b-a)
}

// counts reports whether an operand is read as it stands: a batch norm on the way out is
// folded into weights and bias, of which its shift is what is left.
func (x *unit) counts(g *graph.Graph, r *operand) bool {
	if r.op > 0 {
		if k, ok := g.Ops[x.ops[r.op]].Kind.(graph.Norm); ok && k.Rule().Scope == graph.Folded {
			return r.in == 2
		}
		return true
	}
	if _, ok := g.Ops[x.ops[0]].Matrix(); ok && r.in == 2 && len(x.ops) > 1 {
		k, norm := g.Ops[x.ops[1]].Kind.(graph.Norm)
		return !(norm && k.Rule().Scope == graph.Folded && k.Bias)
	}
	return true
}
