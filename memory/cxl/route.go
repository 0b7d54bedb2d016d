package cxl

import (
	"fmt"

	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// A leg is a link of a route, and the direction in which it is passed: twice the
// number of the link, and one more if it is passed upwards.
type leg int32

func (l leg) link() int32          { return int32(l >> 1) }
func (l leg) back() bool           { return l&1 != 0 }
func (l leg) side() flit.Direction { return flit.Direction(l & 1) }

// A way is the routes between a root and a logical device, as they are packed; -1: there is none.
type way struct{ down, up int32 }

// A junction is a switch as links see it.
type junction struct {
	latency  int64  // ps
	down, up uint64 // messages that passed
}

// pass counts a message and tells how long it takes.
func (j *junction) pass(up bool) int64 {
	if up {
		j.up++
	} else {
		j.down++
	}
	return j.latency
}

// beyond is the switch that a leg leads to.
func (f *fabric) beyond(l leg) *junction { return f.links[l.link()].ends[1-l.side()] }

// way is between the root and the logical device of a line.
func (f *fabric) way(l *line) *way { return &f.ways[int(l.root)*len(f.lds)+int(l.ld)] }

// leg is the n-th of a line's route.
func (f *fabric) leg(l *line, n int32) leg { return f.routes[l.route][n] }

// release gives back the buffer behind the n-th link of a line's route.
func (f *fabric) release(l *line, n int32, t int64, c flit.Class) {
	x := f.leg(l, n)
	f.links[x.link()].ReleaseOn(x.side(), t, c)
}

// settled checks that nothing waits in front of a link and all its credits are back.
func (h *hop) settled() error {
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
