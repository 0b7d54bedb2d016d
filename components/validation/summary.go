package validation

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// A Summary has the errors over one set of rows of a measurement, in percent of the measured
// times.
type Summary struct {
	Measurement, Run, Rows string
	N                      int
	Within                 int // rows whose error is within the rule of the label
	Error                  Spread
	Baseline               *Spread // of the run Baseline over the same rows
}

// A Spread summarises absolute errors. Bias is the mean of the signed errors.
type Spread struct{ Mean, Median, P85, P90, Max, Bias float64 }

// spread is that of errors with their sign, whose absolute values it sorts in place. The
// quantile of n errors is the least that a share of them does not exceed.
func spread(errs []float64) Spread {
	if len(errs) == 0 {
		return Spread{}
	}
	bias := 0.0
	for i, e := range errs {
		bias += e / float64(len(errs))
		errs[i] = math.Abs(e)
	}
	slices.Sort(errs)
	rank := func(q float64) float64 { return errs[max(int(math.Ceil(q*float64(len(errs))))-1, 0)] }
	sum := 0.0
	for _, e := range errs {
		sum += e
	}
	return Spread{sum / float64(len(errs)), rank(0.5), rank(0.85), rank(0.9), errs[len(errs)-1], bias}
}

// A compared is a measurement with its points and the times of its run.
type compared struct {
	m        *Measurement
	points   []point
	times    map[string]float64
	baseline map[string]float64
	repeats  []float64 // differences of rows with the same settings
}

// errors are the errors in percent over the rows of b, with their sign.
func (c *compared) errors(b *Bound, times map[string]float64) ([]float64, error) {
	type pair struct{ simulated, measured float64 }
	sums := map[string]*pair{}
	var order []string
	for i := range c.points {
		p := &c.points[i]
		if b.Rows != allRows && p.set != b.Rows || !(Rule{Where: b.Where}).holds(p.cells, 0) {
			continue
		}
		t, ok := times[p.name]
		if !ok {
			return nil, fmt.Errorf("the run has no time of row %q", p.name)
		}
		key := fmt.Sprint(i)
		if b.Sum != "" {
			key = p.cells[b.Sum]
		}
		if sums[key] == nil {
			sums[key] = &pair{}
			order = append(order, key)
		}
		sums[key].simulated += t
		sums[key].measured += p.measured
	}
	out := make([]float64, 0, len(order))
	for _, k := range order {
		out = append(out, 100*(sums[k].simulated/sums[k].measured-1))
	}
	return out, nil
}

// text describes the rows of a bound.
func (b *Bound) text() string {
	s := b.Rows + " rows"
	var parts []string
	for _, c := range slices.Sorted(maps.Keys(b.Where)) {
		parts = append(parts, c+" "+b.Where[c])
	}
	if len(parts) > 0 {
		s += " with " + strings.Join(parts, ", ")
	}
	if b.Sum != "" {
		s += ", sum by " + b.Sum
	}
	return s
}

// summaries are the errors over every set of rows of the measurement, then over
// those of its bounds.
func (c *compared) summaries() ([]Summary, error) {
	var out []Summary
	add := func(b *Bound) error {
		errs, err := c.errors(b, c.times)
		if err != nil || len(errs) == 0 {
			return err
		}
		s := Summary{Measurement: c.m.Name, Run: c.m.Run, Rows: b.text(), N: len(errs), Error: spread(errs)}
		for _, e := range errs { // absolute by now
			if e <= rounded(Limit(c.m.Label)) {
				s.Within++
			}
		}
		if c.baseline != nil {
			errs, err := c.errors(b, c.baseline)
			if err != nil {
				return fmt.Errorf("run %s: %w", c.m.Baseline, err)
			}
			base := spread(errs)
			s.Baseline = &base
		}
		if !slices.ContainsFunc(out, func(o Summary) bool { return o.Rows == s.Rows }) {
			out = append(out, s)
		}
		return nil
	}
	for _, rows := range []string{fittedRows, otherRows, carriedRows} {
		if err := add(&Bound{Rows: rows}); err != nil {
			return nil, err
		}
	}
	for i := range c.m.Bounds {
		if err := add(&c.m.Bounds[i]); err != nil {
			return nil, err
		}
	}
	if n := len(c.repeats); n > 0 {
		out = append(out, Summary{Measurement: c.m.Name, Run: c.m.Run, Rows: "equal rows of the file", N: n, Error: spread(c.repeats)})
	}
	return out, nil
}

// rows compares every bound. A mean and a median are judged by the rule of the label, the other
// statistics by their own bound.
func (c *compared) rows(study string) []Row {
	var out []Row
	for i := range c.m.Bounds {
		b := &c.m.Bounds[i]
		errs, err := c.errors(b, c.times)
		if err == nil && len(errs) == 0 {
			err = fmt.Errorf("there are no %s", b.text())
		}
		s := spread(errs)
		for _, l := range []struct {
			name       string
			limit, got float64
			typical    bool // the rule of the label applies
		}{{"mean", b.Mean, s.Mean, true}, {"median", b.Median, s.Median, true}, {"p85", b.P85, s.P85, false}, {"p90", b.P90, s.P90, false}, {"greatest", b.Max, s.Max, false}} {
			if l.limit == 0 {
				continue
			}
			r := Row{Study: study, Run: c.m.Run, Metric: fmt.Sprintf("%s: %s error of %s", c.m.Name, l.name, b.text()), Unit: "%",
				Published: l.limit, Simulated: l.got, Tolerance: atMost, Label: c.m.Label, Source: c.m.Source, limit: true}
			if err != nil {
				r.Problem = err.Error()
			}
			r.Gate = l.got <= l.limit
			if most := Limit(c.m.Label); l.typical {
				r.judge(ruleText(most), l.got <= rounded(most), b.Missed)
			} else {
				r.judge(atMost, r.Gate, b.Missed)
			}
			out = append(out, r)
		}
		if b.Order != nil {
			out = append(out, c.order(study, b)...)
		}
	}
	return out
}
