package memory

import "github.com/sarchlab/akita/v3/sim"

// A Warmer has a state that requests before a run bring about: a cache. A player that warms it has
// the same requests carried out on that state and on those below, in no time and counted
// nowhere, so that a run may begin in the middle of a program (functional warming).
type Warmer interface {
	// Warm carries out a request of a port. It reports whether a memory was asked that is
	// no Warmer.
	Warm(q Request, from sim.Port) (asked bool)
	// WarmRecall is a Recall of a line: see there.
	WarmRecall(addr, bytes uint64)
}

// Warm has the homes of a request carry it out, as Warmer says. Bytes without a home are
// left out.
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
