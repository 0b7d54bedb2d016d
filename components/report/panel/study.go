package panel

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/validation"
)

func init() {
	Add("published", "Published against simulated values, by label.", Panel{Section: Held, Place: 1, Draw: published})
	Add("errors", "Mean and greatest error of each study.", Panel{Section: Held, Place: 2, Draw: studyErrors})
	Add("error-spread", "How many points have which error, by label.", Panel{Section: Held, Place: 3, Draw: errorSpread})
	Add("measured", "Measured against simulated times of single operators, by group: rows fitted on, other rows, and rows of carried kernels.", Panel{Section: Held, Place: 5, Draw: measuredGroups})
	Add("verdicts", "How many points of each study hold, miss, or could not be compared.", Panel{Section: Held, Place: 4, Draw: verdicts})
}

// A Study is what validation has found.
type Study struct {
	Reports []*validation.Report
}

// Labels lists the labels of the points in the order in which they come.
func (s *Study) Labels() (out []string) {
	at := Indexer(&out)
	for _, r := range s.Reports {
		for _, row := range r.Rows {
			at(row.Label)
		}
	}
	return out
}

// published puts each point at its published and its simulated value.
func published(d *Data) []chart.Figure {
	if d.Study == nil {
		return nil
	}
	f := chart.Figure{Name: "published", Title: "Published against simulated", Wide: true}
	f.Note = "A dot for each point that could be compared and is above 0; on the line both are equal."
	f.Kind = chart.Points
	f.X, f.Y = chart.Axis{Name: "published", Log: true}, chart.Axis{Name: "simulated", Log: true}
	lo, hi := math.Inf(1), 0.0
	for _, l := range d.Study.Labels() {
		s := chart.Series{Name: l}
		for _, r := range d.Study.Reports {
			for _, row := range r.Rows {
				e, ok := row.Error()
				if !ok || row.Label != l || row.Published <= 0 || row.Simulated <= 0 {
					continue
				}
				s.X, s.Y = append(s.X, row.Published), append(s.Y, row.Simulated)
				s.Labels = append(s.Labels, fmt.Sprintf("%s, %s\nmetric: %s\nerror: %+.2f %%\nrule: %s\nverdict: %s\nunit: %s", row.Study, row.Run, row.Metric, e, row.Rule, row.Verdict(), row.Unit))
				lo, hi = min(lo, row.Published, row.Simulated), max(hi, row.Published, row.Simulated)
			}
		}
		if len(s.X) > 0 {
			f.Series = append(f.Series, s)
		}
	}
	if len(f.Series) == 0 {
		return nil
	}
	f.Series = append([]chart.Series{equal(lo, hi)}, f.Series...)
	return []chart.Figure{f}
}

// carriedGroup ends the name of a measurement whose rows were measured on a chip that runs the
// kernels of another; its group is that of the name before.
const carriedGroup = "_carried"

// measuredGroups puts the rows of each group at their measured and their simulated time: a group
// is a chip, an operator and a type.
func measuredGroups(d *Data) (out []chart.Figure) {
	if d.Study == nil {
		return nil
	}
	for _, r := range d.Study.Reports {
		var names []string
		at := Indexer(&names)
		groups := map[int][]*validation.Measured{}
		for i := range r.Measured {
			m := &r.Measured[i]
			if m.Found && m.Measured > 0 && m.Simulated > 0 {
				g := at(strings.TrimSuffix(m.Measurement, carriedGroup))
				groups[g] = append(groups[g], m)
			}
		}
		for i, name := range names {
			out = append(out, measuredGroup(r.Study.Name, name, groups[i]))
		}
	}
	return out
}

// measuredGroup draws one group; the name of each set of rows says its median error.
func measuredGroup(study, name string, rows []*validation.Measured) chart.Figure {
	f := chart.Figure{Name: "measured-" + study + "-" + name, Title: study + ": " + strings.ReplaceAll(name, "_", " ")}
	f.Kind = chart.Points
	f.X, f.Y = chart.Axis{Name: "measured", Unit: "ns", Log: true}, chart.Axis{Name: "simulated", Unit: "ns", Log: true}
	var sets []string
	at := Indexer(&sets)
	errors := map[int][]float64{}
	lo, hi := math.Inf(1), 0.0
	for _, m := range rows {
		i := at(m.Set)
		if i == len(f.Series) {
			f.Series = append(f.Series, chart.Series{})
		}
		s := &f.Series[i]
		s.X, s.Y = append(s.X, m.Measured), append(s.Y, m.Simulated)
		s.Labels = append(s.Labels, fmt.Sprintf("%s\nerror: %+.2f %%", m.Row, m.Error()))
		errors[i] = append(errors[i], math.Abs(m.Error()))
		lo, hi = min(lo, m.Measured, m.Simulated), max(hi, m.Measured, m.Simulated)
	}
	for i, set := range sets {
		slices.Sort(errors[i])
		n := len(errors[i])
		f.Series[i].Name = fmt.Sprintf("%s, median error %.1f %%", set, (errors[i][(n-1)/2]+errors[i][n/2])/2)
	}
	f.Series = append([]chart.Series{equal(lo, hi)}, f.Series...)
	return f
}

// equal is the line on which both axes are equal.
func equal(lo, hi float64) chart.Series {
	return chart.Series{Name: "equal", Line: true, Dash: true, Color: "#888888", X: chart.Numbers{lo, hi}, Y: chart.Numbers{lo, hi}}
}

// An Err is the error of some points, in percent.
type Err struct {
	N                   int
	Mean, Median, Worst float64 // of absolute values
}

// ErrorOf is the error of the rows that keep accepts.
func ErrorOf(rows []validation.Row, keep func(validation.Row) bool) (out Err) {
	var all []float64
	for _, row := range rows {
		if e, ok := row.Error(); ok && keep(row) {
			out.N++
			all = append(all, math.Abs(e))
			out.Mean += math.Abs(e)
			out.Worst = max(out.Worst, math.Abs(e))
		}
	}
	if out.N > 0 {
		slices.Sort(all)
		out.Median = (all[(out.N-1)/2] + all[out.N/2]) / 2
	}
	out.Mean /= float64(max(1, out.N))
	return out
}

func studyErrors(d *Data) []chart.Figure {
	if d.Study == nil {
		return nil
	}
	f := chart.Figure{Name: "errors", Title: "Error of each study", Wide: true}
	f.Note = "Absolute errors of the points that have one, in percent of the published value."
	f.Kind, f.Across, f.Y = chart.Bars, true, chart.Axis{Name: "error", Unit: "%"}
	mean, worst := chart.Series{Name: "mean", Color: "#0072b2"}, chart.Series{Name: "greatest", Color: "#e69f00"}
	reports := slices.Clone(d.Study.Reports)
	all := func(validation.Row) bool { return true }
	slices.SortStableFunc(reports, func(a, b *validation.Report) int {
		return cmp.Compare(ErrorOf(b.Rows, all).Mean, ErrorOf(a.Rows, all).Mean)
	})
	for _, r := range reports {
		if e := ErrorOf(r.Rows, all); e.N > 0 {
			f.X.Labels = append(f.X.Labels, r.Study.Name)
			mean.Y, worst.Y = append(mean.Y, e.Mean), append(worst.Y, e.Worst)
		}
	}
	f.Series = []chart.Series{mean, worst}
	return OneFigure(f)
}

// The bounds of the columns of errorSpread, in percent.
var spread = []float64{-50, -20, -10, -5, -2, -1, -0.1, 0.1, 1, 2, 5, 10, 20, 50}

func errorSpread(d *Data) []chart.Figure {
	if d.Study == nil {
		return nil
	}
	f := chart.Figure{Name: "error-spread", Title: "Errors by size"}
	f.Kind, f.Stack, f.Y = chart.Bars, true, chart.Axis{Name: "points", Unit: "1"}
	f.X.Name = "error in percent"
	for i := 0; i <= len(spread); i++ {
		switch {
		case i == 0:
			f.X.Labels = append(f.X.Labels, fmt.Sprintf("< %g", spread[0]))
		case i == len(spread):
			f.X.Labels = append(f.X.Labels, fmt.Sprintf("> %g", spread[i-1]))
		default:
			f.X.Labels = append(f.X.Labels, fmt.Sprintf("%g to %g", spread[i-1], spread[i]))
		}
	}
	for _, l := range d.Study.Labels() {
		s := chart.Series{Name: l, Y: make(chart.Numbers, len(f.X.Labels))}
		n := 0
		for _, r := range d.Study.Reports {
			for _, row := range r.Rows {
				if e, ok := row.Error(); ok && row.Label == l {
					i, _ := slices.BinarySearch(spread, e)
					s.Y[i]++
					n++
				}
			}
		}
		if n > 0 {
			f.Series = append(f.Series, s)
		}
	}
	return OneFigure(f)
}

func verdicts(d *Data) []chart.Figure {
	if d.Study == nil {
		return nil
	}
	f := chart.Figure{Name: "verdicts", Title: "Points of each study"}
	f.Kind, f.Stack, f.Across, f.Y = chart.Bars, true, true, chart.Axis{Name: "points", Unit: "1"}
	holds, misses, absent := chart.Series{Name: "hold", Color: "#009e73"}, chart.Series{Name: "missed", Color: "#d55e00"}, chart.Series{Name: "no input here", Color: "#999999"}
	for _, r := range d.Study.Reports {
		var n [3]float64
		for _, row := range r.Rows {
			switch {
			case row.NoInput:
				n[2]++
			case !row.OK:
				n[1]++
			default:
				n[0]++
			}
		}
		f.X.Labels = append(f.X.Labels, r.Study.Name)
		holds.Y, misses.Y, absent.Y = append(holds.Y, n[0]), append(misses.Y, n[1]), append(absent.Y, n[2])
	}
	f.Series = []chart.Series{holds, misses, absent}
	return OneFigure(f)
}
