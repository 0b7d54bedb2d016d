package fabric

// A request is one input's wish for one output. Switch requests carry the lane
// that would send.
type request struct {
	age           int64 // the smaller one wins; all alike but for the allocator age
	in, out, lane int16
}

// A matcher pairs inputs with outputs of a router so that each is in one pair at
// most. Inputs and outputs have round-robin arbiters; their pointers are kept
// for all routers. A pointer stands behind the partner of the last match.
type matcher struct {
	n             int
	inPtr, outPtr []int16 // [router*n+i]
	bestIn        []int16 // request of an input, none outside of a call
	bestOut       []int16 // request of an output, none outside of a call
	ins, outs     []int16 // that are not none
	taken         []request
	match         func(r int, reqs []request) []request
	iterations    int
}

func newMatcher(routers, n int, a Allocator, iterations int) *matcher {
	m := &matcher{n: n, inPtr: make([]int16, routers*n), outPtr: make([]int16, routers*n), bestIn: filled(n), bestOut: filled(n), iterations: iterations}
	m.match = m.inputFirst
	if a == ISLIP {
		m.match = m.islip
	}
	return m
}

func filled(n int) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = none
	}
	return out
}

// around is the distance from the pointer of a round-robin arbiter to i.
func around(i, pointer int16, n int) int {
	if i < pointer {
		return int(i) + n - int(pointer)
	}
	return int(i - pointer)
}

// next is the place after i in a round of n.
func next(i int16, n int) int16 {
	if int(i)+1 == n {
		return 0
	}
	return i + 1
}

// byInput keeps request k if its input has none that is nearer to its pointer.
func (m *matcher) byInput(r int, reqs []request, k int) {
	q := reqs[k]
	ptr := m.inPtr[r*m.n+int(q.in)]
	switch b := m.bestIn[q.in]; {
	case b < 0:
		m.ins = append(m.ins, q.in)
		m.bestIn[q.in] = int16(k)
	case q.age < reqs[b].age || q.age == reqs[b].age && around(q.out, ptr, m.n) < around(reqs[b].out, ptr, m.n):
		m.bestIn[q.in] = int16(k)
	}
}

// byOutput keeps request k if its output has none that is nearer to its pointer.
func (m *matcher) byOutput(r int, reqs []request, k int) {
	q := reqs[k]
	ptr := m.outPtr[r*m.n+int(q.out)]
	switch b := m.bestOut[q.out]; {
	case b < 0:
		m.outs = append(m.outs, q.out)
		m.bestOut[q.out] = int16(k)
	case q.age < reqs[b].age || q.age == reqs[b].age && around(q.in, ptr, m.n) < around(reqs[b].in, ptr, m.n):
		m.bestOut[q.out] = int16(k)
	}
}

// take makes a request a match and moves both pointers behind it, if move.
func (m *matcher) take(r int, q request, move bool) {
	m.taken = append(m.taken, q)
	if move {
		m.inPtr[r*m.n+int(q.in)] = next(q.out, m.n)
		m.outPtr[r*m.n+int(q.out)] = next(q.in, m.n)
	}
}

// inputFirst lets every input put one request forward, and every output choose
// among them. The result is valid until the next call.
func (m *matcher) inputFirst(r int, reqs []request) []request {
	m.taken, m.ins, m.outs = m.taken[:0], m.ins[:0], m.outs[:0]
	for k := range reqs {
		m.byInput(r, reqs, k)
	}
	for _, in := range m.ins {
		m.byOutput(r, reqs, int(m.bestIn[in]))
		m.bestIn[in] = none
	}
	for _, out := range m.outs {
		m.take(r, reqs[m.bestOut[out]], true)
		m.bestOut[out] = none
	}
	return m.taken
}

// islip lets every output grant one request and every input accept one grant, as
// often as is set. Only the first round moves pointers (McKeown 1999).
func (m *matcher) islip(r int, reqs []request) []request {
	m.taken = m.taken[:0]
	for round := range m.iterations {
		m.ins, m.outs = m.ins[:0], m.outs[:0]
		for k := range reqs {
			if !m.matched(reqs[k]) {
				m.byOutput(r, reqs, k)
			}
		}
		if len(m.outs) == 0 {
			break
		}
		for _, out := range m.outs {
			m.byInput(r, reqs, int(m.bestOut[out]))
			m.bestOut[out] = none
		}
		for _, in := range m.ins {
			m.take(r, reqs[m.bestIn[in]], round == 0)
			m.bestIn[in] = none
		}
	}
	return m.taken
}

// matched reports whether an end of the request is in a match already.
func (m *matcher) matched(q request) bool {
	for _, t := range m.taken {
		if t.in == q.in || t.out == q.out {
			return true
		}
	}
	return false
}
