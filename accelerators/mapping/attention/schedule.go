package attention

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
	"github.com/causeway-sim/causeway/accelerators/mapping/walk"
)

// A Schedule is the steps of an attention on a core: its loop, and where its tensors lie.
type Schedule struct {
	A     Shape
	At    Place
	Loop  Loop
	h     *machine.Machine
	lanes int64
}

// walk is how many cycles the steps take, as walk.Run says.
func (p *Schedule) walk(steps, limit int64) (cycles, work, bytes int64) {
	w := Walk{}
	w.Reset(p)
	return walk.Run(&w, walk.Engine{Mem: &p.h.Mem}, steps, limit)
}

// Schedule is the steps of a loop of an attention on a machine.
func (a *Shape) Schedule(l *Loop, h *machine.Machine, lanes int64, at Place) *Schedule {
	return &Schedule{a.Divided(l.parts), at, *l, h, lanes}
}

// Placed is the attention as one whose positions begin at 0, where no mask makes them differ: equal
// shares have one plan.
func (a Shape) Placed() Shape {
	if !a.Mask.Causal {
		a.Q0, a.Q1 = 0, a.Q1-a.Q0
	}
	return a
}

type Key struct {
	A     Shape
	H     machine.Machine
	Lanes int64
	Tile  dma.Tile
	Goal  tile.Goal
	Gemv  int
}

type Result struct {
	S    product.Shape
	Loop Loop
	H    machine.Machine // that it is for
	Err  error
}

// Tile of a loop, as a rule fixes it.
func (l *Loop) Tile(a *Shape) dma.Tile { return dma.Tile{Batch: 1, M: l.BR, N: l.BC, K: a.Size} }

// Search finds the loop of an attention. A loop that a rule gives back is found again.
func (v *Result) Search(core *machine.Core, key *Key, plan func(*Loop, *machine.Machine) *Schedule) {
	x := contest{key: key, core: core, plan: plan}
	v.Loop, v.H, v.Err = x.run()
	if v.Err != nil || key.Goal != tile.LeastTime || key.Tile == v.Loop.Tile(&key.A) {
		return
	}
	again := *key
	again.Tile = v.Loop.Tile(&key.A)
	x = contest{key: &again, core: core, plan: plan}
	v.Loop, v.H, v.Err = x.run()
}
