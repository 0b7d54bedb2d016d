package fabric

import (
	"fmt"
	"strings"
)

// patience is how many cycles may pass without any flit moving while some are
// under way, besides the longest round trip.
const patience = 1000

// A Stuck says that nothing moves any more, and who waits for whom.
type Stuck struct {
	Cycle int64 // of the report
	Flits uint64
	// Wait is a chain of input virtual channels, each of which waits for the
	// next. If the first stands at the end again, the network is in deadlock.
	Wait []Lane
}

// A Lane is a virtual channel of an input port.
type Lane struct{ Router, Port, VC int }

func (s *Stuck) Error() string {
	lanes := make([]string, len(s.Wait))
	for i, l := range s.Wait {
		lanes[i] = fmt.Sprintf("router %d port %d VC %d", l.Router, l.Port, l.VC)
	}
	return fmt.Sprintf("network stands still at cycle %d with %d flits under way: %s", s.Cycle, s.Flits, strings.Join(lanes, " waits for "))
}

// Frozen reports whether no flit has moved for so long that none ever will.
func (n *Network) Frozen() bool {
	last := int64(0)
	for _, p := range n.parts {
		last = max(last, p.lastMove)
	}
	return n.InFlight() > 0 && n.Now()-last >= patience+n.wheelMask+n.quantum
}

// Stuck reports a network that stands still; the error is a *Stuck or nil.
func (n *Network) Stuck() error {
	if !n.Frozen() {
		return nil
	}
	e := &Stuck{Cycle: n.Now(), Flits: n.InFlight()}
	for i := range n.lanes {
		if n.lanes[i].count == 0 && (n.ioq == nil || n.ioq.lanes[i].first == 0) {
			continue
		}
		chain := n.chain(i)
		closed := len(chain) > 1 && chain[0] == chain[len(chain)-1]
		if e.Wait == nil || closed {
			e.Wait = chain
		}
		if closed {
			break
		}
	}
	return e
}

// chain follows the waiting from an input lane, and returns the closed part if
// it comes back to itself.
func (n *Network) chain(from int) []Lane {
	var out []Lane
	place := map[int]int{}
	for at := from; at >= 0; at = n.waitsFor(at) {
		lane := Lane{at / n.pv, at % n.pv / n.v, at % n.v}
		if i, seen := place[at]; seen {
			return append(out[i:], lane)
		}
		place[at] = len(out)
		out = append(out, lane)
	}
	return out
}

// waitsFor is an input lane that must move on before lane at can, or none.
func (n *Network) waitsFor(at int) int {
	if n.ioq != nil {
		return n.ioq.waitsFor(at)
	}
	l := &n.lanes[at]
	if l.count == 0 {
		return none
	}
	r := at / n.pv
	out := r*n.p + l.out()
	behind := func(vc int) int {
		if n.ports[out].terminal {
			return none
		}
		return int(n.ports[out].peer)*n.v + vc
	}
	switch l.state {
	case switching:
		return behind(int(l.outVC))
	case toAlloc:
		// All output lanes are held; follow the holder of the first.
		for i := r * n.pv; i < (r+1)*n.pv; i++ {
			h := &n.lanes[i]
			if i != at && h.state == switching && h.out() == l.out() && h.outVC == l.lo() {
				if h.count > 0 {
					return i
				}
				return n.feeder(i)
			}
		}
		return behind(int(l.lo()))
	}
	return none
}

// feeder is an input lane of the router before that sends into lane at, or none.
func (n *Network) feeder(at int) int {
	q := &n.ports[at/n.v]
	if q.terminal {
		return none
	}
	out := int(q.peer)
	r := out / n.p
	for i := r * n.pv; i < (r+1)*n.pv; i++ {
		h := &n.lanes[i]
		if h.state == switching && r*n.p+h.out() == out && int(h.outVC) == at%n.v {
			return i
		}
	}
	return none
}
