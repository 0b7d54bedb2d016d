package mapping

import (
	"iter"

	"github.com/causeway-sim/causeway/accelerators/mapping/attention"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
	"github.com/causeway-sim/causeway/accelerators/mapping/vector"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Plan says how one core executes one operator or its share of it.
type Plan struct {
	Op     *graph.Op
	Matrix bool     // runs on the array; else on the vector unit
	Tile   dma.Tile // of matrix work
	Order  string   // memory loops from the outside in, for example "nmk"
	Folds  int64    // stationary tiles that pass through the array
	Steps  int64
	// Cycles of the array or the vector unit, never waiting. Steps of matrix
	// work take longer in sum where fused operators need the vector unit for
	// longer than the array works.
	Cycles  int64
	MACs    int64
	Vector  int64 // vector operations, fused ones included
	SRAM    dma.Accesses
	Traffic dma.Traffic
	Scratch int64 // bytes of scratch memory for spilled partial sums
	Time    int64 // estimated cycles, with memory and array in parallel

	tiles tile.Schedule // of matrix work on the array; of other work it says the machine and the widths of operands
	attn  *attention.Schedule
	work  *vector.Work  // of the vector unit
	own   *machine.Own  // of a core that maps in its own way
	skips graph.Pattern // of the weights
	into  [2]int64      // with operands that cores fetch together: bytes that enter the ifmap and the filter buffer
}

// What plans have that are not the array's own.
var (
	noShape    product.Shape
	noMachine  machine.Machine
	noSolution tile.Solution
)

// All yields the steps in order. The step and its slices hold until the next
// one.
func (p *Plan) All() iter.Seq[*dma.Step] {
	return func(yield func(*dma.Step) bool) {
		w, s := p.Walk(), dma.Step{}
		for w.Next(&s) && yield(&s) {
		}
	}
}

// Resident is the operand that stays while the innermost memory loop runs.
func (p *Plan) Resident() string {
	if p.Matrix && p.own == nil {
		for _, r := range []string{"ifmap", "filter", "ofmap"} {
			if tile.Residents[r] == p.Order[2:] {
				return r
			}
		}
	}
	return ""
}

// tiled reports whether the search found the tiles of a product: plans of one solution are alike.
func (p *Plan) tiled() bool { return p.Matrix && p.attn == nil && p.own == nil }

// matrixPlan is the plan of a product by its schedule.
func matrixPlan(op *graph.Op, t tile.Schedule) *Plan {
	s, c := t.S, &t.Sol.C
	p := &Plan{Op: op, Matrix: true, Tile: c.Tile(), Steps: t.Steps,
		Order: tile.Orders[c.Order].String(), Folds: t.Sol.Cost.Folds, Cycles: t.Sol.Cost.Cycles, MACs: s.MACs(),
		Vector: s.Vector, SRAM: c.Accesses(s, t.H, t.Sol.Cost), Traffic: t.Sol.Traffic, Time: t.Sol.Time, tiles: t}
	if p.tiles.Spills {
		p.Scratch = c.BT * s.Acc.Size(s.M()*s.N)
	}
	return p
}
