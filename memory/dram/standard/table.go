package standard

import (
	"maps"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/stats"
)

// Table returns the constraints of the grade, a row each.
func (g *Grade) Table() *stats.Table {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "level", Text: "Part of a channel in which it holds."},
		{Name: "after", Text: "Commands before."}, {Name: "before", Text: "Commands that wait."},
		{Name: "rule", Text: "Sum of timings, between the last clocks of the commands."},
		{Name: "clocks", Unit: stats.Cycle, Text: "Clocks between the first clocks of the commands."},
		{Name: "window", Unit: stats.One, Text: "Counted from this last command before."},
	}}
	for _, c := range g.Constraints {
		t.Append(c.Level.String(), words(c.Prev), words(c.Next), c.Formula, c.Clocks, c.Window)
	}
	return t
}

// Timings returns the timings of the grade with their time.
func (g *Grade) Timings() *stats.Table {
	t := &stats.Table{Columns: []stats.Column{{Name: "timing"}, {Name: "clocks", Unit: stats.Cycle}, {Name: "time", Unit: stats.NS}}}
	for _, name := range slices.Sorted(maps.Keys(g.Timing)) {
		t.Append("t"+name, g.Timing[name], g.Clock.Nanoseconds(uint64(g.Timing[name])))
	}
	return t
}

func words(cs []Command) string {
	var out []string
	for _, c := range cs {
		out = append(out, c.String())
	}
	return strings.Join(out, " ")
}
