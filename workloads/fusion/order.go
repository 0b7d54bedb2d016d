package fusion

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// A piece is rows [from, to) of a unit's result.
type piece struct {
	unit     int
	from, to int64
	after    []int // pieces whose results it reads, ascending
}

// An orderer puts the pieces of a group in order, depth first.
type orderer struct {
	p      *planner
	group  []bool // by unit: it belongs to the group
	tiles  int64
	pieces []piece // of all groups so far
	by     [][]int // by unit: its pieces
	done   []int64 // by unit: rows made
	keep   []bool  // by unit: rows stay until all who need them have read them
}

// add appends the pieces of a group.
func (o *orderer) add(group []int) {
	for i := range o.group {
		o.group[i] = false
	}
	for _, u := range group {
		o.group[u] = true
	}
	o.settle(group)
	for t := int64(1); t <= o.tiles; t++ {
		if o.p.o.Recompute {
			o.recompute(group, t)
			continue
		}
		for _, u := range group {
			if o.sink(u) {
				o.produce(u, (o.p.units[u].rows*t+o.tiles-1)/o.tiles)
			}
		}
	}
}

// sink reports whether a unit outside the group reads the result of a unit, or no unit does.
func (o *orderer) sink(u int) bool {
	x := &o.p.units[u]
	return x.last || len(x.readers) == 0 || slices.ContainsFunc(x.readers, func(r int) bool { return !o.group[r] })
}

// settle finds the units whose rows are made once and kept: all with Halo keep, else those
// of which a reader needs all rows, and the units that these are made of.
func (o *orderer) settle(group []int) {
	for _, u := range group {
		o.keep[u] = !o.p.o.Recompute
	}
	for _, u := range slices.Backward(group) {
		x := &o.p.units[u]
		for k := range x.reads {
			if r := &x.reads[k]; r.unit >= 0 && o.group[r.unit] && (r.full || x.whole || o.keep[u]) {
				o.keep[r.unit] = true
			}
		}
	}
}

// produce makes the rows of a unit up to one.
func (o *orderer) produce(u int, upto int64) {
	x := &o.p.units[u]
	chunk := max((x.rows+o.tiles-1)/o.tiles, 1)
	for o.done[u] < min(upto, x.rows) {
		from := o.done[u]
		to := min(upto, x.rows)
		switch {
		case x.whole:
			to = x.rows
		case to-from > 2*chunk:
			to = from + chunk
		}
		for k := range x.reads {
			r := &x.reads[k]
			if r.unit >= 0 && o.group[r.unit] {
				o.produce(r.unit, o.upto(x, r, from, to))
			}
		}
		o.done[u] = to
		o.emit(u, from, to)
	}
}

// upto is the row of an operand up to which rows [from, to) of a unit's result need it; the
// last rows also need those that a stride leaves out.
func (o *orderer) upto(x *unit, r *operand, from, to int64) int64 {
	if to == x.rows {
		return rowsOf(o.p.g.Tensor(r.root))
	}
	_, b := x.need(o.p.g, r, from, to)
	return b
}

// recompute makes what part t of the group's results needs.
func (o *orderer) recompute(group []int, t int64) {
	type rows struct{ a, b int64 }
	need := map[int]rows{}
	want := func(u int, a, b int64) {
		if n, ok := need[u]; ok {
			a, b = min(a, n.a), max(b, n.b)
		}
		need[u] = rows{a, b}
	}
	for _, u := range slices.Backward(group) {
		x := &o.p.units[u]
		if o.sink(u) {
			want(u, x.rows*(t-1)/o.tiles, x.rows*t/o.tiles)
		}
		n, ok := need[u]
		if !ok || n.a == n.b || o.keep[u] {
			continue
		}
		if x.whole {
			n = rows{0, x.rows}
			need[u] = n
		}
		for k := range x.reads {
			if r := &x.reads[k]; r.unit >= 0 && o.group[r.unit] {
				a, _ := x.need(o.p.g, r, n.a, n.b)
				want(r.unit, a, o.upto(x, r, n.a, n.b))
			}
		}
	}
	for _, u := range group {
		n := need[u]
		switch {
		case o.keep[u]:
			o.produce(u, n.b)
		case n.b > n.a && !(o.p.units[u].whole && len(o.by[u]) > 0):
			o.emit(u, n.a, n.b)
		}
	}
}

// emit appends a piece and finds what it reads.
func (o *orderer) emit(u int, from, to int64) {
	x := &o.p.units[u]
	n := piece{unit: u, from: from, to: to}
	for k := range x.reads {
		r := &x.reads[k]
		if r.unit < 0 {
			continue
		}
		a, b := x.need(o.p.g, r, from, to)
		made := o.by[r.unit]
		if o.group[r.unit] && !o.keep[r.unit] {
			made = made[len(made)-1:] // made for this one
		}
		for _, i := range made {
			if y := &o.pieces[i]; y.from < b && a < y.to {
				n.after = append(n.after, i)
			}
		}
	}
	slices.Sort(n.after)
	n.after = slices.Compact(n.after)
	o.by[u] = append(o.by[u], len(o.pieces))
	o.pieces = append(o.pieces, n)
}

// bytesOf is the bytes of some rows of a tensor.
func bytesOf(t *graph.Tensor, rows int64) int64 {
	n := rowsOf(t)
	return (t.Bytes()*rows + n - 1) / n
}
