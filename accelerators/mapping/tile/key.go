package tile

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/layout"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
)

// A Key is all that a mapping depends on: what the search and the walk of its steps read.
type Key struct {
	S      product.Shape
	H      machine.Machine
	W      Choice
	Goal   Goal
	Gemv   int
	Full   product.FullSize
	Sum    int64 // cores that make parts of the sum
	Coarse bool  // the search goes through the coarse grid alone
	Trial  bool  // the same, on the whole array, and no neighbours are looked at
}

type Result struct {
	S   product.Shape
	Sol Solution
	H   machine.Machine // that it is for
	Err error
}

// search finds the mapping of a shape on a core.
func (v *Result) search(s *product.Shape, core machine.Core, key *Key, known Cuts, plan func(Finalist) *Schedule) {
	v.H = key.H
	if key.Goal != LeastTime {
		var sols []Solution
		if sols, v.Err = Search(s, &v.H, key.W, key.Goal, known); v.Err == nil {
			v.Sol = sols[0]
		}
		return
	}
	x := contest{s: s, core: &core, w: key.W, known: known, plan: plan, coarse: key.Coarse || key.Trial, trial: key.Trial}
	best, err := x.run(&v.H)
	if err == nil && !key.Trial {
		best, err = x.fixed(&v.H, &best.Sol.C)
	}
	if v.Err = err; err == nil {
		v.H, v.Sol = best.H, best.Sol
	}
}

// Solve finds the mapping of the key's shape; rows that a stride leaves out are read as well where that is faster.
func Solve(key *Key, core machine.Core, known Cuts, plan func(*product.Shape, Finalist) *Schedule) *Result {
	search := func(s product.Shape) *Result {
		v := &Result{S: s}
		v.search(&v.S, core, key, known, func(f Finalist) *Schedule { return plan(&v.S, f) })
		return v
	}
	best := search(key.S)
	if s := key.S; s.SkipsRows() && s.ALayout == (layout.Arrangement{}) && !s.Kept.A && key.Goal == LeastTime {
		s.Between = true
		if v := search(s); v.Err == nil && (best.Err != nil || v.Sol.rank < best.Sol.rank) {
			return v
		}
	}
	return best
}
