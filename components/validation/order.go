package validation

import (
	"fmt"
	"strconv"
)

// An Order is how many pairs of rows have to be in the order that was measured: pairs of
// rows that agree in some columns, as all algorithms for the same machine and size.
type Order struct {
	Agree []string `yaml:"agree"`
	All   float64  `yaml:"all"`   // percent of all pairs, at least
	Apart float64  `yaml:"apart"` // percent of the pairs whose ranges do not overlap, at least
	Low   string   `yaml:"low"`   // columns of the range
	High  string   `yaml:"high"`
	// Missed tells that All and Apart are aims: what is reached is printed.
	Missed bool `yaml:"missed"`
}

// order compares the order of pairs.
func (c *compared) order(study string, b *Bound) []Row {
	type row struct{ simulated, measured, low, high float64 }
	sets := map[string][]row{}
	var keys []string
	for i := range c.points {
		p := &c.points[i]
		if b.Rows != allRows && p.set != b.Rows || !(Rule{Where: b.Where}).holds(p.cells, 0) {
			continue
		}
		key := ""
		for _, k := range b.Order.Agree {
			key += p.cells[k] + "/"
		}
		if sets[key] == nil {
			keys = append(keys, key)
		}
		low, _ := strconv.ParseFloat(p.cells[b.Order.Low], 64)
		high, _ := strconv.ParseFloat(p.cells[b.Order.High], 64)
		sets[key] = append(sets[key], row{c.times[p.name], p.measured, low, high})
	}
	var right, pairs, rightApart, apart float64
	for _, k := range keys {
		for i, x := range sets[k] {
			for _, y := range sets[k][:i] {
				ok := 0.
				distinct := x.low > y.high || y.low > x.high
				switch {
				case (x.simulated-y.simulated)*(x.measured-y.measured) > 0 || x.measured == y.measured:
					ok = 1
				case x.simulated == y.simulated && !distinct: // the same model, and nobody can tell them apart
					ok = 1
				}
				pairs++
				right += ok
				if distinct {
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
		if b.Order.Missed {
			name += " (an aim)"
		}
		r := Row{Study: study, Run: c.m.Run, Metric: name, Unit: "%",
			Published: l.want, Tolerance: atLeast, Label: c.m.Label, Source: c.m.Source, limit: true}
		if l.of == 0 {
			r.Problem = "there are no such pairs"
		} else {
			r.Simulated = 100 * l.right / l.of
			r.OK = r.Simulated >= l.want || b.Order.Missed
		}
		out = append(out, r)
	}
	return out
}
