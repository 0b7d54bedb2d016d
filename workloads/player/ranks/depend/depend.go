// Package depend tracks the dependencies of one rank of a parallel program: which operations may
// start when others have started or ended.
//
//	r := depend.New(&program.Ranks[0])
//	first := r.First(nil)
//	more := r.Ended(first[0], nil)
//
// It allocates only in New and Extend. The caller must report each operation once, and only
// operations of the rank. Left out: time and messages.
package depend

import "github.com/causeway-sim/causeway/workloads/comm"

// A Rank is the state of one rank's dependencies.
type Rank struct {
	missing []int32    // dependencies that are open, by operation
	first   []uint32   // of waiters, by operation; one more at the end
	waiters []comm.Dep // who waits: for the end, or with the mark for the start
	left    int        // operations that have not ended
}

// New makes the state of a rank of which nothing has started.
func New(r *comm.Rank) Rank {
	n := r.Len()
	d := Rank{missing: make([]int32, n), first: make([]uint32, n+1), left: n}
	for op := range n {
		deps := r.Deps(op)
		d.missing[op] = int32(len(deps))
		for _, x := range deps {
			d.first[x.Op()+1]++
		}
	}
	for op := range n {
		d.first[op+1] += d.first[op]
	}
	d.waiters = make([]comm.Dep, d.first[n])
	fill := append([]uint32(nil), d.first[:n]...)
	for op := range n {
		for _, x := range r.Deps(op) {
			w := comm.After(op)
			if x.Start() {
				w = comm.With(op)
			}
			d.waiters[fill[x.Op()]] = w
			fill[x.Op()]++
		}
	}
	return d
}

// Extend adds an operation without dependencies. Left counts it only after Asked.
func (d *Rank) Extend() {
	d.missing = append(d.missing, 0)
	d.first = append(d.first, d.first[len(d.first)-1])
}

// Asked adds n operations of Extend to those of Left.
func (d *Rank) Asked(n int) { d.left += n }

// First appends the operations without dependencies.
func (d *Rank) First(out []int32) []int32 {
	for op, n := range d.missing {
		if n == 0 {
			out = append(out, int32(op))
		}
	}
	return out
}

// Started reports that an operation has started, and appends the operations that may start now.
func (d *Rank) Started(op int32, out []int32) []int32 { return d.release(op, true, out) }

// Ended reports that an operation has ended, and appends the operations that may start now.
func (d *Rank) Ended(op int32, out []int32) []int32 {
	d.left--
	return d.release(op, false, out)
}

// Left is the number of operations that have not ended.
func (d *Rank) Left() int { return d.left }

func (d *Rank) release(op int32, start bool, out []int32) []int32 {
	for _, w := range d.waiters[d.first[op]:d.first[op+1]] {
		if w.Start() != start {
			continue
		}
		i := w.Op()
		if d.missing[i]--; d.missing[i] == 0 {
			out = append(out, int32(i))
		}
	}
	return out
}
