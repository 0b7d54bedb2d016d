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
	key := attentionKey{a.placed(), h, lanes, rule.Tile, by, core.Gemv}
	v, ok := x.attentions[key]
	if !ok {
		v = &attentionValue{}
		v.search(&core, &key, func(l *loop, h *machine) *Plan { return a.plan(op, l, h, lanes, at, &noShape) })
		v.s = shape{aWide: a.qWide, bWide: a.kWide, acc: a.acc}
		x.attentions[key] = v
	}
	if v.err != nil {
		return nil, fmt.Errorf("%s: %w", op.Name, v.err)
	}
	return a.plan(op, &v.loop, &v.h, lanes, at, &v.s), nil
}

// plan is the plan of a loop of an attention on a machine.
func (a *attention) plan(op *graph.Op, l *loop, h *machine, lanes int64, at attentionPlace, s *shape) *Plan {
	return &Plan{Op: op, Matrix: true, Tile: l.tile(a), Folds: l.folds, Steps: l.steps, Cycles: l.cycles,
		MACs:   a.heads * a.group * a.mask.Pairs(a.q0, a.q1, a.queries, a.keys) * (a.size + a.value),
		Vector: l.vector, SRAM: l.acc, Traffic: l.traffic, Time: l.estimate, h: h, lanes: lanes,
		s: s, sol: &noSolution, attn: &attentionPlan{a.divided(l.parts), at, *l}}
}

// placed is the attention as one whose positions begin at 0, where no mask makes them differ: equal
// shares have one plan.
func (a attention) placed() attention {
	if !a.mask.Causal {
		a.q0, a.q1 = 0, a.q1-a.q0
	}
	return a
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
	s    shape
	loop loop
	h    machine // that it is for
	err  error
}

// tile of a loop, as a rule fixes it.
func (l *loop) tile(a *attention) Tile { return Tile{1, l.br, l.bc, a.size} }

// search finds the loop of an attention, as contest.fixed: given back, it is found again.
func (v *attentionValue) search(core *Core, key *attentionKey, plan func(*loop, *machine) *Plan) {
	x := attentionContest{key: key, core: core, plan: plan}
	v.loop, v.h, v.err = x.run()
	if v.err != nil || key.goal != leastTime || key.tile == v.loop.tile(&key.a) {
		return
	}
	again := *key
	again.tile = v.loop.tile(&key.a)
	x = attentionContest{key: &again, core: core, plan: plan}
	v.loop, v.h, v.err = x.run()
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
