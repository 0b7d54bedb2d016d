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
	Names   [2]string  // of the ports at both ends
	dead    bool       // lost
	net     *Network
}

// A Switch is what lies between two links, as messages see it.
type Switch struct {
	Latency  int64  // ps
	Down, Up uint64 // messages that passed
}

// pass counts a message and returns how long it takes.
func (s *Switch) pass(up bool) int64 {
	if up {
		s.Up++
	} else {
		s.Down++
	}
	return s.Latency
}

// Dead reports whether the link is lost.
func (h *Hop) Dead() bool { return h.dead }

// Fail loses the link, for good.
func (h *Hop) Fail() {
	h.dead = true
	h.note()
}

// Title is what the link is called in reports.
func (h *Hop) Title() string { return fmt.Sprintf("the link %s to %s", h.Names[0], h.Names[1]) }

// due is when something happens on the link that others see. Run, PushOn, ReleaseOn and
// those that use them shadow those of the link, and keep the agenda.
func (h *Hop) due() int64 {
	if h.dead {
		return link.Never
	}
	return h.Link.Due()
}

func (h *Hop) note() { h.net.agenda.Set(int(h.Index), h.due()) }

// Run shadows that of the link; what can be put off is put off.
func (h *Hop) Run(t int64) {
	next := h.Link.RunDue(t)
	if h.dead {
		next = link.Never
	}
	h.net.agenda.Set(int(h.Index), next)
}

// settle makes up for what was put off, and returns when there is more.
func (h *Hop) settle(t int64) int64 {
	if h.dead {
		return link.Never
	}
	h.Link.Run(t)
	return h.Link.Next()
}

// PushOn shadows that of the link.
func (h *Hop) PushOn(d flit.Direction, t int64, m flit.Message) {
	h.Link.PushOn(d, t, m)
	h.net.stirred.Add(uint16(h.Index))
	h.note()
}

// ReleaseOn shadows that of the link.
func (h *Hop) ReleaseOn(d flit.Direction, t int64, c flit.Class) {
	h.Link.ReleaseOn(d, t, c)
	h.net.stirred.Add(uint16(h.Index))
	h.note()
}

// Release shadows that of the link.
func (h *Hop) Release(t int64, c flit.Class) { h.ReleaseOn(c.Direction(), t, c) }

// Push shadows that of the link.
func (h *Hop) Push(t int64, m flit.Message) { h.PushOn(m.Class.Direction(), t, m) }

// Settled checks that nothing waits in front of a link that is not lost, and that all its
// credits are back.
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
