package mapping

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/dataflow"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A Planner maps the products of a core that is no systolic array: a loop nest.
// Everything else (the vector unit, fused functions, whom a job waits for) is as for any
// core.
type Planner interface {
	// Plan maps an operator. It says the same whenever it is asked.
	Plan(r *Product) (*Own, error)
	// Attend maps attention as one operator (graph.Attention), whose scores stay on the
	// chip: r.Matrix and r.Bias mean nothing.
	Attend(r *Product) (*Own, error)
}

// A Product is a matrix operator to be mapped by a Planner.
type Product struct {
	Graph     *graph.Graph
	Op        *graph.Op
	Matrix    graph.Matrix // products that use the same B are one
	Bias, Out graph.TensorID
	Sums      graph.DType // of partial sums
	Vector    int64       // operations of the vector unit on the results
	Lanes     int64
	Memory    Memory // below the core
}

// A Stepper yields the steps of a plan in order, as a Walker does.
type Stepper interface{ Next(*Step) bool }

// An Own is what a Planner makes of an operator.
type Own struct {
	Tile          Tile
	Steps, Cycles int64 // of the compute units, never waiting
	MACs          int64
	Units         int64 // of compute
	Used          int64 // of them, at most
	Traffic       Traffic
	Scratch       int64 // bytes
	// Energy in pJ of compute units and of the levels on the chip; 0: no figures.
	Compute, Storage float64
	Footprint        [3]int64 // bytes of inputs, weights and results that lie on the chip at a time
	Walk             func() Stepper
	// Text is the mapping as text, for readers.
	Text string
}

// planExternally maps an operator by the core's own planner.
func (x *Mapper) planExternally(op *graph.Op, g *graph.Graph, core Core, rule Rule, sh *share, fused []*graph.Op) (*Plan, error) {
	m, _ := op.Matrix()
	m = collapse(m)
	if sh != nil && (sh.casts != [2]multicastShare{} || sh.sum.shared() || partOf(m, sh)) {
		return nil, fmt.Errorf("%s: a loop nest carries out whole operators (want split: layer, or cores of their own)", op.Name)
	}
	if rule.Tile != (Tile{}) || rule.Order != "" || rule.Resident != "" {
		return nil, fmt.Errorf("%s: a rule for tiles is for systolic arrays; a loop nest has constraints", op.Name)
	}
	out, vector := op.Out[0], op.VectorOps()
	for _, f := range fused {
		out = f.Out[0]
		if _, ok := f.Kind.(graph.Norm); !ok {
			vector += f.VectorOps()
		}
	}
	o, err := core.Planner.Plan(&Product{Graph: g, Op: op, Matrix: m, Bias: folded(op, fused), Out: out, Sums: core.Accumulator,
		Vector: vector, Lanes: int64(max(core.Lanes, 1)), Memory: core.Memory})
	if err != nil {
		return nil, of(op, err)
	}
	return o.Plan(op, core.Lanes, vector), nil
}

// of is an error about an operator; one that has a place needs no name.
func of(op *graph.Op, err error) error {
	if configs.PosOf(err) != (configs.Pos{}) {
		return err
	}
	return fmt.Errorf("%s: %w", op.Name, err)
}

// ownAttention maps attention as one operator by the core's own planner.
func (x *Mapper) ownAttention(op *graph.Op, g *graph.Graph, core Core, rule Rule, sh *share) (*Plan, error) {
	if all := wholeOf(op); sh != nil && (sh.casts != [2]multicastShare{} || sh.batch != all.batch || sh.row != all.row || sh.n != all.n) {
		return nil, fmt.Errorf("%s: a loop nest carries out whole operators (want split: layer, or cores of their own)", op.Name)
	}
	if rule.Tile != (Tile{}) || rule.Order != "" || rule.Resident != "" {
		return nil, fmt.Errorf("%s: a rule for tiles is for systolic arrays; a loop nest has constraints", op.Name)
	}
	o, err := core.Planner.Attend(&Product{Graph: g, Op: op, Bias: graph.None, Out: op.Out[0], Sums: core.Accumulator,
		Vector: op.VectorOps(), Lanes: int64(max(core.Lanes, 1)), Memory: core.Memory})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op.Name, err)
	}
	return o.Plan(op, core.Lanes, op.VectorOps()), nil
}

// Plan is the plan of an operator with so many operations for a vector unit of so many
// lanes.
func (o *Own) Plan(op *graph.Op, lanes int, vector int64) *Plan {
	p := &Plan{Op: op, Matrix: true, Tile: o.Tile, Order: "own", Folds: o.Steps, Steps: o.Steps, Cycles: o.Cycles, MACs: o.MACs,
		Vector: vector, Traffic: o.Traffic, Scratch: o.Scratch, Time: o.Cycles, lanes: int64(max(lanes, 1)), own: o}
	p.s, p.h = &noShape, &machine{rows: o.Units, cols: 1, rate: Rate{1, 1}}
	p.sol = &solution{cost: cost{stream: o.Cycles}}
	return p
}

// partOf reports whether a share is not all of an operator.
func partOf(m graph.Matrix, sh *share) bool {
	all := whole(m)
	return sh.batch != all.batch || sh.image != all.image || sh.row != all.row || sh.n != all.n
}

// Own is the plan of the core's own planner; nil for a systolic array's.
func (p *Plan) Own() *Own { return p.own }

// parts divides the cycles of a nest: units without work are mapping loss.
func (o *Own) parts() dataflow.Parts {
	useful := float64(o.MACs) / float64(o.Units)
	return dataflow.Parts{Useful: useful, Mapping: float64(o.Cycles) - useful}
}
