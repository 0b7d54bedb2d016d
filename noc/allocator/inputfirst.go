package allocator

import "github.com/causeway-sim/causeway/components/registry"

// inputFirst lets every input put one request forward, and every output choose among
// them.
type inputFirst struct{ Arbiters }

func newInputFirst(routers, n, _ int) Allocator { return &inputFirst{NewArbiters(routers, n)} }

// Match implements Allocator.
func (m *inputFirst) Match(r int, reqs []Request) []Request {
	if m.apart(reqs) { // mostly
		return m.all(r, reqs)
	}
	m.granted, m.ins, m.outs = m.granted[:0], m.ins[:0], m.outs[:0]
	for k := range reqs {
		m.byInput(r, reqs, k)
	}
	for _, in := range m.ins {
		m.byOutput(r, reqs, int(m.bestIn[in]))
		m.bestIn[in] = none
	}
	for _, out := range m.outs {
		m.grant(r, reqs[m.bestOut[out]], true)
		m.bestOut[out] = none
	}
	return m.granted
}

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "separable_input_first",
		Doc:    "Every input puts one request forward, every output grants one of them; round-robin arbiters.",
		Source: "Dally and Towles, Principles and Practices of Interconnection Networks, 2004, section 19.3",
		New:    Factory{New: newInputFirst},
	})
}
