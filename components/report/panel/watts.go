package panel

import (
	"fmt"
	"math"

	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/stats"
)

func init() {
	Add("power-time", "Power of each chip over time, with its limit.", Panel{Section: Over, Place: 7, Draw: powerTime})
	Add("clock-time", "Clock of each chip over time, where a limit of power lowers it.", Panel{Section: Over, Place: 8, Draw: clockTime})
}

// powered are the nodes with power over time: the elements of an array together, and how many they are.
type powered struct {
	name                          string
	active, static, busy, clocked int     // columns
	limit                         float64 // W; 0: none
	chips                         int
}

func poweredNodes(d *Data) (out []powered) {
	s := series(d)
	if s == nil {
		return nil
	}
	for _, c := range counters(s) {
		if c.name != "static_energy" {
			continue
		}
		p := powered{name: c.node, static: c.column, active: s.Index(c.node + ".active_energy"), busy: s.Index(c.node + ".busy_time"), clocked: s.Index(c.node + ".clocked_time")}
		for _, n := range d.Run.Having("power_mean") {
			if elements.ReplaceAllString(n, "") == c.node {
				limit, _ := d.Run.value(n, "power_limit")
				p.limit, p.chips = p.limit+limit, p.chips+1
			}
		}
		out = append(out, p)
	}
	return out
}

func powerTime(d *Data) []chart.Figure {
	s := series(d)
	var lines []chart.Series
	all := poweredNodes(d)
	for _, p := range all {
		lines = append(lines, over(s, p.name, func(row int, ns float64) float64 {
			pj := s.Number(row, p.static)
			if p.active >= 0 {
				pj += s.Number(row, p.active)
			}
			return math.Round(pj/ns/100) / 10 // pJ/ns are mW
		}))
	}
	out := timeFigure("power-time", "Power over time", "power", string(stats.Watt), lines)
	if len(out) == 0 {
		return nil
	}
	f := &out[0]
	f.Note = "Means of intervals, with the power of a chip at rest. Elements of an array stand together."
	for i, line := range f.Series {
		for _, p := range all {
			if n := len(line.X); p.name == line.Name && p.limit > 0 && n > 0 {
				f.Series = append(f.Series, chart.Series{Name: fmt.Sprintf("%s limit: %g W", p.name, p.limit), X: chart.Numbers{0, line.X[n-1]}, Y: chart.Numbers{p.limit, p.limit}, Dash: true, Color: chart.Palette(i)})
			}
		}
	}
	return out
}

// full is the clock, in percent, from which on a chip counts as not slowed down.
const full = 99.95

func clockTime(d *Data) []chart.Figure {
	s := series(d)
	var lines []chart.Series
	for _, p := range poweredNodes(d) {
		if p.busy < 0 || p.clocked < 0 {
			continue
		}
		slowed := false
		line := over(s, p.name, func(row int, _ float64) float64 {
			busy := s.Number(row, p.busy)
			if busy == 0 {
				return math.NaN()
			}
			clock := math.Round(1e4*s.Number(row, p.clocked)/busy) / 100
			slowed = slowed || clock < full
			return clock
		})
		if slowed {
			lines = append(lines, line)
		}
	}
	out := timeFigure("clock-time", "Clock over time", "clock of the SMs over the full one", string(stats.Percent), lines)
	for i := range out {
		out[i].Note = "Means over the time in which chips work, of intervals. A chip lowers its clock to keep power_limit; those that never do have no line."
	}
	return out
}
