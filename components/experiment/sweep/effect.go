package sweep

import (
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/stats"
)

// An effect is what an axis changes.
type effect int

// The greater of two effects is that of both.
const (
	untold     effect = iota // too few points are complete to tell
	nothing                  // no metric
	energyOnly               // energies, and neither time nor work nor traffic
	changes
)

// effects looks, for each axis, at points that differ in it alone: which of their
// metrics differ, and whether one of them can be simulated and another not.
func (s *Sweep) effects(points []finding) []effect {
	out := make([]effect, len(s.Grid))
	for k := range s.Grid {
		others := s.Grid.Except(k)
		first := map[int]int{} // of each combination of the others
		for i, p := range points {
			g := s.Grid.Group(s.points[i], others)
			f, ok := first[g]
			if !ok {
				first[g] = i
				continue
			}
			if out[k] = max(out[k], difference(p, points[f])); out[k] == changes {
				break
			}
		}
	}
	return out
}

// difference is the effect that two points show.
func difference(p, q finding) effect {
	switch {
	case p.status != q.status:
		return changes
	case p.status != string(result.Complete):
		return untold
	}
	d := nothing
	for _, x := range [][2]finding{{p, q}, {q, p}} {
		for key, m := range x[0].values {
			if other, ok := x[1].values[key]; ok && other.Value == m.Value {
				continue
			}
			if m.Unit != stats.PJ && m.Unit != stats.PJToken && !strings.HasPrefix(m.Name, "energy") {
				return changes
			}
			d = energyOnly
		}
	}
	return d
}

// warning is a warning about an axis that changes no metric, or energy only; "" for other axes.
func warning(a grid.Axis, e effect) string {
	switch {
	case e == nothing:
		return "axis " + a.Joined() + " changes nothing"
	case e == energyOnly && !strings.Contains(a.Joined(), "energy"):
		return "axis " + a.Joined() + " changes nothing but energy"
	}
	return ""
}
