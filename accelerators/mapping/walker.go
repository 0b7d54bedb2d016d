package mapping

import (
	"github.com/causeway-sim/causeway/accelerators/mapping/attention"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
	"github.com/causeway-sim/causeway/accelerators/mapping/vector"
)

// A Walker yields the steps of a plan in order, without allocating per step.
type Walker struct {
	p    *Plan
	tile tile.Walk
	attn attention.Walk
	part vector.Walk
	own  machine.Stepper // of a core that maps in its own way
}

// Walk starts a walk over the plan's steps.
func (p *Plan) Walk() *Walker {
	w := &Walker{}
	w.Reset(p)
	return w
}

// Reset starts the walk over p, keeping nothing of an earlier one.
func (w *Walker) Reset(p *Plan) {
	*w = Walker{p: p}
	switch {
	case p.own != nil:
		w.own = p.own.Walk()
	case p.attn != nil:
		w.attn.Reset(p.attn)
	case p.Matrix:
		w.tile.Reset(&p.tiles)
	default:
		w.part.Reset(p.work)
	}
}

// Next fills st with the next step; false at the end.
func (w *Walker) Next(st *dma.Step) bool {
	switch {
	case w.own != nil:
		return w.own.Next(st)
	case w.p.attn != nil:
		return w.attn.Next(st)
	case w.p.Matrix:
		return w.tile.Next(st)
	}
	return w.part.Next(st)
}
