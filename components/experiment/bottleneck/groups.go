package bottleneck

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/stats"
)

// nameable are the causes that a sentence can name: computing first, and no part of another.
var nameable = slices.DeleteFunc(slices.Clone(stats.Causes), func(c stats.Cause) bool { return c.Words == "" })

// ownCycles are the cycles of a row of layers without those in which it waits for another core.
func ownCycles(t *stats.Table) func(row []any) float64 {
	cycles, wait := column(t, "cycles"), column(t, stats.DependencyCycles)
	return func(row []any) float64 { return cycles(row) - wait(row) }
}

// column is a column of a table, as numbers; 0 where the table has none of that name.
func column(t *stats.Table, name string) func(row []any) float64 {
	at := -1
	if t != nil {
		at = t.Index(name)
	}
	if at < 0 {
		return func([]any) float64 { return 0 }
	}
	return func(row []any) float64 { return stats.Number(row[at]) }
}

// layerGroups are the groups of layers by their weight, and its sum; of the rows that a function
// lets pass.
func layerGroups(t *stats.Table, weight func(row []any) float64, only func(row []any) bool) (groups []cause.Group, total float64) {
	name := -1
	if t != nil {
		name = t.Index("layer")
	}
	if name < 0 {
		return nil, 0
	}
	groups = cause.Groups(func(yield func(string, float64) bool) {
		for _, row := range t.Each() {
			v := weight(row)
			if row[name] == nil || v <= 0 || only != nil && !only(row) {
				continue
			}
			total += v
			text, ok := row[name].(string)
			if !ok {
				text = fmt.Sprint(row[name])
			}
			if !yield(text, v) {
				return
			}
		}
	})
	return groups, total
}
