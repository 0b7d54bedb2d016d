package transit

import (
	"fmt"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// A Hop is one link of a network.
type Hop struct {
	*link.Link
	Index   int32
	Latency int64      // time of flight, ps
	Ends    [2]*Switch // towards the host (nil: a root) and the device (nil: a device)
	Names   [2]string  // names of the ports at both ends
	dead    bool       // lost
	calm    bool       // it tells ahead what arrives
	frees   bool       // the receiver of a message gives its buffer back when it arrives
	arrived uint64     // messages, of one that does not
	net     *Network
}

// A Switch is the latency and counters between two links.
type Switch struct {
	Latency  int64  // ps
	Down, Up uint64 // messages that passed, as of Network.Count; periods that a run repeats are added
	passed   [2]uint64
	counted  [2]uint64 // of them, those that Down and Up have
}

// pass counts a message and returns how long it takes.
func (s *Switch) pass(up bool) int64 {
	s.passed[way(up)]++
	return s.Latency
}

// Count updates the counters of switches to messages that have passed, without arrivals that were
// only reported ahead.
func (n *Network) Count() {
	for _, h := range n.Hops {
		for _, s := range h.Ends {
			if s != nil {
				s.count(s.passed)
			}
		}
	}
	n.Schedule.each(Forward, func(id int32, arrived int64) {
		if arrived <= n.now {
			return
		}
		l := n.Lines.At(id)
		x := n.leg(l, l.hop)
		s := n.Hops[x.Link()].Ends[1-x.Direction()]
		counted := s.counted
		counted[way(l.Up)]--
		s.count(counted)
	})
}

// count brings Down and Up to so many messages.
func (s *Switch) count(n [2]uint64) {
	s.Down += n[0] - s.counted[0]
	s.Up += n[1] - s.counted[1]
	s.counted = n
}

// way is 1 towards the host.
func way(up bool) int {
	if up {
		return 1
	}
	return 0
}

// Dead reports whether the link is lost.
func (h *Hop) Dead() bool { return h.dead }

// Fail loses the link permanently.
func (h *Hop) Fail() {
	h.dead = true
	h.note()
}

// Title returns the link's name in reports.
func (h *Hop) Title() string { return fmt.Sprintf("the link %s to %s", h.Names[0], h.Names[1]) }

// due is when something happens on the link that others see. Run, PushOn, ReleaseOn and
// those that use them shadow those of the link, and keep hopTimes.
func (h *Hop) due() int64 {
	switch {
	case h.dead:
		return link.Never
	case h.calm:
		return h.Link.Wake()
	}
	return h.Link.Due()
}

func (h *Hop) note() { h.plan(h.due()) }

// plan schedules a run of the link at a time; a past time means the next run of links.
func (h *Hop) plan(t int64) {
	if t <= h.net.at {
		h.net.due.add(int(h.Index))
		t = link.Never
	}
	h.net.hopTimes.Set(int(h.Index), t)
}

// Run shadows that of the link by RunDue.
func (h *Hop) Run(t int64) {
	if h.dead {
		return
	}
	if h.calm {
		h.Link.RunTo(t, h.net.turn+1)
		if next := h.Link.Wake(); next != link.Never {
			h.plan(next)
		}
		return
	}
	h.plan(h.Link.RunDue(t))
}

// settle simulates postponed flits, and returns the time of the next event.
func (h *Hop) settle(t int64) int64 {
	if h.dead {
		return link.Never
	}
	if h.calm {
		return h.Link.Settle(t)
	}
	h.Link.Run(t)
	return h.Link.Next()
}

// turn is that of the present time in which the link sees what is brought now: links run in
// order of their numbers, and then events, before they run again.
func (h *Hop) turn() int32 {
	if n := h.net; n.running && int(h.Index) <= n.runs {
		return n.turn + 1
	}
	return h.net.turn
}

// PushOn shadows that of the link.
func (h *Hop) PushOn(d flit.Direction, t int64, m *flit.Message) {
	if h.calm {
		h.plan(h.Link.PushAhead(d, t, h.turn(), m))
		h.net.stirred.Add(uint16(h.Index))
		return
	}
	h.Link.PushOn(d, t, *m)
	h.net.stirred.Add(uint16(h.Index))
	h.note()
}

// ReleaseOn shadows that of the link.
func (h *Hop) ReleaseOn(d flit.Direction, t int64, c flit.Class) {
	if h.calm {
		if next := h.Link.Free(d, t, h.turn(), c); next != link.Never {
			h.plan(next)
		}
		h.net.stirred.Add(uint16(h.Index))
		return
	}
	h.Link.ReleaseOn(d, t, c)
	h.net.stirred.Add(uint16(h.Index))
	h.note()
}

// Release shadows that of the link.
func (h *Hop) Release(t int64, c flit.Class) { h.ReleaseOn(c.Direction(), t, c) }

// Freed is Release by a receiver that frees the buffer at the message's arrival, at t.
func (h *Hop) Freed(t int64, c flit.Class) {
	if h.calm {
		h.frees = true
		return
	}
	h.Release(t, c)
}

// Push shadows that of the link.
func (h *Hop) Push(t int64, m *flit.Message) { h.PushOn(m.Class.Direction(), t, m) }

// Settled returns an error if messages wait for the link, or credits are missing, unless it is
// lost.
func (h *Hop) Settled() error {
	if h.dead {
		return nil
	}
	cfg := h.Config()
	for x := range flit.Classes {
		for d := range flit.Either {
			if d != x.Direction() && !cfg.Both {
				continue
			}
			if n := h.WaitingOn(d, x); n > 0 {
				return fmt.Errorf("%d messages of %s are not sent", n, x)
			}
			if n := h.CreditsOn(d, x) + h.UnsettledOn(d, x); n != cfg.Credits[x] {
				return fmt.Errorf("%d of %d credits of %s", n, cfg.Credits[x], x)
			}
		}
	}
	return nil
}
