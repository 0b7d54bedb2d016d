package mapping

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
	"github.com/causeway-sim/causeway/accelerators/mapping/vector"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// stream plans vector work, or the share cut out of "of" equal ones (of 0:
// all).
func (x *Mapper) stream(op *graph.Op, g *graph.Graph, core machine.Core, cut product.Part, of int64) (*Plan, error) {
	p := &Plan{Op: op, tiles: tile.Schedule{Lanes: int64(max(core.Lanes, 1)), S: &noShape, H: &noMachine, Sol: &noSolution}}
	if k, ok := op.Kind.(graph.Move); ok && k.Elements == 0 {
		return p, nil
	}
	s := &vector.Work{Ops: op.VectorOps() + x.norms[op], Once: x.norms[op] != 0}
	if ok, err := s.Divide(op, g, &core, cut, of, x.lies); err != nil {
		return nil, fmt.Errorf("%s: %w", op.Name, err)
	} else if !ok {
		return p, nil
	}
	p.Traffic, p.SRAM = s.Traffic, s.Acc
	p.work, p.Vector, p.Steps, p.Cycles = s, s.Ops, s.Steps, s.Cycles
	p.Time = max(p.Cycles, core.Memory.Busy(p.Traffic.Total(), 0)) + 2*core.Memory.Latency
	return p, nil
}
