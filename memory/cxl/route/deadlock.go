package route

import "slices"

// A Graph has, by leg, the legs that a message may wait for while it holds the buffer after that
// leg: it holds the buffer until it is sent on the next leg. Requests and answers have separate
// buffers, and separate graphs.
type Graph [][]Leg

// NewGraph makes the graph of routes over so many links. each calls its argument with every
// route.
func NewGraph(links int, each func(add func([]Leg))) Graph {
	w := make(Graph, 2*links)
	last := slices.Repeat([]Leg{None}, len(w)) // by leg, since most routes go on as the one before
	each(func(legs []Leg) {
		if len(legs) == 0 {
			return
		}
		for i, next := range legs[1:] {
			if at := legs[i]; last[at] != next {
				last[at] = next
				if !slices.Contains(w[at], next) { // few: ports of a switch
					w[at] = append(w[at], next)
				}
			}
		}
	})
	return w
}

// Add adds a route, or returns false if it would close a ring.
func (w Graph) Add(legs []Leg) bool {
	for i := range legs[1:] {
		a, b := legs[i], legs[i+1]
		if slices.Contains(w[a], b) {
			continue
		}
		if w.reaches(b, a, map[Leg]bool{}) {
			return false // what it has added so far closes none, and may stay
		}
		w[a] = append(w[a], b)
	}
	return true
}

// reaches reports whether a message on one leg may wait, by others, for another.
func (w Graph) reaches(from, to Leg, seen map[Leg]bool) bool {
	if from == to {
		return true
	}
	if seen[from] {
		return false
	}
	seen[from] = true
	return slices.ContainsFunc(w[from], func(x Leg) bool { return w.reaches(x, to, seen) })
}

// Ring returns legs that may wait for each other in a ring, or nil.
//
// Source: Dally and Seitz 1987, theorem 1.
func (w Graph) Ring() []Leg {
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
		for path := []Leg{Leg(root)}; len(path) > 0; {
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
