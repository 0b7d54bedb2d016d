package cxl

import "slices"

// A leg is a link of a route.
type leg int32

// A way is the routes between a root and a logical device, as indices; -1: there is none.
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

// beyond is the switch that a line comes to by a link.
func (h *hop) beyond(l *line) *junction {
	if l.up {
		return h.ends[0]
	}
	return h.ends[1]
}

// way is between the root and the logical device of a line.
func (f *fabric) way(l *line) *way { return &f.ways[int(l.root)*len(f.lds)+int(l.ld)] }

// link is the n-th of a line's route.
func (f *fabric) link(l *line, n int32) *hop { return f.links[f.routes[l.route][n]] }

// addRoute notes the links from a root to a device. Answers come back by them.
func (f *fabric) addRoute(legs []leg) way {
	back := slices.Clone(legs)
	slices.Reverse(back)
	f.routes = append(f.routes, legs, back)
	return way{int32(len(f.routes) - 2), int32(len(f.routes) - 1)}
}
