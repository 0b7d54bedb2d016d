package collective

// A Tracker reports the operations of a schedule that may start. A player adds time and a
// network. It does not allocate after NewTracker.
type Tracker struct {
	s    *Schedule
	rank []progress
	left int
}

// progress is the state of one rank: for each operation the number of open dependencies, and the
// operations that wait for it.
type progress struct {
	missing []int32
	first   []int32 // of waiters, by operation; one more at the end
	waiters []int32
}

// NewTracker prepares a run.
func NewTracker(s *Schedule) *Tracker {
	t := &Tracker{s: s, rank: make([]progress, len(s.Ops))}
	for r, ops := range s.Ops {
		p := &t.rank[r]
		p.missing = make([]int32, len(ops))
		p.first = make([]int32, len(ops)+1)
		for i := range ops {
			for _, a := range ops[i].After {
				p.first[a+1]++
			}
		}
		for i := range ops {
			p.first[i+1] += p.first[i]
		}
		p.waiters = make([]int32, p.first[len(ops)])
		fill := append([]int32(nil), p.first[:len(ops)]...)
		each(ops, func(i int) {
			for _, a := range ops[i].After {
				p.waiters[fill[a]] = int32(i)
				fill[a]++
			}
		})
	}
	t.reset()
	return t
}

// each calls f for the operations of a rank in the order in which they start at an instant: sends
// before the others. Algorithms write the two ends of a message in an order that depends on the
// numbers of the ranks; this one does not.
func each(ops []Op, f func(i int)) {
	for i := range ops {
		if ops[i].Kind == Send {
			f(i)
		}
	}
	for i := range ops {
		if ops[i].Kind != Send {
			f(i)
		}
	}
}

func (t *Tracker) reset() {
	t.left = 0
	for r, ops := range t.s.Ops {
		t.left += len(ops)
		for i := range ops {
			t.rank[r].missing[i] = int32(len(ops[i].After))
		}
	}
}

// Start starts a run, or restarts it, and calls ready for every operation without dependencies,
// by rank: sends by index, then the others.
func (t *Tracker) Start(ready func(rank, op int32)) {
	t.reset()
	for r, ops := range t.s.Ops {
		each(ops, func(i int) {
			if t.rank[r].missing[i] == 0 {
				ready(int32(r), int32(i))
			}
		})
	}
}

// Done ends an operation, and calls ready for operations of the same rank that may start now:
// sends by index, then the others.
func (t *Tracker) Done(rank, op int32, ready func(rank, op int32)) {
	p := &t.rank[rank]
	t.left--
	for _, w := range p.waiters[p.first[op]:p.first[op+1]] {
		if p.missing[w]--; p.missing[w] == 0 {
			ready(rank, w)
		}
	}
}

// Left returns the operations that are not done.
func (t *Tracker) Left() int { return t.left }
