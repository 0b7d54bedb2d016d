package sweep

import (
	"cmp"
	"encoding/json"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/experiment/sweep/grid"
	"github.com/causeway-sim/causeway/components/journal"
	"github.com/causeway-sim/causeway/components/stats"
)

// SweepSchema names the layout of sweep.json.
const SweepSchema = "causeway-sweep/1"

// sweepFile is the content of sweep.json: the description of a sweep and its outcome.
type sweepFile struct {
	Schema   string        `json:"schema"`
	Version  string        `json:"version"`
	Points   int           `json:"points"`
	Complete int           `json:"complete"`
	Failed   int           `json:"failed"` // or stuck
	Missing  int           `json:"missing"`
	Builds   []string      `json:"builds"`          // that the results are of
	Fixed    []string      `json:"fixed,omitempty"` // settings of all points, in place of those of the configuration
	Axes     []sweepAxis   `json:"axes"`
	Columns  []sweepColumn `json:"columns"` // of sweep.csv
	// Headlines are the metrics that a reader asks for first, in that order.
	Headlines []sweepHeadline `json:"headlines,omitempty"`
	Method    string          `json:"method"`
	// Constraints are those of the sweep, and Met is how many designs meet them; absent without any.
	Constraints []string `json:"constraints,omitempty"`
	Met         *int     `json:"met,omitempty"`
	// Misses are the complete points whose designs miss the constraints.
	Misses []int `json:"misses,omitempty"`
	// Workloads are paths whose values are unlike workloads, for each of which designs are judged.
	Workloads []string      `json:"workloads,omitempty"`
	Best      []sweepBest   `json:"best,omitempty"` // of each objective, and of each workload
	Machines  []BestMachine `json:"best_over_workloads,omitempty"`
	Warnings  []string      `json:"warnings"`
}

type sweepAxis struct {
	Paths  []string   `json:"paths"`
	Values [][]string `json:"values"` // one for each path
	// Changes reports whether a metric changes with it; null where too few points
	// are complete to tell.
	Changes *bool `json:"changes"`
}

type sweepHeadline struct {
	Metric string `json:"metric"` // a column of sweep.csv
	Better string `json:"better"` // less, more or neither
	Label  string `json:"label"`
}

type sweepBest struct {
	Objective string   `json:"objective"`
	Goal      string   `json:"goal"` // min or max
	Value     float64  `json:"value"`
	Point     int      `json:"point"`
	Set       []string `json:"set"`
	Of        []string `json:"of,omitempty"` // the workload
}

type sweepColumn struct {
	Name string     `json:"name"`
	Unit stats.Unit `json:"unit,omitempty"`
}

// summary is sweep.json; it fills in out.Dead.
func (s *Sweep) summary(out *Outcome, points []finding, folder *journal.Folder) ([]byte, error) {
	f := sweepFile{Schema: SweepSchema, Version: result.Version, Points: len(points), Builds: []string{}, Warnings: []string{}}
	for _, p := range points {
		switch p.status {
		case "":
			f.Missing++
		case string(result.Complete):
			f.Complete++
		default:
			f.Failed++
		}
	}
	for _, b := range folder.Builds() {
		f.Builds = append(f.Builds, b.Key())
	}
	effects := make([]effect, len(s.Grid))
	if f.Missing == 0 {
		effects = s.effects(points)
	}
	for _, b := range out.Best {
		f.Best = append(f.Best, sweepBest{b.Objective, b.Goal, b.Value, b.Point, b.Set, b.Of})
	}
	f.Fixed = s.Fixed()
	f.Workloads, f.Machines = out.Workloads, out.Machines
	if f.Constraints = s.Constraints(); len(f.Constraints) > 0 {
		f.Met, f.Misses = &out.Met, out.Misses
	}
	for _, a := range s.asked(points) {
		out.Headlines = append(out.Headlines, a.Key)
		f.Headlines = append(f.Headlines, sweepHeadline{a.Key, a.Better.String(), a.Label})
	}
	f.Method = cmp.Or(s.methodName, "grid")
	for k, a := range s.Grid {
		ax := sweepAxis{Paths: a.Paths, Values: a.Values}
		if effects[k] != untold {
			yes := effects[k] != nothing
			ax.Changes = &yes
		}
		if w := warning(a, effects[k]); w != "" {
			out.Dead = append(out.Dead, w)
		}
		f.Axes = append(f.Axes, ax)
	}
	f.Warnings = append(f.Warnings, out.Dead...)
	for _, c := range out.Table.Columns {
		unit := c.Unit
		if _, u, ok := grid.SettingOf(c.Name); ok {
			unit = stats.Unit(u)
		}
		f.Columns = append(f.Columns, sweepColumn{c.Name, unit})
	}
	b, err := json.MarshalIndent(f, "", " ")
	return append(b, '\n'), err
}
