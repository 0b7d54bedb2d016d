package routing

import "github.com/causeway-sim/causeway/noc/topology"

// A sequence moves packets through a dragonfly minimally, by the classes of a
// ladder, and lets an algorithm divert them. It holds no intermediate place: a
// packet that was diverted goes on minimally from wherever it is.
//
// Phase is the state in which the packet came to a router, Pending the state that
// it has once the answer is carried out.
type sequence struct {
	d   topology.Dragonfly
	lad *ladder
}

// The state: a place on the ladder, and what the packet has done.
const (
	foothold  = 0x0f
	localDone = 0x10 // was diverted over a local channel of this group
	away      = 0x20 // has left its first group
	stepped   = 0x80 // rlm: came by a local channel, from router Via
	mustLeave = 0x40 // has to leave the group by a global channel of this router
)

func (s *sequence) Classes() int { return s.lad.classes }

func (s *sequence) home(terminal int32) int { return int(terminal) / s.d.P() }

// arrive makes the state current that the last answer led to.
func (s *sequence) arrive(p *Packet) {
	if !p.Again {
		p.Phase = p.Pending
	}
}

// minimalPort returns the port of the minimal path to terminal dst, with its kind. home means
// that it is the terminal's.
func (s *sequence) minimalPort(r int, p *Packet) (port int, global, home bool) {
	to := s.home(p.Dst)
	if r == to {
		return int(p.Dst) - to*s.d.P(), false, true
	}
	from, group := s.d.Group(r), s.d.Group(to)
	if from == group {
		return s.d.LocalPort(r, to), false, false
	}
	exit, port := s.d.Exit(from, group, int(p.Link))
	if exit == r {
		return port, true, false
	}
	return s.d.LocalPort(r, exit), false, false
}

// take answers with a port of a kind, and notes what it does to the state.
func (s *sequence) take(p *Packet, port int, global bool, flags uint8) Hop {
	class, after := s.lad.climb(p.Phase&foothold, global)
	p.Pending = after | p.Phase&^foothold | flags
	if global {
		p.Pending = after | away
	}
	return Hop{Port: port, Class: class}
}

// used is how full the channels of a kind at a port are: flits per virtual
// channel over its room, in parts of fullness.
func (s *sequence) used(v View, port int, global bool, queue string, class int) int {
	c := topology.Local
	if global {
		c = topology.Global
	}
	if queue == "vc" {
		return v.QueueClass(port, class) * fullness / v.Capacity(c)
	}
	return v.Queue(port) * fullness / (v.Capacity(c) * s.lad.kinds[kind(global)])
}

const fullness = 1 << 16

// globalPort is the i-th global port of a router; unused ones count.
func (s *sequence) globalPort(i int) int { return s.d.P() + s.d.A() - 1 + i }
