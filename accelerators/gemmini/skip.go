package gemmini

import "github.com/causeway-sim/causeway/components/integer"

// Once all loads of the next loop are done, only the array works: block after block of weights,
// each over the same results, until the loop ends. Where the machine is in the same state at the
// start of two blocks that follow each other, what happens between them is repeated in one step. The result
// is that of every cycle carried out.

// A mark is the state at the start of a block of weights, without names of places: equal marks
// have equal futures, for as long as only the array works.
type mark struct {
	at     int64
	block  int
	state  []int64
	result Result
}

// skip looks for a repetition.
func (s *sim) skip() {
	x := &s.unroll.units[uExecute]
	if !x.busy || !x.preload || x.config || !s.blockStart(x) {
		s.within = true
		return
	}
	if !s.within {
		return // the same start as a cycle ago
	}
	s.within = false
	if !s.onlyExecutes(x) {
		s.last.state = s.last.state[:0]
		return
	}
	left := s.unroll.blocksLeft(x)
	s.scratch = s.state(s.scratch[:0])
	now := mark{at: s.now, block: left, result: s.out}
	if len(s.last.state) > 0 && s.last.block == left+1 && equal(s.last.state, s.scratch) && left > 2 {
		s.repeat(x, left-2)
		now = mark{at: s.now, block: 2, result: s.out}
	}
	now.state = append(s.last.state[:0], s.scratch...)
	s.last = now
}

func equal(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// blockStart says that execution is about to load new weights.
func (s *sim) blockStart(x *unit) bool {
	if s.unroll.slots[x.slot].loop.IsConv {
		return x.it[3] == 0 && x.it[4] == 0
	}
	return x.it[2] == 0
}

// onlyExecutes says that nothing but the array can act until the loop ends.
func (s *sim) onlyExecutes(x *unit) bool {
	for _, i := range [3]int{uClear, uWeights, uInputs} {
		if s.unroll.units[i].busy {
			return false
		}
	}
	if st := &s.unroll.units[uStore]; st.busy && (st.slot != x.slot || !s.unroll.slots[x.slot].loop.IsConv) {
		return false
	}
	if s.cpu.has && s.unroll.free() != nil {
		return false
	}
	l, t := &s.load, &s.store
	return l.queue.Len()+len(l.track)+len(l.rows)+l.inFlight+l.zeros == 0 && t.queue.Len()+len(t.rows)+t.inFlight == 0 &&
		len(s.answers.e) == 0 && s.unroll.used[qLoad] == 0 && s.unroll.used[qStore] == 0 && !(s.cpu.has && s.cpu.ready > s.now)
}

// state is all that decides what the array does next, with places in the station as ranks by age.
func (s *sim) state(to []int64) []int64 {
	e := &s.station.entries[qExecute]
	rank := func(at int) int64 {
		if at < 0 || !e[at].valid {
			return -1
		}
		n := int64(0)
		for i := 0; i < s.station.size[qExecute]; i++ {
			if e[i].valid && e[i].age < e[at].age {
				n++
			}
		}
		return n
	}
	put := func(x ...int64) { to = append(to, x...) }
	var byRank [maxEntries]int
	n := 0
	for i := 0; i < s.station.size[qExecute]; i++ {
		if e[i].valid {
			byRank[rank(i)] = i
			n++
		}
	}
	put(int64(n))
	for _, i := range byRank[:n] {
		flags := int64(e[i].op) << 2
		if e[i].issued {
			flags |= 1
		}
		if e[i].weights() {
			flags |= 2
		}
		put(flags, int64(e[i].rows))
	}
	for i := range s.exec.queue.Len() {
		put(rank(*s.exec.queue.At(i)))
	}
	put(-2)
	for i := range s.done[qExecute].Len() {
		put(rank(*s.done[qExecute].At(i)))
	}
	put(-3, int64(s.exec.pops), s.exec.until-s.now, int64(s.exec.tags), rank(s.exec.tail), int64(s.unroll.used[qExecute]))
	for i := range s.pipe.Len() {
		c := s.pipe.At(i)
		put(c.at-s.now, int64(c.op), int64(c.rows))
	}
	put(-4)
	s.sorted = append(s.sorted[:0], s.events.e...)
	for i := range s.sorted { // a few
		for j := i; j > 0 && s.sorted[j].before(&s.sorted[j-1]); j-- {
			s.sorted[j], s.sorted[j-1] = s.sorted[j-1], s.sorted[j]
		}
	}
	for _, v := range s.sorted {
		put(v.at-s.now, int64(v.what))
		if v.what == evResult {
			put(rank(v.arg))
		}
	}
	return to
}

// repeat does n blocks at once.
func (s *sim) repeat(x *unit, n int) {
	d := (s.now - s.last.at) * int64(n)
	s.now += d
	for i := range s.events.e {
		s.events.e[i].at += d
	}
	for i := range s.pipe.Len() {
		s.pipe.At(i).at += d
	}
	s.exec.until += d
	s.out.Busy += (s.out.Busy - s.last.result.Busy) * int64(n)
	s.out.Commands += (s.out.Commands - s.last.result.Commands) * int64(n)
	for ; n > 0; n-- {
		s.unroll.nextBlock(x)
	}
}

// nextBlock moves execution to the next block of weights; it says whether there is one.
func (u *unroller) nextBlock(x *unit) bool {
	l := &u.slots[x.slot].loop
	if d := u.m.Dim; l.IsConv {
		t := &l.Conv
		return x.advance(2, d, 0, t.Channels) || x.advance(1, 1, 0, t.KRows*t.KCols) || x.advance(0, d, 0, t.Filters)
	}
	return x.advance(1, 1, 0, l.Matmul.J) || x.advance(0, 1, 0, l.Matmul.K)
}

// blocksLeft is blocks of weights from this one to the end of the loop.
func (u *unroller) blocksLeft(x *unit) int {
	l := &u.slots[x.slot].loop
	if d := u.m.Dim; l.IsConv {
		t := &l.Conv
		c, places := integer.Ceil(t.Channels, d), t.KRows*t.KCols
		return ((integer.Ceil(t.Filters, d)-x.it[0]/d)*places-x.it[1])*c - x.it[2]/d
	}
	return (l.Matmul.K-x.it[0])*l.Matmul.J - x.it[1]
}
