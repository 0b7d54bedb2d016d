package cxl

import (
	"math/bits"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// An agenda holds when something happens next on each link, as a tree of minima: in
// a fabric of hundreds of links few have something to do at a time.
type agenda struct {
	leaves int
	least  []int64 // node n has the children 2n and 2n+1, the leaves are last
}

func newAgenda(links int) agenda {
	a := agenda{leaves: 1 << bits.Len(uint(max(links, 1)-1))}
	a.least = make([]int64, 2*a.leaves)
	for i := range a.least {
		a.least[i] = link.Never
	}
	return a
}

// next is the time of the first.
func (a *agenda) next() int64 { return a.least[1] }

// set notes the time of a link.
func (a *agenda) set(i int, t int64) {
	n := a.leaves + i
	if a.least[n] == t {
		return
	}
	a.least[n] = t
	for n >>= 1; n > 0; n >>= 1 {
		m := min(a.least[2*n], a.least[2*n+1])
		if a.least[n] == m {
			return
		}
		a.least[n] = m
	}
}

// due is the lowest link from one on with something to do up to t; -1: there is none.
func (a *agenda) due(from int, t int64) int {
	if from >= a.leaves {
		return -1
	}
	n := a.leaves + from
	for a.least[n] > t {
		for n&1 == 1 { // up, until there is something on the right
			if n >>= 1; n == 0 || n&(n+1) == 0 {
				return -1
			}
		}
		n++
	}
	for n < a.leaves {
		if n *= 2; a.least[n] > t {
			n++
		}
	}
	return n - a.leaves
}

// Next is when something happens on the link.
func (h *hop) Next() int64 {
	if h.dead {
		return link.Never
	}
	return h.Link.Next()
}

// stir notes that this may have changed.
func (h *hop) stir() { h.f.agenda.set(int(h.index), h.Next()) }

// Run shadows that of the link, as do the others.
func (h *hop) Run(t int64) {
	h.Link.Run(t)
	h.stir()
}

// PushOn shadows that of the link.
func (h *hop) PushOn(d flit.Direction, t int64, m flit.Message) {
	h.Link.PushOn(d, t, m)
	h.stir()
}

// ReleaseOn shadows that of the link.
func (h *hop) ReleaseOn(d flit.Direction, t int64, c flit.Class) {
	h.Link.ReleaseOn(d, t, c)
	h.stir()
}

// Release shadows that of the link.
func (h *hop) Release(t int64, c flit.Class) { h.ReleaseOn(c.Direction(), t, c) }

// Push shadows that of the link.
func (h *hop) Push(t int64, m flit.Message) { h.PushOn(m.Class.Direction(), t, m) }
