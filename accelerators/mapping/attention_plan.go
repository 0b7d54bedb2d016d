package mapping

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// An attentionPlan is what a Plan of a graph.Attention has besides.
type attentionPlan struct {
	a    attention
	at   attentionPlace
	loop loop
}

// AttentionFits tells why the tile loop of an operator of kind graph.Attention does not
// fit into the buffers of a core; nil if it does.
func (x *Mapper) AttentionFits(op *graph.Op, g *graph.Graph, core Core) error {
	_, err := x.attention(op, g, core, "traffic", Rule{}, nil)
	return err
}

// attention plans an operator of kind graph.Attention, or the share of it.
//
// Blocks of positions stay on the chip with their sums while keys and values pass in
// blocks of entries: scores of a block, its softmax (online: the sums are scaled when a
// larger score comes), weighted sum. Three blocks are under way at once.
func (x *Mapper) attention(op *graph.Op, g *graph.Graph, core Core, objective string, rule Rule, sh *share) (*Plan, error) {
	if core.Planner != nil {
		return x.ownAttention(op, g, core, rule, sh)
	}
	h, err := newMachine(core, g, op)
	if err != nil {
		return nil, err
	}
	a, at, err := attentionOf(op, g, core.Accumulator, sh)
	if err != nil {
		return nil, err
	}
	if rule.Order != "" || rule.Resident != "" || rule.Tile.Batch > 1 || rule.Tile.K > 0 && rule.Tile.K != a.size {
		return nil, fmt.Errorf("%s: an attention has tiles of m queries and n keys, all of a head in k, and no order nor resident operand (key workload.attention: unfused makes several operators of it)", op.Name)
	}
	by, ok := goals[objective]
	if !ok {
		return nil, fmt.Errorf("unknown objective %q (want one of: %s)", objective, strings.Join(Objectives(), ", "))
	}
	h.mem = core.Memory
	lanes := int64(max(core.Lanes, 1))
	key := attentionKey{a, h, lanes, rule.Tile, by, core.Gemv}
	v, ok := x.attentions[key]
	if !ok {
		v.h = h
		v.loop, v.err = searchAttention(&a, &h, lanes, rule.Tile, by)
		for _, g := range gemvMachines(core, &key.h, by, a.size, a.size, a.group*(a.q1-a.q0) >= key.h.rows) {
			if l, err := searchAttention(&a, &g, lanes, rule.Tile, by); err == nil && (v.err != nil || l.rank < v.loop.rank) {
				v.loop, v.h, v.err = l, g, nil
			}
		}
		x.attentions[key] = v
	}
	if v.err != nil {
		return nil, fmt.Errorf("%s: %w", op.Name, v.err)
	}
	l := &v.loop
	return &Plan{Op: op, Matrix: true, Tile: Tile{1, l.br, l.bc, a.size}, Folds: l.folds, Steps: l.steps, Cycles: l.cycles,
		MACs:   a.heads * a.group * a.mask.Pairs(a.q0, a.q1, a.queries, a.keys) * (a.size + a.value),
		Vector: l.vector, SRAM: l.acc, Traffic: l.traffic, Time: l.rank, h: v.h, lanes: lanes,
		s: shape{aWide: a.qWide, bWide: a.kWide, acc: a.acc}, attn: &attentionPlan{a, at, *l}}, nil
}

type attentionKey struct {
	a     attention
	h     machine
	lanes int64
	tile  Tile
	goal  goal
	gemv  int
}

type attentionValue struct {
	loop loop
	h    machine // that it is for
	err  error
}

// Loads is the bytes of operand i that the plan reads from memory; ok is false where all
// of the operand is read once.
func (p *Plan) Loads(i int) (bytes int64, ok bool) {
	switch {
	case p.attn != nil && i == 0:
		return p.attn.loop.queries, true
	case p.attn != nil && i == 1:
		return p.attn.loop.keyBytes, true
	case p.attn != nil && i == 2:
		return p.Traffic.Filter - p.attn.loop.keyBytes, true
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
func (p *Plan) KeepsKeys() bool { return p.attn != nil && p.attn.loop.resident }
