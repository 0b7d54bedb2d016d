package validation

import (
	"fmt"
	"math"
	"strconv"
)

// An Order is the least share of pairs of rows that must be in the measured order. The pairs are
// rows with equal cells in the columns Agree, as all algorithms for one machine and size.
type Order struct {
	Agree []string `yaml:"agree"`
	All   float64  `yaml:"all"`   // percent of all pairs, at least
	Apart float64  `yaml:"apart"` // percent of the pairs whose ranges do not overlap, at least
	Low   string   `yaml:"low"`   // columns of the range
	High  string   `yaml:"high"`
	// Margin is the range in place of columns: times that differ by more percent do not overlap.
	Margin float64 `yaml:"margin"`
	// Missed marks All and Apart as not reached, so that they fail nothing.
	Missed bool `yaml:"missed"`
}

// A ranked is a row whose place among others is compared.
type ranked struct{ simulated, measured, low, high float64 }

// distinct reports whether the measured ranges do not overlap.
func (x ranked) distinct(y ranked) bool { return x.low > y.high || y.low > x.high }

// inOrder is 1 where two rows are simulated in the order in which they were measured, or
// are equal and their measured ranges overlap; else 0.
func (x ranked) inOrder(y ranked) float64 {
	switch {
	case (x.simulated-y.simulated)*(x.measured-y.measured) > 0 || x.measured == y.measured:
		return 1
	case x.simulated == y.simulated && !x.distinct(y):
		return 1
	}
	return 0
}

// sets are the rows that agree in the columns of an order, in the order of the file.
func (c *compared) sets(b *Bound) (out [][]ranked) {
	at := map[string]int{}
	for i := range c.points {
		p := &c.points[i]
		if b.Rows != allRows && p.set != b.Rows || !(Rule{Where: b.Where}).holds(p.cells, 0) {
			continue
		}
		key := ""
		for _, k := range b.Order.Agree {
			key += p.cells[k] + "/"
		}
		if _, ok := at[key]; !ok {
			at[key] = len(out)
			out = append(out, nil)
		}
		low, _ := strconv.ParseFloat(p.cells[b.Order.Low], 64)
		high, _ := strconv.ParseFloat(p.cells[b.Order.High], 64)
		if b.Order.Margin > 0 {
			root := math.Sqrt(1 + b.Order.Margin/100)
			low, high = p.measured/root, p.measured*root
		}
		out[at[key]] = append(out[at[key]], ranked{c.times[p.name], p.measured, low, high})
	}
	return out
}

// order compares the order of pairs.
func (c *compared) order(study string, b *Bound) []Row {
	var right, pairs, rightApart, apart float64
	for _, set := range c.sets(b) {
		for i, x := range set {
			for _, y := range set[:i] {
				ok := x.inOrder(y)
				pairs++
				right += ok
				if x.distinct(y) {
					apart++
					rightApart += ok
				}
			}
		}
	}
	var out []Row
	for _, l := range []struct {
		name            string
		want, right, of float64
	}{{"pairs in order", b.Order.All, right, pairs}, {"pairs that do not overlap in order", b.Order.Apart, rightApart, apart}} {
		if l.want == 0 {
			continue
		}
		name := fmt.Sprintf("%s: %s of %s", c.m.Name, l.name, b.text())
		r := Row{Study: study, Run: c.m.Run, Metric: name, Unit: "%",
			Published: l.want, Tolerance: atLeast, Label: c.m.Label, Source: c.m.Source, limit: true}
		if l.of == 0 {
			r.Problem = "there are no such pairs"
		} else {
			r.Simulated = 100 * l.right / l.of
			r.Gate = r.Simulated >= l.want
		}
		r.judge(atLeast, r.Gate, b.Order.Missed)
		out = append(out, r)
	}
	return out
}
