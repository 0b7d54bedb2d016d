package standard

import (
	"fmt"
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
		t.Append(g.Level(c.Level), g.Words(c.Prev), g.Words(c.Next), c.Formula, c.Clocks, c.Window)
	}
	return t
}

// Commands returns the commands of the grade, a row each, with what they do.
func (g *Grade) Commands() *stats.Table {
	t := &stats.Table{Columns: []stats.Column{
		{Name: "command"}, {Name: "slots", Unit: stats.Cycle, Text: "Clocks on the command bus."},
		{Name: "banks", Text: "That it is about."}, {Name: "needs", Text: "State of the banks before."}, {Name: "leaves", Text: "State of the banks after."},
		{Name: "rank", Text: "States and marks of the rank."},
		{Name: "data", Text: "To the last beat, in timings."}, {Name: "busy", Text: "For which the chip works on it, in timings."},
	}}
	for i, a := range g.Actions {
		if g.Slots[i] == 0 {
			continue
		}
		var rank []string
		for _, x := range []struct{ verb, what string }{{"begins", a.Begins}, {"ends", a.Ends}, {"sets", a.Sets}, {"clears", a.Clears}, {"not while", a.Without}} {
			if x.what != "" {
				rank = append(rank, x.verb+" "+x.what)
			}
		}
		t.Append(a.Name, g.Slots[i], a.Scope.String(), a.Needs.String(), a.Leaves.String(), strings.Join(rank, ", "), a.Data.text(), a.Busy.text())
	}
	return t
}

// text is the sum with its value, 36 (CL + BL).
func (d Delay) text() string {
	if d.Formula == "" {
		return ""
	}
	return fmt.Sprintf("%d (%s)", d.Clocks, d.Formula)
}

// Timings returns the timings of the grade with their time.
func (g *Grade) Timings() *stats.Table {
	t := &stats.Table{Columns: []stats.Column{{Name: "timing"}, {Name: "clocks", Unit: stats.Cycle}, {Name: "time", Unit: stats.NS}}}
	for _, name := range slices.Sorted(maps.Keys(g.Timing)) {
		t.Append("t"+name, g.Timing[name], g.Clock.Nanoseconds(uint64(g.Timing[name])))
	}
	return t
}

// Words lists the names of commands.
func (g *Grade) Words(cs []Command) string {
	var out []string
	for _, c := range cs {
		out = append(out, g.Actions[c].Name)
	}
	return strings.Join(out, " ")
}
