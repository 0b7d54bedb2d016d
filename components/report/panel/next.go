package panel

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
)

// A Knee is a design of the front, by two objectives.
type Knee struct {
	Winner
	Second Winner // the other objective of the same design
}

// Knee is the design of the front with the best trade of the first objective and another one: the
// farthest from the line between the two ends of the front, on logarithmic scales where all values
// are above 0. The ends themselves are no knees; ok is false where there is none.
func (s *Sweep) Knee() (k Knee, ok bool) {
	goals, t := s.objectives(), s.table()
	if s.Pareto == nil || len(goals) < 2 {
		return k, false
	}
	rows := s.ranked(goals[0], len(t.Rows))
	x := s.along(rows, goals[0])
	for _, second := range goals[1:] {
		y := s.along(rows, second)
		if x == nil || y == nil {
			continue
		}
		best, far := -1, 1e-9
		for i := range rows {
			if d := 1 - x[i] - y[i]; d > far { // 0 on the line between the ends
				best, far = i, d
			}
		}
		if best >= 0 && x[best] > 0 && y[best] > 0 {
			return s.knee(rows[best], goals[0], second), true
		}
	}
	return k, false
}

// knee describes a row by two goals.
func (s *Sweep) knee(row []any, first, second string) Knee {
	t := s.table()
	winner := func(goal string) Winner {
		w := Winner{Metric: goal, Point: pointName(t, row), Unit: stats.Unit(s.UnitOf(goal))}
		w.Value, _ = value(row, t.Index(goal))
		w.Base, _ = value(t.Rows[0], t.Index(goal))
		for _, x := range s.settings() {
			w.Settings = append(w.Settings, x.path+" "+result.Cell(row[x.text]))
		}
		return w
	}
	return Knee{winner(first), winner(second)}
}

// along puts a goal of rows on a scale from 0, the best, to 1; nil where it does not vary.
func (s *Sweep) along(rows [][]any, goal string) []float64 {
	var out []float64
	log := true
	for _, row := range rows {
		v, ok := value(row, s.table().Index(goal))
		if !ok {
			return nil
		}
		log = log && v > 0
		out = append(out, v)
	}
	for i := range out {
		if log {
			out[i] = math.Log(out[i])
		}
		if s.larger(goal) {
			out[i] = -out[i]
		}
	}
	if len(out) == 0 || slices.Max(out) == slices.Min(out) {
		return nil
	}
	lo, hi := slices.Min(out), slices.Max(out)
	for i := range out {
		out[i] = (out[i] - lo) / (hi - lo)
	}
	return out
}

// leastGain is how many times better the best design is than its neighbour for a setting to be
// worth another value.
const leastGain = 1.01

// Next says what to try after the sweep, of the best design by the first objective: more of a
// setting whose best value is the last that was tried and still gained.
func (s *Sweep) Next() (out []string) {
	goals, t := s.objectives(), s.table()
	if len(goals) == 0 || len(t.Rows) < 2 {
		return nil
	}
	best := s.ranked(goals[0], 1)
	if len(best) == 0 {
		return nil
	}
	settings := s.settings()
	for _, x := range unlinked(s, settings) {
		at := slices.Index(x.values, result.Cell(best[0][x.text]))
		if x.number < 0 || at > 0 && at < len(x.values)-1 {
			continue
		}
		beside, word := 1, "smaller"
		if at > 0 {
			beside, word = at-1, "larger"
		}
		gain, ok := s.gain(goals[0], best[0], x, x.values[beside], settings)
		if ok && gain >= leastGain {
			var together []string
			for _, y := range settings {
				if y.path == x.path || s.linked(y, x) {
					together = append(together, y.path+" "+result.Cell(best[0][y.text]))
				}
			}
			if len(together) > 1 {
				out = append(out, fmt.Sprintf("%s, set together, are the last values tried, and %.2f times better than %s %s: try %s ones", strings.Join(together, " and "), gain, x.path, x.values[beside], word))
				continue
			}
			out = append(out, fmt.Sprintf("%s is the last value tried, and %.2f times better than %s: try %s ones", together[0], gain, x.values[beside], word))
		}
	}
	return out
}

// gain is how many times better the best row is than the one with another value of a setting. Of
// the other settings as few as possible differ, as some are varied together.
func (s *Sweep) gain(goal string, best []any, x setting, beside string, settings []setting) (times float64, ok bool) {
	t := s.table()
	least := len(settings) + 1
	for _, row := range t.Rows {
		if result.Cell(row[x.text]) != beside {
			continue
		}
		differ := 0
		for _, o := range settings {
			if result.Cell(row[o.text]) != result.Cell(best[o.text]) {
				differ++
			}
		}
		a, ok1 := value(best, t.Index(goal))
		b, ok2 := value(row, t.Index(goal))
		if ok1 && ok2 && a > 0 && b > 0 && differ < least {
			if least, times, ok = differ, b/a, true; s.larger(goal) {
				times = a / b
			}
		}
	}
	return times, ok
}
