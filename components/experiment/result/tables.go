package result

import "github.com/causeway-sim/causeway/components/stats"

// DropNonFinite takes out every number that is not finite.
func (r *Result) DropNonFinite() []error {
	kept, errs := stats.Finite(r.Metrics)
	r.Metrics = kept
	errs = append(errs, r.Layers.Settle("layers.csv")...)
	errs = append(errs, r.Levels.Settle("levels.csv")...)
	errs = append(errs, r.Requests.Settle("requests.csv")...)
	return append(errs, r.Series.Settle("timeseries.csv")...)
}

// Join puts tables of nodes with these names under one header: the columns of the first, then
// what others add, and in column where the name. Rows are by node, in its order.
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
	name := out.Index(where.Name)
	for i, t := range tables {
		at := make([]int, len(t.Columns))
		for c := range t.Columns {
			at[c] = out.Index(t.Columns[c].Name)
		}
		for _, row := range t.Rows {
			wide := make([]any, len(out.Columns))
			wide[name] = names[i]
			for c, v := range row[:len(at)] {
				wide[at[c]] = v
			}
			out.Rows = append(out.Rows, wide)
		}
	}
	return out
}
