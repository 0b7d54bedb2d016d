package routing

import "github.com/causeway-sim/causeway/noc/topology"

// ways is a table of places in a dragonfly: a packet needs a dozen of them on its path, and each
// would take a division or two.
type ways struct {
	d      topology.Dragonfly
	a, p   int32
	g      int
	places []routerPlace
	homes  []int32 // router of a terminal
	ports  []int16 // its port there
	exits  []wayOut
	steps  []toGroup // [router*g+group] towards another group
}

// toGroup is the port of a router that leads towards another group, over the only channel.
type toGroup struct {
	port   int16
	global bool
}

// routerPlace is the group of a router, and its number there.
type routerPlace struct{ group, within int32 }

// wayOut is a router and its port.
type wayOut struct{ router, port int32 }

// mostExits bounds the table of pairs of groups: a dragonfly with more computes them.
const mostExits = 1 << 18

func newWays(d topology.Dragonfly) *ways {
	w := &ways{d: d, a: int32(d.A()), p: int32(d.P()), g: d.Groups()}
	for r := range d.Routers() {
		w.places = append(w.places, routerPlace{int32(d.Group(r)), int32(r % d.A())})
	}
	for t := range d.Terminals() {
		r, port := d.Home(t)
		w.homes, w.ports = append(w.homes, int32(r)), append(w.ports, int16(port))
	}
	if w.g*w.g > mostExits || d.Links() != 1 {
		return w
	}
	for from := range w.g {
		for to := range w.g {
			out := wayOut{none, none}
			if from != to {
				r, port := d.Exit(from, to, 0)
				out = wayOut{int32(r), int32(port)}
			}
			w.exits = append(w.exits, out)
		}
	}
	w.stepOut()
	return w
}

func (w *ways) stepOut() {
	w.steps = make([]toGroup, len(w.places)*w.g)
	for r := range w.places {
		from := w.group(r)
		for to := range w.g {
			if from == to {
				continue
			}
			exit, port := w.exit(from, to, 0)
			s := toGroup{int16(port), true}
			if exit != r {
				s = toGroup{int16(w.local(r, exit)), false}
			}
			w.steps[r*w.g+to] = s
		}
	}
}

func (w *ways) group(router int) int { return int(w.places[router].group) }

// local is the port by which a router reaches another of its group.
func (w *ways) local(router, other int) int {
	to := w.places[other].within
	if to > w.places[router].within {
		to-- // a router has no port to itself
	}
	return int(w.p + to)
}

// exit is the router and port of a channel between two groups.
func (w *ways) exit(from, to, link int) (router, port int) {
	if w.exits == nil {
		return w.d.Exit(from, to, link)
	}
	x := w.exits[from*w.g+to]
	return int(x.router), int(x.port)
}
