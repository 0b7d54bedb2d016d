package mapping

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/accelerators/mapping/attention"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/accelerators/mapping/product"
	"github.com/causeway-sim/causeway/accelerators/mapping/tile"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// AttentionFits tells why the tile loop of an operator of kind graph.Attention does not
// fit into the buffers of a core; nil if it does.
func (x *Mapper) AttentionFits(op *graph.Op, g *graph.Graph, core machine.Core) error {
	_, err := x.attention(op, g, core, "traffic", Rule{}, nil)
	return err
}

// attention plans an operator of kind graph.Attention, or the share of it.
//
// Blocks of positions stay on the chip with their sums while keys and values pass in
// blocks of entries: scores of a block, its softmax (online: the sums are scaled when a
// larger score comes), weighted sum. Three blocks are under way at once.
func (x *Mapper) attention(op *graph.Op, g *graph.Graph, core machine.Core, objective string, rule Rule, sh *product.Share) (*Plan, error) {
	if core.Planner != nil {
		return x.ownAttention(op, g, core, rule, sh)
	}
	h, err := machine.New(core, g, op)
	if err != nil {
		return nil, err
	}
	a, at, err := attention.New(op, g, core.Accumulator, sh)
	if err != nil {
		return nil, err
	}
	if rule.Order != "" || rule.Resident != "" || rule.Tile.Batch > 1 || rule.Tile.K > 0 && rule.Tile.K != a.Size {
		return nil, fmt.Errorf("%s: an attention has tiles of m queries and n keys, all of a head in k, and no order nor resident operand (key workload.attention: unfused makes several operators of it)", op.Name)
	}
	by, ok := tile.Goals[objective]
	if !ok {
		return nil, fmt.Errorf("unknown objective %q (want one of: %s)", objective, strings.Join(Objectives(), ", "))
	}
	h.Mem = core.Memory
	lanes := int64(max(core.Lanes, 1))
	key := attention.Key{A: a.Placed(), H: h, Lanes: lanes, Tile: rule.Tile, Goal: by, Gemv: core.Gemv}
	v, ok := x.attentions[key]
	if !ok {
		v = &attention.Result{}
		v.Search(&core, &key, func(l *attention.Loop, h *machine.Machine) *attention.Schedule { return a.Schedule(l, h, lanes, at) })
		v.S = product.Shape{AWide: a.QWide, BWide: a.KWide, Acc: a.Acc}
		x.attentions[key] = v
	}
	if v.Err != nil {
		return nil, fmt.Errorf("%s: %w", op.Name, v.Err)
	}
	return attentionPlanOf(&a, op, &v.Loop, &v.H, lanes, at, &v.S), nil
}

// attentionPlanOf is the plan of a loop of an attention on a machine.
func attentionPlanOf(a *attention.Shape, op *graph.Op, l *attention.Loop, h *machine.Machine, lanes int64, at attention.Place, s *product.Shape) *Plan {
	return &Plan{Op: op, Matrix: true, Tile: l.Tile(a), Folds: l.Folds, Steps: l.Steps, Cycles: l.Cycles,
		MACs:   a.Heads * a.Group * a.Mask.Pairs(a.Q0, a.Q1, a.Queries, a.Keys) * (a.Size + a.Value),
		Vector: l.Vector, SRAM: l.Acc, Traffic: l.Traffic, Time: l.Estimate,
		attn: a.Schedule(l, h, lanes, at), tiles: tile.Schedule{S: s, H: h, Sol: &noSolution, Lanes: lanes}}
}

// Loads is the bytes of operand i that the plan reads from memory; ok is false where all
// of the operand is read once.
func (p *Plan) Loads(i int) (bytes int64, ok bool) {
	switch {
	case p.attn != nil && i == 0:
		return p.attn.Loop.Queries, true
	case p.attn != nil && i == 1:
		return p.attn.Loop.KeyBytes, true
	case p.attn != nil && i == 2:
		return p.Traffic.Filter - p.attn.Loop.KeyBytes, true
	case p.attn != nil || !p.Matrix:
		return 0, false
	case i == 0:
		return p.Traffic.Ifmap, true
	case i == 1:
		return p.Traffic.Filter, true
	}
	return 0, false
}

// KeepsKeys reports whether the keys and values of a head are read once.
func (p *Plan) KeepsKeys() bool { return p.attn != nil && p.attn.Loop.Resident }
