package transit

import (
	"math/bits"

	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// An Agenda holds one time for each of many, as a tree of minima: of hundreds of links, or
// hosts, few have something to do at a time.
type Agenda struct {
	leaves int
	least  []int64 // node n has the children 2n and 2n+1, the leaves are last
}

// NewAgenda makes an agenda of n, of which none has anything to do.
func NewAgenda(n int) Agenda {
	a := Agenda{leaves: 1 << bits.Len(uint(max(n, 1)-1))}
	a.least = make([]int64, 2*a.leaves)
	for i := range a.least {
		a.least[i] = link.Never
	}
	return a
}

// Next is the least time.
func (a *Agenda) Next() int64 { return a.least[1] }

// At is the time of one.
func (a *Agenda) At(i int) int64 { return a.least[a.leaves+i] }

// Set changes the time of one.
func (a *Agenda) Set(i int, t int64) {
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

// Due is the lowest from one on with something to do up to t; -1: there is none.
func (a *Agenda) Due(from int, t int64) int {
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
