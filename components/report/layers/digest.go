package layers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/stats"
)

// MaxRows bounds how many layers a summary shows; all stand in layers.csv.
const MaxRows = 24

// Digest returns the layer table with the columns that people read. A table of more than MaxRows layers is
// cut to the layers that take most cycles, with equal layers of all blocks in one row; note says what is
// left out, and is empty if nothing is.
func Digest(t *stats.Table) (few *stats.Table, note string) {
	columns, row := layerDigest(t)
	ci := t.Index("cycles")
	if t.Len() <= MaxRows || ci < 0 {
		few = &stats.Table{Columns: columns}
		for _, r := range t.All() {
			few.Append(row(r)...)
		}
		return few, ""
	}
	type group struct {
		name                  string
		first, slowest, count int
		cycles, most          float64
	}
	rename := LikeLayers(Names(t.Each()))
	at := map[[2]string]int{}
	var groups []group
	where, grouped := t.Index("where"), false
	for i, row := range t.Each() {
		key := [2]string{rename(fmt.Sprint(row[0])), ""}
		if where >= 0 {
			key[1] = fmt.Sprint(row[where])
		}
		k, ok := at[key]
		if !ok {
			k = len(groups)
			at[key] = k
			groups = append(groups, group{name: key[0], first: i, slowest: i, most: stats.Number(row[ci])})
		}
		g := &groups[k]
		g.count++
		g.cycles += stats.Number(row[ci])
		if n := stats.Number(row[ci]); n > g.most {
			g.slowest, g.most = i, n
		}
		grouped = grouped || g.count > 1
	}
	all := len(groups)
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(b.cycles, a.cycles) })
	groups = groups[:min(MaxRows, all)]
	slices.SortFunc(groups, func(a, b group) int { return cmp.Compare(a.first, b.first) })
	few = &stats.Table{Columns: columns}
	for _, g := range groups {
		r := row(t.Row(g.slowest))
		if g.count > 1 {
			r[0] = fmt.Sprintf("%s (%d)", g.name, g.count)
		}
		few.Append(r...)
	}
	if few.Len() < all {
		note = fmt.Sprintf("the %d with most cycles; all %d rows: layers.csv", few.Len(), t.Len())
	} else {
		note = fmt.Sprintf("all %d rows: layers.csv", t.Len())
	}
	if grouped {
		note += "; of like layers, as many as the brackets say, the slowest is shown"
	}
	return few, note
}

// layerDigest condenses a layer table to what fits a terminal: the columns named
// here, the memory traffic in one, and the main cause of a stall. condense makes the row.
func layerDigest(t *stats.Table) (columns []stats.Column, condense func(row []any) []any) {
	var cells []func(row []any) any
	add := func(c stats.Column, f func(row []any) any) {
		columns, cells = append(columns, c), append(cells, f)
	}
	defined := func(i int) bool {
		return i >= 0 && t.Any(func(row []any) bool { return row[i] != nil })
	}
	for _, name := range []string{"layer", "where", "type", "cycles", stats.ComputeCycles, "utilization", "mapping_efficiency", "compute_utilization", "bound"} {
		i := t.Index(name)
		if !defined(i) || name == "where" && !varies(t, i) {
			continue
		}
		c := t.Columns[i]
		c.Name = strings.NewReplacer(stats.ComputeCycles, "compute", "utilization", "util %", "mapping_efficiency", "mapping %", "compute_util %", "compute util %").Replace(c.Name)
		add(c, func(row []any) any { return row[i] })
	}
	if cols := TrafficColumns(t); len(cols) > 0 {
		add(stats.Column{Name: "memory bytes", Unit: stats.Byte}, func(row []any) any { return SumOf(row, cols) })
	}
	var stalls []int
	for i, c := range t.Columns {
		if strings.HasPrefix(c.Name, stats.StallPrefix) {
			stalls = append(stalls, i)
		}
	}
	if ci := t.Index("cycles"); len(stalls) > 0 && ci >= 0 {
		add(stats.Column{Name: "stalled", Unit: stats.Percent}, func(row []any) any {
			if c := stats.Number(row[ci]); c > 0 {
				return fmt.Sprintf("%.1f %%", 100*SumOf(row, stalls)/c)
			}
			return nil
		})
		add(stats.Column{Name: "mostly by"}, func(row []any) any {
			best := stalls[0]
			for _, i := range stalls {
				if stats.Number(row[i]) > stats.Number(row[best]) {
					best = i
				}
			}
			if stats.Number(row[best]) == 0 {
				return nil
			}
			return CauseName(t.Columns[best].Name)
		})
	}
	return columns, func(row []any) []any {
		r := make([]any, len(cells))
		for i, f := range cells {
			r[i] = f(row)
		}
		return r
	}
}

// varies reports whether column i holds more than one value.
func varies(t *stats.Table, i int) bool {
	return t.Len() > 0 && func(first any) bool {
		return t.Any(func(row []any) bool { return row[i] != first })
	}(t.Row(0)[i])
}
