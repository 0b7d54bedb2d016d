package serving

import (
	"slices"

	"github.com/causeway-sim/causeway/memory/tiering/placement"
)

// A Move copies the contents of a block to a frame of another tier, which is free or is exchanged
// with that of another block.
type Move struct {
	Block, With int32 // With is a free block unless Both
	Both        bool
	turns       [2]uint32 // of the two blocks: what is in them when the move begins
}

// A Load is the load of a tier between two calls of the policy: reads of keys and values, their
// bytes, and the latency of any read of the tier, loaded and unloaded, in any one unit.
type Load struct {
	Reads, Bytes  uint64
	Latency, Idle float64
}

// A mover is the blocks as a placement policy sees them: as pages.
type mover struct {
	policy  placement.Policy
	view    placement.View
	asked   []placement.Move
	written []int32 // step in which a block was written last, or was held, and one
	pending []*Step // with moves that have not arrived
	since   int     // steps since the policy was asked
}

func newMover(p *pool, s *Spec) mover {
	m := mover{policy: s.Policy}
	if m.policy == nil {
		return m
	}
	m.view = placement.View{Interval: 1, Tiers: make([]placement.Tier, len(p.tiers)), Pages: make([]placement.Page, len(p.blocks)), PageBytes: max(s.Bytes, 1)}
	m.written = make([]int32, len(p.blocks))
	for t := range p.tiers {
		m.view.Tiers[t].Frames = p.tiers[t].size
	}
	return m
}

// tier is where the next block comes from.
func (e *Engine) tier() int {
	has := func(l list) bool { return l.count > 0 }
	if m := &e.mover; m.policy != nil {
		e.refresh()
		if t := m.policy.First(&m.view, int(e.pool.taken)); t < len(e.pool.tiers) && has(e.pool.tiers[t]) {
			return t
		}
	}
	return slices.IndexFunc(e.pool.tiers, has)
}

// refresh counts the frames that are in use.
func (e *Engine) refresh() {
	for t := range e.mover.view.Tiers {
		e.mover.view.Tiers[t].Used = e.pool.tiers[t].size - e.pool.tiers[t].count
	}
}

// touch notes that a step reads blocks.
func (e *Engine) touch(blocks []int32) {
	m := &e.mover
	if m.policy == nil {
		return
	}
	for _, b := range blocks {
		p := &m.view.Pages[b]
		p.Count++
		if now := m.view.Interval; p.Seen != now {
			p.Before, p.Seen = p.Seen, now
		}
	}
}

// fresh forgets what was in a block: it was taken.
func (m *mover) fresh(b int32) {
	if m.policy != nil {
		m.view.Pages[b] = placement.Page{Tier: placement.Nowhere}
	}
}

// Observe passes the tier policy, before Schedule, the observed time (in the unit of the
// latencies) and the load of each tier.
func (e *Engine) Observe(cycles uint64, loads []Load) {
	v := &e.mover.view
	v.Cycles = max(cycles, 1)
	for t := range v.Tiers {
		l, x := &loads[t], &v.Tiers[t]
		x.Reads, x.Bytes, x.Idle = l.Reads, l.Bytes, l.Idle
		x.Occupancy = l.Latency * float64(l.Reads) / float64(v.Cycles) // Little's law
	}
}

// Asks reports whether the tier policy is called with the next step.
func (e *Engine) Asks() bool { return e.mover.policy != nil && e.mover.since+1 >= e.spec.Every }

// plan calls the policy to choose the blocks that move with a step, except blocks that the step
// writes, and blocks of held requests.
func (e *Engine) plan(s *Step) {
	m := &e.mover
	if m.policy == nil {
		return
	}
	if m.since++; m.since < e.spec.Every {
		return
	}
	m.since = 0
	for i := range s.Parts {
		p := &s.Parts[i]
		for _, b := range p.Blocks[p.Entries/e.spec.Block:] {
			m.written[b] = int32(s.Number) + 1
		}
	}
	for _, q := range e.held {
		for _, b := range q.blocks {
			m.written[b] = int32(s.Number) + 1
		}
	}
	e.refresh()
	m.view.Budget = float64(e.spec.Moves)
	for b := range m.view.Pages {
		x, p := &e.pool.blocks[b], &m.view.Pages[b]
		if x.users == 0 {
			*p = placement.Page{Tier: placement.Nowhere}
			continue
		}
		p.Tier, p.Moving = x.tier, x.busy || m.written[b] == int32(s.Number)+1
	}
	m.asked = m.policy.Plan(&m.view, m.asked[:0])
	m.view.Interval++
	for _, a := range m.asked {
		e.depart(s, a)
	}
	if len(s.Moves) > 0 {
		m.pending = append(m.pending, s)
	}
}

// depart begins a move, if there is a frame that it can go to: one that another move of the
// same step leaves is not free yet.
func (e *Engine) depart(s *Step, a placement.Move) {
	x := Move{Block: a.Page, With: a.With, Both: a.With != placement.None}
	if !x.Both {
		if e.pool.tiers[a.To].count == 0 {
			return
		}
		x.With = e.pool.keep(a.To)
	}
	for i, b := range []int32{x.Block, x.With} {
		e.pool.blocks[b].busy = true
		x.turns[i] = e.pool.blocks[b].turn
	}
	s.Moves = append(s.Moves, x)
}

// arrived ends the moves of a step: each block gets its new frame, unless the block was freed
// or reused meanwhile.
func (e *Engine) arrived(s *Step) {
	if len(s.Moves) == 0 {
		return
	}
	e.mover.pending = slices.DeleteFunc(e.mover.pending, func(x *Step) bool { return x == s })
	for i := range s.Moves {
		m := &s.Moves[i]
		if !e.still(m.Block, m.turns[0]) || m.Both && !e.still(m.With, m.turns[1]) {
			e.Dropped++
			e.stay(m)
			continue
		}
		from := e.pool.blocks[m.Block].tier
		e.pool.exchange(m.Block, m.With)
		if up := e.pool.blocks[m.Block].tier < from; up {
			e.Promoted++
		} else {
			e.Demoted++
		}
		if m.Both { // the other one goes the other way
			if e.pool.blocks[m.With].tier < e.pool.blocks[m.Block].tier {
				e.Promoted++
			} else {
				e.Demoted++
			}
		}
		e.stay(m)
	}
}

// still reports whether a block is in use and has not been reused since the given turn.
func (e *Engine) still(b int32, turn uint32) bool {
	return e.pool.blocks[b].users > 0 && e.pool.blocks[b].turn == turn
}

// stay ends a move: its blocks may move again, and a frame that was kept is free.
func (e *Engine) stay(m *Move) {
	e.pool.blocks[m.Block].busy = false
	if m.Both {
		e.pool.blocks[m.With].busy = false
		return
	}
	e.pool.unkeep(m.With)
}

// lose ends all moves under way, which come to nothing.
func (e *Engine) lose() {
	for _, s := range e.mover.pending {
		for i := range s.Moves {
			e.Dropped++
			e.stay(&s.Moves[i])
		}
		s.Moves = nil
	}
	e.mover.pending = nil
}
