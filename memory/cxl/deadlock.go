package cxl

import (
	"fmt"
	"slices"
	"strings"
)

// ring is links that may wait for each other; nil: there are none.
func (f *fabric) ring() []leg {
	w := f.graphs()
	if c := w[0].ring(); c != nil {
		return c
	}
	return w[1].ring()
}

// graphs are those of requests and of answers.
func (f *fabric) graphs() [2]waiting {
	return [2]waiting{
		f.waits(func(w *way) int32 { return w.down }),
		f.waits(func(w *way) int32 { return w.up }),
	}
}

// waiting is which links messages may wait for while they keep their buffer behind
// another, by leg: a message keeps it until it is sent on the next of its route.
// Requests and answers have buffers of their own, and graphs of their own.
type waiting [][]leg

// waits is the graph of one of the two routes of all ways.
func (f *fabric) waits(route func(*way) int32) waiting {
	w := make(waiting, 2*len(f.links))
	last := slices.Repeat([]leg{noLeg}, len(w)) // by leg, as most go on as the one before
	var legs []leg
	for i := range f.ways {
		n := route(&f.ways[i])
		if n < 0 {
			continue
		}
		legs = f.packed.list(legs[:0], n)
		for i, next := range legs[1:] {
			if at := legs[i]; last[at] != next {
				last[at] = next
				if !slices.Contains(w[at], next) { // few: ports of a switch
					w[at] = append(w[at], next)
				}
			}
		}
	}
	return w
}

// add puts a route in, unless it would close a ring.
func (w waiting) add(legs []leg) bool {
	for i := range legs[1:] {
		a, b := legs[i], legs[i+1]
		if slices.Contains(w[a], b) {
			continue
		}
		if w.reaches(b, a, map[leg]bool{}) {
			return false // what it has added so far closes none, and may stay
		}
		w[a] = append(w[a], b)
	}
	return true
}

// reaches tells whether a message on one leg may wait, by others, for another.
func (w waiting) reaches(from, to leg, seen map[leg]bool) bool {
	if from == to {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	return slices.ContainsFunc(w[from], func(x leg) bool { return w.reaches(x, to, seen) })
}

// ring looks for legs that may wait for each other in a ring.
//
// Source: Dally and Seitz 1987, theorem 1.
func (w waiting) ring() []leg {
	const (
		white = iota
		grey
		black
	)
	color := make([]uint8, len(w))
	at := make([]int, len(w))
	for root := range w {
		if color[root] != white {
			continue
		}
		color[root] = grey
		for path := []leg{leg(root)}; len(path) > 0; {
			n := path[len(path)-1]
			if at[n] == len(w[n]) {
				color[n] = black
				path = path[:len(path)-1]
				continue
			}
			next := w[n][at[n]]
			at[n]++
			switch color[next] {
			case white:
				color[next] = grey
				path = append(path, next)
			case grey:
				i := len(path) - 1
				for path[i] != next {
					i--
				}
				return append(path[i:len(path):len(path)], next)
			}
		}
	}
	return nil
}

// show prints legs by the names of their ends.
func (f *fabric) show(legs []leg) string {
	var out []string
	for _, l := range legs {
		h := f.links[l.link()]
		a, b := h.names[0], h.names[1]
		if l.back() {
			a, b = b, a
		}
		out = append(out, fmt.Sprintf("%s to %s", a, b))
	}
	return strings.Join(out, " -> ")
}
