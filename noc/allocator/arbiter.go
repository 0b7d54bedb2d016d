package allocator

// none is no request.
const none = -1

// Arbiters are the round-robin arbiters of the inputs and outputs of all routers. A pointer is
// after the partner of the last grant. An Allocator embeds them.
type Arbiters struct {
	n         int
	ptr       []pointers // [router*n+i] of input i and of output i
	bestIn    []int16    // request of an input, none outside of a call
	bestOut   []int16    // request of an output, none outside of a call
	ins, outs []int16    // those whose best is not none
	granted   []Request
}

// pointers are those of an input and of the output of the same number.
type pointers struct{ in, out int16 }

// NewArbiters returns the arbiters of so many routers with n inputs and n outputs each.
func NewArbiters(routers, n int) Arbiters {
	return Arbiters{
		n: n, ptr: make([]pointers, routers*n),
		bestIn: filled(n), bestOut: filled(n),
	}
}

// Advance moves the pointers of router r past a grant.
func (m *Arbiters) Advance(r int, in, out int16) {
	ptr := m.ptr[r*m.n:][:m.n]
	ptr[in].in, ptr[out].out = Next(out, m.n), Next(in, m.n)
}

// Prefers reports whether output out of router r prefers input a to b: whether a is nearer to the
// output's pointer.
func (m *Arbiters) Prefers(r int, out, a, b int16) bool {
	ptr := m.ptr[r*m.n+int(out)].out
	return Around(a, ptr, m.n) < Around(b, ptr, m.n)
}

// Pointers implements ArbiterBased.
func (m *Arbiters) Pointers() *Arbiters { return m }

func filled(n int) []int16 {
	out := make([]int16, n)
	for i := range out {
		out[i] = none
	}
	return out
}

// Around returns the distance from the pointer of a round-robin arbiter of n to i.
func Around(i, pointer int16, n int) int {
	if i < pointer {
		return int(i) + n - int(pointer)
	}
	return int(i - pointer)
}

// Next returns the index after i modulo n.
func Next(i int16, n int) int16 {
	if int(i)+1 == n {
		return 0
	}
	return i + 1
}

// byInput keeps request k if its input has none that is nearer to its pointer.
func (m *Arbiters) byInput(r int, reqs []Request, k int) {
	q := reqs[k]
	ptr := m.ptr[r*m.n+int(q.In)].in
	switch b := m.bestIn[q.In]; {
	case b < 0:
		m.ins = append(m.ins, q.In)
		m.bestIn[q.In] = int16(k)
	case q.Age < reqs[b].Age || q.Age == reqs[b].Age && Around(q.Out, ptr, m.n) < Around(reqs[b].Out, ptr, m.n):
		m.bestIn[q.In] = int16(k)
	}
}

// byOutput keeps request k if its output has none that is nearer to its pointer.
func (m *Arbiters) byOutput(r int, reqs []Request, k int) {
	q := reqs[k]
	ptr := m.ptr[r*m.n+int(q.Out)].out
	switch b := m.bestOut[q.Out]; {
	case b < 0:
		m.outs = append(m.outs, q.Out)
		m.bestOut[q.Out] = int16(k)
	case q.Age < reqs[b].Age || q.Age == reqs[b].Age && Around(q.In, ptr, m.n) < Around(reqs[b].In, ptr, m.n):
		m.bestOut[q.Out] = int16(k)
	}
}

// apart reports whether no two requests share an input or an output: then there is
// nothing to choose.
func (m *Arbiters) apart(reqs []Request) bool {
	if len(reqs) == 1 {
		return true
	}
	if m.n > 64 {
		return false
	}
	var ins, outs uint64
	for i := range reqs {
		in, out := uint64(1)<<(reqs[i].In&63), uint64(1)<<(reqs[i].Out&63)
		if ins&in|outs&out != 0 {
			return false
		}
		ins, outs = ins|in, outs|out
	}
	return true
}

// all grants every request.
func (m *Arbiters) all(r int, reqs []Request) []Request {
	m.granted = append(m.granted[:0], reqs...)
	for i := range reqs {
		m.Advance(r, reqs[i].In, reqs[i].Out)
	}
	return m.granted
}

// grant grants a request and, if move, moves both pointers past it.
func (m *Arbiters) grant(r int, q Request, move bool) {
	m.granted = append(m.granted, q)
	if move {
		m.Advance(r, q.In, q.Out)
	}
}
