package explore

import (
	"math/rand/v2"
	"slices"
)

func init() {
	oneObjective("coordinate", "Searches one axis after the other for the best value of one objective, from the middle of the grid and then from drawn designs.",
		"cyclic coordinate search with step halving; Hooke and Jeeves, JACM 8(2), 1961",
		func(s *Space, spec DescentSpec) Method {
			x := &coordinate{space: s, spec: spec, rng: rand.New(rand.NewPCG(spec.Seed, 0x636f6f7264)), seen: map[int]bool{}}
			x.start()
			return x
		})
}

// coordinate is the search. From the best design it looks at those a step away on an axis, goes to the best
// of them, and halves the step where none is better. After all axes it begins again with the first, until
// a round has found nothing better.
type coordinate struct {
	space *Space
	spec  DescentSpec
	rng   *rand.Rand
	seen  map[int]bool

	best   int   // of the designs since the last start
	line   []int // designs to compare with best, all of which have an outcome by the next call
	axis   int
	step   int
	idle   int  // axes since the last better design
	begins bool // best has no outcome yet
}

// start begins anew, see Space.begin. It reports whether there is a design.
func (x *coordinate) start() (ok bool) {
	x.best, ok = x.space.begin(x.seen, x.rng)
	x.axis, x.idle, x.begins = 0, 0, true
	x.step = x.first()
	return ok
}

// first is the first step on an axis: a third of an ordered one, and one of others, all values of which are tried.
func (x *coordinate) first() int { return max((x.space.Sizes[x.axis]+1)/3, 1) }

// Most implements Method.
func (x *coordinate) Most() int { return x.spec.Points }

// Next implements Method.
func (x *coordinate) Next(known func(int) Outcome) []int {
	if x.begins {
		x.begins = false
		x.line = []int{x.best}
		return x.line
	}
	for {
		better := false
		for _, p := range x.line {
			if p != x.best && less(known(p), known(x.best)) {
				x.best, better = p, true
			}
		}
		x.line = nil
		switch {
		case better:
			x.idle = 0
		case x.step > 1 && x.ordered():
			x.step = (x.step + 1) / 2
		default:
			if x.idle++; x.idle > len(x.space.Sizes) {
				if len(x.seen) >= x.spec.Points || !x.start() {
					return nil
				}
				x.begins = false
				x.line = []int{x.best}
				return x.line
			}
			x.axis = (x.axis + 1) % len(x.space.Sizes)
			x.step = x.first()
		}
		var fresh []int
		if x.line, fresh = x.around(); len(fresh) > 0 {
			return fresh
		}
	}
}

func (x *coordinate) ordered() bool { return x.space.Ordered == nil || x.space.Ordered[x.axis] }

// around are the designs a step from the best one on the axis, as far as points allow, and the new ones of them.
func (x *coordinate) around() (all, fresh []int) {
	at := make([]int, len(x.space.Sizes))
	x.space.At(x.best, at)
	here := at[x.axis]
	for v := range x.space.Sizes[x.axis] {
		if v == here || x.ordered() && v != here-x.step && v != here+x.step {
			continue
		}
		at[x.axis] = v
		switch p := x.space.Point(at); {
		case x.seen[p]:
			all = append(all, p)
		case x.space.allowed(p) && len(x.seen) < x.spec.Points:
			x.seen[p] = true
			all, fresh = append(all, p), append(fresh, p)
		}
	}
	slices.Sort(fresh)
	return all, fresh
}

// less reports whether a design is better by its first objective: it misses constraints by less, or has less of it.
func less(a, b Outcome) bool {
	if a.Miss != b.Miss {
		return a.Miss < b.Miss
	}
	return len(a.Values) > 0 && len(b.Values) > 0 && a.Values[0] < b.Values[0]
}
