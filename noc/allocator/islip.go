package allocator

import "github.com/causeway-sim/causeway/components/registry"

// islip lets every output grant one request and every input accept one grant, as
// often as is set. Only the first iteration moves pointers.
type islip struct {
	Arbiters
	iterations int
}

// Match implements Allocator.
func (m *islip) Match(r int, reqs []Request) []Request {
	if m.apart(reqs) { // mostly
		return m.all(r, reqs)
	}
	m.granted = m.granted[:0]
	for iteration := range m.iterations {
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
			m.grant(r, reqs[m.bestIn[in]], iteration == 0)
			m.bestIn[in] = none
		}
	}
	return m.granted
}

// matched reports whether an end of the request has a grant already.
func (m *islip) matched(q Request) bool {
	for _, g := range m.granted {
		if g.In == q.In || g.Out == q.Out {
			return true
		}
	}
	return false
}

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "islip",
		Doc:    "Every output grants one request, every input accepts one grant, several iterations; pointers move with the first.",
		Source: "McKeown, The iSLIP scheduling algorithm for input-queued switches, IEEE/ACM Transactions on Networking 1999",
		New: Factory{
			New: func(routers, n, iterations int) Allocator {
				return &islip{NewArbiters(routers, n), iterations}
			},
			Iterates: true,
		},
	})
}
