package mapping

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// planExternally maps an operator by the core's own planner.
func (x *Mapper) planExternally(op *graph.Op, g *graph.Graph, core machine.Core, rule Rule, sh *product.Share, fused []*graph.Op) (*Plan, error) {
	m, _ := op.Matrix()
	m = product.Collapse(m)
	if sh != nil && (sh.Fetches != [2]dma.Fetch{} || sh.Sum.Shared() || partOf(m, sh)) {
		return nil, fmt.Errorf("%s: a loop nest carries out whole operators (want split: layer, or cores of their own)", op.Name)
	}
	if rule.Tile != (dma.Tile{}) || rule.Order != "" || rule.Resident != "" {
		return nil, fmt.Errorf("%s: a rule for tiles is for systolic arrays; a loop nest has constraints", op.Name)
	}
	out, vector := op.Out[0], op.VectorOps()
	for _, f := range fused {
		out = f.Out[0]
		if _, ok := f.Kind.(graph.Norm); !ok {
			vector += f.VectorOps()
		}
	}
	o, err := core.Planner.Plan(&machine.Product{Graph: g, Op: op, Matrix: m, Bias: folded(op, fused), Out: out, Sums: core.Accumulator,
		Vector: vector, Lanes: int64(max(core.Lanes, 1)), Memory: core.Memory})
	if err != nil {
		return nil, of(op, err)
	}
	return OwnPlan(o, op, core.Lanes, vector), nil
}

// of is an error about an operator; one that has a place needs no name.
func of(op *graph.Op, err error) error {
	if configs.PosOf(err) != (configs.Pos{}) {
		return err
	}
	return fmt.Errorf("%s: %w", op.Name, err)
}

// ownAttention maps attention as one operator by the core's own planner.
func (x *Mapper) ownAttention(op *graph.Op, g *graph.Graph, core machine.Core, rule Rule, sh *product.Share) (*Plan, error) {
	if all := product.WholeOf(op); sh != nil && (sh.Fetches != [2]dma.Fetch{} || sh.Batch != all.Batch || sh.Row != all.Row || sh.N != all.N) {
		return nil, fmt.Errorf("%s: a loop nest carries out whole operators (want split: layer, or cores of their own)", op.Name)
	}
	if rule.Tile != (dma.Tile{}) || rule.Order != "" || rule.Resident != "" {
		return nil, fmt.Errorf("%s: a rule for tiles is for systolic arrays; a loop nest has constraints", op.Name)
	}
	o, err := core.Planner.Attend(&machine.Product{Graph: g, Op: op, Bias: graph.None, Out: op.Out[0], Sums: core.Accumulator,
		Vector: op.VectorOps(), Lanes: int64(max(core.Lanes, 1)), Memory: core.Memory})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op.Name, err)
	}
	return OwnPlan(o, op, core.Lanes, op.VectorOps()), nil
}

// OwnPlan is the plan of an operator with so many operations for a vector unit of so many
// lanes.
func OwnPlan(o *machine.Own, op *graph.Op, lanes int, vector int64) *Plan {
	p := &Plan{Op: op, Matrix: true, Tile: o.Tile, Order: "own", Folds: o.Steps, Steps: o.Steps, Cycles: o.Cycles, MACs: o.MACs,
		Vector: vector, Traffic: o.Traffic, Scratch: o.Scratch, Time: o.Cycles, own: o}
	p.tiles.Lanes, p.tiles.S, p.tiles.H = int64(max(lanes, 1)), &noShape, &machine.Machine{Rows: o.Units, Cols: 1, Rate: machine.Rate{Num: 1, Den: 1}}
	p.tiles.Sol = &tile.Solution{Cost: tile.Cost{Stream: o.Cycles}}
	return p
}

// partOf reports whether a share is not all of an operator.
func partOf(m graph.Matrix, sh *product.Share) bool {
	all := product.Whole(m)
	return sh.Batch != all.Batch || sh.Image != all.Image || sh.Row != all.Row || sh.N != all.N
}

// Own is the plan of the core's own planner; nil for a systolic array's.
func (p *Plan) Own() *machine.Own { return p.own }

// partsOfOwn divides the cycles of a nest: units without work are mapping loss.
func partsOfOwn(o *machine.Own) dataflow.Parts {
	useful := float64(o.MACs) / float64(o.Units)
	return dataflow.Parts{Useful: useful, Mapping: float64(o.Cycles) - useful}
}
