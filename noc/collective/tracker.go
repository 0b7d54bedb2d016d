package collective

// A Tracker follows a run of a schedule: it tells which operations may start.
// It is what a player of schedules needs besides time and a network. It
// allocates nothing after NewTracker.
type Tracker struct {
	s    *Schedule
	rank []progress
	left int
}

// progress is the state of one rank: how many operations each one still waits
// for, and who waits for it.
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
		for i := range ops {
			for _, a := range ops[i].After {
				p.waiters[fill[a]] = int32(i)
				fill[a]++
			}
		}
	}
	t.reset()
	return t
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

// Start begins a run, from the start if there was one before, and reports every
// operation that waits for nothing, by rank and index.
func (t *Tracker) Start(ready func(rank, op int32)) {
	t.reset()
	for r := range t.s.Ops {
		for i, m := range t.rank[r].missing {
			if m == 0 {
				ready(int32(r), int32(i))
			}
		}
	}
}

// Done notes that an operation is done, and reports those of the same rank that
// may start now, by index.
func (t *Tracker) Done(rank, op int32, ready func(rank, op int32)) {
	p := &t.rank[rank]
	t.left--
	for _, w := range p.waiters[p.first[op]:p.first[op+1]] {
		if p.missing[w]--; p.missing[w] == 0 {
			ready(rank, w)
		}
	}
}

// Left is the number of operations that are not done.
func (t *Tracker) Left() int { return t.left }
