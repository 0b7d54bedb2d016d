package relax

import (
	"math"
	"math/rand/v2"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/search"
)

// A Space is a space of mappings whose Walkers are search.Proposers.
type Space struct {
	s       *nest.Space
	outside *Memory
}

// Over gives a space of mappings its relaxed cost. outside is the memory that Space.Outside knows,
// or nil.
func Over(s *nest.Space, outside *Memory) Space { return Space{s, outside} }

// Walker implements search.Space.
func (s Space) Walker() search.Walker[nest.Mapping] {
	return &walker{Walker: s.s.Walker().(*nest.Walker), s: s}
}

type walker struct {
	*nest.Walker
	s Space
	m *model

	near *nest.Mapping
}

// Propose implements search.Proposer.
func (w *walker) Propose(r *rand.Rand, start int, p *nest.Mapping, yield func(*nest.Mapping) (float64, bool)) search.Passes {
	if w.m == nil {
		w.m, w.near = newModel(w.s.s, w.s.outside), w.New()
	}
	m := w.m
	m.passes, m.grads = 0, 0
	m.start(r, start)
	m.descend()
	if m.round() {
		m.settle()
		m.copyTo(p, m.factor, m.axis)
		if w.Fits(p) {
			w.judge(r, p, m.value(), yield)
		}
	}
	return search.Passes{Gradients: m.grads, Values: m.passes}
}

// judged is how many neighbours of a point are evaluated where the relaxed cost is a guide alone:
// of sparse nests, whose zeros it does not know, and before a memory outside, whose requests at
// edges it does not know. exact is by how much the logarithms of the costs may differ where it is more.
const (
	judged = 5
	exact  = 0.02
)

// judge has a point evaluated, and where need be neighbours of the best so far.
func (w *walker) judge(r *rand.Rand, p *nest.Mapping, relaxed float64, yield func(*nest.Mapping) (float64, bool)) {
	least, more := yield(p)
	if math.Abs(math.Log(least)-relaxed) < exact {
		return
	}
	for misses, i := 0, 0; more && i < judged && misses < dead; {
		w.Copy(w.near, p)
		if !w.Near(r, w.near) {
			misses++
			continue
		}
		i++
		var c float64
		if c, more = yield(w.near); c < least {
			least = c
			w.Copy(p, w.near)
		}
	}
}

// dead is how many neighbours in all may not be legal.
const dead = 1000
