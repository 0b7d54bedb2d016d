package result

import (
	"slices"
	"sort"

	"github.com/causeway-sim/causeway/components/stats"
)

// DropNonFinite removes every number that is not finite and returns an error for each.
func (r *Result) DropNonFinite() []error {
	kept, errs := stats.Finite(r.Metrics)
	r.Metrics = kept
	errs = append(errs, r.Layers.Settle("layers.csv")...)
	errs = append(errs, r.Levels.Settle("levels.csv")...)
	errs = append(errs, r.Requests.Settle("requests.csv")...)
	return append(errs, r.Series.Settle("timeseries.csv")...)
}

// kept bounds the rows of a joined table that are made once: of more they are made when read.
const kept = 1 << 16

// Join joins tables of the nodes called names into one. Its columns are those of the first table,
// then those that others add, and the column where with the name of the node. Rows are ordered by
// node.
func Join(names []string, tables []*stats.Table, where stats.Column) *stats.Table {
	out := &stats.Table{}
	for _, t := range tables {
		if len(t.Columns) == 0 {
			continue
		}
		for _, c := range t.Columns {
			if out.Index(c.Name) < 0 {
				out.Columns = append(out.Columns, c)
			}
		}
		if out.Index(where.Name) < 0 {
			out.Columns = append(out.Columns, where)
		}
	}
	if len(out.Columns) == 0 {
		return nil
	}
	if out.Rows = shared(names, tables, out.Columns); out.Rows != nil {
		return out
	}
	j := joined{tables: tables, name: out.Index(where.Name), first: []int{0}}
	for i, t := range tables {
		at, same := make([]int, len(t.Columns)), true
		for c := range t.Columns {
			at[c] = out.Index(t.Columns[c].Name)
			same = same && at[c] == c
		}
		j.at, j.same, j.names = append(j.at, at), append(j.same, same), append(j.names, names[i])
		j.first = append(j.first, j.first[i]+t.Len())
	}
	v := stats.View(out.Columns, j.first[len(tables)], j.fill)
	if v.Len() > kept {
		return v
	}
	return v.Held()
}

// shared are the rows of tables that hold theirs and have all columns but the last, which the name
// fills: rows of the nodes with one cell more, which takes their spare capacity. It is nil where a
// table makes its rows when they are read, or has other columns.
func shared(names []string, tables []*stats.Table, columns []stats.Column) [][]any {
	n := 0
	for _, t := range tables {
		if len(t.Rows) != t.Len() || !slices.Equal(t.Columns, columns[:len(columns)-1]) {
			return nil
		}
		n += t.Len()
	}
	if n == 0 {
		return nil
	}
	rows := make([][]any, 0, n)
	for i, t := range tables {
		var name any = names[i]
		for _, row := range t.Rows {
			rows = append(rows, append(row, name))
		}
	}
	return rows
}

// joined is tables under one header.
type joined struct {
	tables []*stats.Table
	names  []any // of their nodes
	at     [][]int
	same   []bool // columns of a table are the first ones
	name   int    // column of the names
	first  []int  // row of each table
}

func (j *joined) fill(i int, row []any) {
	k := sort.SearchInts(j.first, i+1) - 1
	if n := len(j.at[k]); j.same[k] {
		j.tables[k].Fill(i-j.first[k], row[:n:n])
		row[j.name] = j.names[k]
		return
	}
	for c, v := range j.tables[k].Row(i - j.first[k]) {
		row[j.at[k][c]] = v
	}
	row[j.name] = j.names[k]
}

// Part returns a table with the given rows of t, in that order.
func Part(t *stats.Table, rows []int32) *stats.Table {
	return stats.View(t.Columns, len(rows), func(i int, row []any) { t.Fill(int(rows[i]), row) })
}
