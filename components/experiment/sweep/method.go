package sweep

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/explore"
	"github.com/causeway-sim/causeway/configs"
)

// decodeMethod reads method:, which is {name: NAME} with the keys of that method.
func decodeMethod(v configs.Value) (name string, err error) {
	if !v.Exists() {
		return "grid", nil
	}
	if v.Kind() != configs.Map {
		return "", v.Errorf(explore.All.Names(), "expected a mapping, for example {name: lhs, points: 100}")
	}
	at := v.Get("name")
	if name, err = at.String(); err != nil {
		return "", v.Errorf(explore.All.Names(), "a method needs name:")
	}
	if _, ok := explore.All.Entry(name); !ok {
		e := at.Errorf(explore.All.Names(), "unknown method %q", name)
		e.Nearest = configs.Nearest(name, explore.All.Names())
		return "", e
	}
	return name, nil
}

// makeMethod makes the method of the sweep for its grid.
func (s *Sweep) makeMethod() (explore.Method, error) {
	if s.picked != nil {
		return explore.These(s.picked), nil
	}
	space := s.Grid.Space()
	space.Allowed = s.allowed
	e, _ := explore.All.Entry(cmp.Or(s.methodName, "grid"))
	if e.Name == "grid" && space.Len() > grid.MaxPoints {
		return nil, s.method.Errorf(nil, "the grid has %d points, more than %d (a method draws some: method: {name: lhs, points: 1000})", space.Len(), grid.MaxPoints)
	}
	return e.New(space, func(spec any) error {
		if !s.method.Exists() {
			return nil
		}
		return s.method.Without("name").Decode(spec)
	})
}

// Adaptive reports whether the next points depend on the results of earlier ones, so that the
// points are not known from the start.
func (s *Sweep) Adaptive() bool { return s.adaptive() }

// Len is the number of known points, after Check.
func (s *Sweep) Len() int { return len(s.points) }

// Most is how many points the sweep runs at most, after Check: more than Len where it is adaptive.
func (s *Sweep) Most() int {
	if !s.adaptive() {
		return len(s.points)
	}
	return min(s.search.Most(), s.Grid.Space().Len())
}

// Points iterates over the known points, in grid order.
func (s *Sweep) Points() iter.Seq[grid.Point] {
	return func(yield func(grid.Point) bool) {
		for _, p := range s.points {
			if !yield(s.Grid.Point(p)) {
				return
			}
		}
	}
}

// Base is the path of the base configuration.
func (s *Sweep) Base() string { return s.base }

// Fixed lists the settings of all points, as path=value.
func (s *Sweep) Fixed() []string { return s.fixed }

// adaptive reports whether what points come to decides which are next.
func (s *Sweep) adaptive() bool {
	return slices.Contains(explore.Searches, s.methodName) && s.picked == nil
}

// more gets the next points of the search, and returns the identities of the new ones and whether
// the search has ended.
func (s *Sweep) more(ctx context.Context, r *sharing) (fresh []string, ended bool, err error) {
	if !s.adaptive() {
		return nil, true, nil
	}
	at := map[int]int{}
	for i, p := range s.points {
		at[p] = i
	}
	outcomes := map[int]explore.Outcome{}
	var failed error
	next := s.search.Next(func(point int) explore.Outcome {
		o, ok := outcomes[point]
		if ok {
			return o
		}
		var err error
		o = explore.Failed
		if e, ok := r.known[s.identities[at[point]]]; ok && e.Status == string(result.Complete) {
			f := finding{status: e.Status}
			if f.values, err = r.values(e); err == nil {
				o, err = s.outcome(point, f)
			}
			if err != nil && failed == nil {
				failed = err
			}
		}
		outcomes[point] = o
		return o
	})
	if failed != nil {
		return nil, true, folderError{failed}
	}
	if len(next) == 0 {
		return nil, true, nil
	}
	slices.Sort(next)
	identities, faults := s.identify(ctx, next, map[int]bool{})
	if ctx.Err() != nil {
		return nil, true, nil
	}
	for i, err := range faults {
		if err != nil {
			s.faulty[next[i]] = err
			identities[i] = ""
		}
	}
	fresh = r.add(next, identities)
	s.points = append(s.points, next...)
	s.identities = append(s.identities, identities...)
	s.sortPoints()
	return fresh, false, nil
}

// sortPoints puts the points into the order of the grid.
func (s *Sweep) sortPoints() {
	order := make([]int, len(s.points))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(s.points[i], s.points[j]) })
	points, identities := make([]int, len(order)), make([]string, len(order))
	for i, k := range order {
		points[i], identities[i] = s.points[k], s.identities[k]
	}
	s.points, s.identities = points, identities
}
