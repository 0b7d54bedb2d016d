package sweep

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/atomicfile"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/explore"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// screenFidelity is the level that designs are screened at.
const screenFidelity = "analytic"

// Levels returns the settings for screening (every node that has it at fidelity analytic) and for
// confirming: those nodes at the fidelity of the configuration, or at their kind's default if that
// is analytic. A node for whose setting builds returns an error keeps its fidelity: a gpu at
// analytic has no port for the memory of its file.
func (s *Sweep) Levels(builds func(set string) error) (screen, confirm []string, err error) {
	root, err := s.root()
	if err != nil {
		return nil, nil, err
	}
	var axis string // of the sweep, that screening would set
	var why error   // the first node that keeps its fidelity
	var visit func(prefix string, n configs.Value)
	visit = func(prefix string, n configs.Value) {
		path := prefix + n.Get("name").Text()
		for _, inner := range root.Get("groups").Get(n.Get("group").Text()).Get("nodes").Items() {
			visit(path+".", inner)
		}
		own, ok := confirmedAt(n)
		if !ok {
			return
		}
		if key := path + ".fidelity"; slices.Contains(s.Grid.Paths(), key) && axis == "" {
			axis = key
		}
		set := path + ".fidelity=" + screenFidelity
		if err := builds(set); err != nil && axis == "" {
			why = cmp.Or(why, fmt.Errorf("%s: %w", set, err))
			return
		}
		screen = append(screen, set)
		confirm = append(confirm, path+".fidelity="+own)
	}
	for _, n := range root.Get("nodes").Items() {
		visit("", n)
	}
	if axis != "" {
		return nil, nil, badConfirm(axis + " is an axis of the sweep: screening sets it")
	}
	if len(screen) == 0 && why != nil {
		return nil, nil, badConfirm("no node can be at fidelity analytic here: " + why.Error())
	}
	if len(screen) == 0 {
		return nil, nil, badConfirm("no node can be both at fidelity analytic and at another")
	}
	return screen, confirm, nil
}

// confirmedAt returns the fidelity at which a node is confirmed. It is false for a node that has no
// level analytic, or none besides.
func confirmedAt(n configs.Value) (own string, ok bool) {
	own = n.Get("fidelity").Text()
	fallback := ""
	for _, f := range system.Fidelities(n.Get("kind").Text()) {
		ok = ok || f.Fidelity == screenFidelity
		if f.Default && f.Fidelity != screenFidelity {
			fallback = f.Fidelity
		}
	}
	if own == "" || own == screenFidelity {
		own = fallback
	}
	return own, ok && own != ""
}

type badConfirm string

func (e badConfirm) Error() string { return "--confirm: " + string(e) }

// BadInput implements badInput.
func (badConfirm) BadInput() {}

// Builds returns the error of the first point of the grid, without a run.
func (s *Sweep) Builds(ctx context.Context) error {
	_, faults := s.identify(ctx, []int{0}, nil)
	return faults[0]
}

// Pick restricts the sweep to these points of the grid.
func (s *Sweep) Pick(points []int) {
	s.picked = points
	s.origin.Points = points
}

// leastConfirmed is how many designs are confirmed at least, so that their order says
// something: the front, then the front of the others, and so on.
const leastConfirmed = 8

// Leading returns the designs to confirm, in grid order.
func (s *Sweep) Leading(out *Outcome) []int {
	left := slices.DeleteFunc(slices.Clone(s.points), func(p int) bool { return out.outcomes[p].Miss > 0 })
	var lead []int
	for len(lead) < leastConfirmed && len(left) > 0 {
		front := s.front(left, out.workloads, func(p int) explore.Outcome { return out.outcomes[p] })
		lead = append(lead, front...)
		left = slices.DeleteFunc(left, func(p int) bool { return slices.Contains(front, p) })
	}
	slices.Sort(lead)
	return lead
}

// A Confirmation compares screened designs with their runs at the other fidelity.
type Confirmation struct {
	Table *stats.Table // confirm.csv
	// Agreement is Kendall's tau-b between the two levels, of each objective.
	Agreement []float64
	Designs   int // that both fidelities could simulate
	Stay      int // designs of the screened front that are still Pareto-optimal
	Front     int // designs of the screened front
}

// Confirm compares screened designs with confirmed ones, and writes confirm.csv into the folder of
// the screening.
func (s *Sweep) Confirm(screened, confirmed *Outcome) (*Confirmation, error) {
	c := &Confirmation{Table: &stats.Table{}, Front: len(screened.Front)}
	var keep []int
	for i, col := range confirmed.Table.Columns {
		if _, _, setting := grid.SettingOf(col.Name); setting || col.Name == "point" || col.Name == "status" {
			keep = append(keep, i)
			c.Table.Columns = append(c.Table.Columns, col)
		}
	}
	for _, o := range screened.Objectives {
		c.Table.Columns = append(c.Table.Columns, stats.Column{Name: o.Name + " screened"}, stats.Column{Name: o.Name + " confirmed"},
			stats.Column{Name: o.Name + " deviation_%", Unit: stats.Percent})
	}
	n := len(screened.Objectives)
	a, b := make([][]float64, n), make([][]float64, n)
	var both []int
	for r, p := range confirmed.Points {
		var row []any
		for _, i := range keep {
			row = append(row, confirmed.Table.Rows[r][i])
		}
		x, y := screened.outcomes[p].Values, confirmed.outcomes[p].Values
		for k, o := range screened.Objectives {
			if len(y) != n {
				row = append(row, sign(o, x[k]), nil, nil)
				continue
			}
			var off any
			if x[k] != 0 {
				off = 100 * (y[k] - x[k]) / x[k]
			}
			row = append(row, sign(o, x[k]), sign(o, y[k]), off)
			a[k], b[k] = append(a[k], x[k]), append(b[k], y[k])
		}
		c.Table.Append(row...)
		if len(y) == n {
			both = append(both, p)
		}
	}
	c.Designs = len(both)
	for k := range screened.Objectives {
		c.Agreement = append(c.Agreement, explore.Agreement(a[k], b[k]))
	}
	front := s.front(both, screened.workloads, func(p int) explore.Outcome { return confirmed.outcomes[p] })
	for _, p := range screened.Front {
		if slices.Contains(front, p) {
			c.Stay++
		}
	}
	return c, atomicfile.Write(fmt.Sprintf("%s/confirm.csv", s.Dir), result.TableCSV(c.Table))
}

// sign is a value of an objective as its metric has it.
func sign(o Objective, v float64) float64 {
	if o.Max {
		return -v
	}
	return v
}
