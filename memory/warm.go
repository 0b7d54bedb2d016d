package memory

import "github.com/sarchlab/akita/v3/sim"

// A Warmer is a node with state to warm before a run: a cache. A player calls Warm with the
// requests that precede the run; they change the state of the node and of nodes below it without
// time or counts, so that a run may begin in the middle of a program (functional warming).
type Warmer interface {
	// Warm carries out a request from a port on the state. It reports whether the request reached
	// a memory that is no Warmer.
	Warm(q Request, from sim.Port) (asked bool)
	// WarmRecall carries out a Recall of a line.
	WarmRecall(addr, bytes uint64)
}

// Warm carries out a request on the state of its homes; see Warmer. It skips bytes without a
// home.
func (m *Map) Warm(q Request, from sim.Port) (asked bool) {
	for q.Bytes > 0 {
		home, i, run, ok := m.Find(q.Addr)
		if !ok {
			return asked
		}
		p := q
		p.Bytes = min(q.Bytes, run)
		if w, ok := home.Ports[i].Component().(Warmer); ok {
			asked = w.Warm(p, from) || asked
		} else {
			asked = true
		}
		q.Addr += p.Bytes
		q.Bytes -= p.Bytes
	}
	return asked
}
