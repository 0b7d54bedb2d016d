package tiering

import (
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/tiering/placement"
)

// phases of a move.
const (
	draining = iota // requests to the pages are under way still
	reading
	writing
)

// An active move carries one page, or exchanges two.
type active struct {
	placement.Move
	from  int8
	frame uint32 // where the page goes, unless it is exchanged
	begun uint64
	phase uint8
	left  int32 // orders that are not answered
	busy  bool
	task  task.ID
}

// moves carries out what the policy wants, a few at a time. A page that moves takes
// no requests.
type moves struct {
	c      *Comp
	list   []placement.Move // of the last plan
	next   int
	active []active
}

func newMoves(c *Comp) moves { return moves{c: c, active: make([]active, c.spec.Migration.Parallel)} }

// plan calls the policy and drops moves of the last plan that have not begun. It returns the
// pages that the plan moves, less those dropped.
func (m *moves) plan(cycle uint64) (cost float64) {
	for _, x := range m.list[m.next:] {
		cost -= x.Cost()
		m.c.count.dropped++
	}
	m.c.view.Budget -= cost
	m.list, m.next = m.c.policy.Plan(&m.c.view, m.list[:0]), 0
	for _, x := range m.list {
		cost += x.Cost()
	}
	return cost
}

// step leads moves from phase to phase, and begins others if it may.
func (m *moves) step(cycle uint64, begin bool) {
	for i := range m.active {
		a := &m.active[i]
		if begin && !a.busy && m.next < len(m.list) {
			m.begin(a, cycle)
		}
		if a.busy && a.left == 0 {
			m.advance(int32(i), cycle)
		}
	}
}

// begin starts the next move, if it still can be done.
func (m *moves) begin(a *active, cycle uint64) {
	c := m.c
	x := m.list[m.next]
	p := &c.table.info[x.Page]
	frame := noFrame
	if x.With == placement.None {
		var ok bool
		if frame, ok = c.table.take(int(x.To)); !ok {
			// A move in flight will free the frame, or a page that was accessed meanwhile took
			// it; then the next plan drops the move.
			return
		}
	}
	m.next++
	*a = active{Move: x, from: p.Tier, frame: frame, begun: cycle, busy: true}
	p.Moving = true
	pages := 1
	if x.With != placement.None {
		c.table.info[x.With].Moving = true
		pages = 2
	}
	a.task = c.beginMove(pages)
}

// advance goes to the next phase once nothing of this one is left.
func (m *moves) advance(i int32, cycle uint64) {
	c, a := m.c, &m.active[i]
	switch a.phase {
	case draining:
		if c.under[a.Page] > 0 || a.With != placement.None && c.under[a.With] > 0 {
			return
		}
		a.phase = reading
		m.copy(i, int(a.from), c.table.frame[a.Page], false)
		if a.With != placement.None {
			m.copy(i, int(a.To), c.table.frame[a.With], false)
		}
	case reading:
		a.phase = writing
		if a.With == placement.None {
			m.copy(i, int(a.To), a.frame, true)
			return
		}
		m.copy(i, int(a.To), c.table.frame[a.With], true)
		m.copy(i, int(a.from), c.table.frame[a.Page], true)
	case writing:
		m.end(a, cycle)
	}
}

// copy reads or writes a frame.
func (m *moves) copy(i int32, tier int, frame uint32, write bool) {
	c := m.c
	addr, size, burst := c.table.address(frame), uint64(c.spec.Page), uint64(c.spec.Migration.Burst)
	for at := uint64(0); at < size; at += burst {
		m.active[i].left += c.below[tier].push(order{addr: addr + at, bytes: burst, request: -1, move: i, write: write, hint: memory.Hint{Task: m.active[i].task}})
	}
	if l := &c.load[tier]; write {
		l.moveWrites += size
	} else {
		l.moveReads += size
	}
}

func (m *moves) answered(i int) { m.active[i].left-- }

// end puts the pages to where they were written, and lets requests go on.
func (m *moves) end(a *active, cycle uint64) {
	c := m.c
	t := &c.table
	old := t.frame[a.Page]
	m.arrive(a.Page, a.from, a.To)
	if a.With == placement.None {
		t.give(int(a.from), old)
		t.frame[a.Page] = a.frame
	} else {
		t.frame[a.Page], t.frame[a.With] = t.frame[a.With], old
		m.arrive(a.With, a.To, a.from)
	}
	c.count.moveTime += cycle - a.begun
	c.count.moves++
	c.tasks.End(c.now, a.task)
	a.busy = false
	m.release(cycle)
}

func (m *moves) arrive(page int32, from, to int8) {
	c := m.c
	x := &c.table.info[page]
	x.Tier, x.Moving = to, false
	c.tlb.drop(uint32(page))
	c.load[from].movedOut++
	c.load[to].movedIn++
}

// release continues the pieces whose page has arrived, in order.
func (m *moves) release(cycle uint64) {
	c := m.c
	keep := c.parked[:0]
	for _, p := range c.parked {
		if x := &c.table.info[p.page]; x.Moving {
			keep = append(keep, p)
		} else {
			c.sample(x)
			c.forward(p, cycle)
		}
	}
	c.parked = keep
}
