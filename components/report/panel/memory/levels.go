package memory

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/report/chart"
	"github.com/causeway-sim/causeway/components/report/panel"
	"github.com/causeway-sim/causeway/components/stats"
)

func init() {
	panel.Add("levels", "Accesses and energy of the storage levels of a loop nest, by tensor.", panel.Panel{Section: panel.Memory, Place: 2, Names: []string{"level-energy", "level-reads", "level-fills"}, Draw: levels})
}

// levels draws levels.csv: a bar for each level, cut by tensor.
func levels(d *panel.Data) (out []chart.Figure) {
	if d.Run == nil || d.Run.Levels == nil {
		return nil
	}
	t := d.Run.Levels
	level, tensor, where := t.Index("level"), t.Index("tensor"), t.Index("where")
	if level < 0 || tensor < 0 {
		return nil
	}
	for _, q := range []struct{ column, name, title, unit string }{
		{"energy_pj", "level-energy", "Energy of each storage level by tensor", "pJ"},
		{"reads", "level-reads", "Reads of each storage level by tensor", "1"},
		{"fills", "level-fills", "Fills of each storage level by tensor", "1"},
	} {
		c := t.Index(q.column)
		if c < 0 {
			continue
		}
		f := chart.Figure{Name: q.name, Title: q.title}
		f.Kind, f.Stack, f.Across, f.Y = chart.Bars, true, true, chart.Axis{Name: panel.Words(q.column), Unit: q.unit}
		if q.unit == "pJ" {
			f.Y.Name = "energy"
		}
		at := panel.Indexer(&f.X.Labels)
		var tensors []string
		of := panel.Indexer(&tensors)
		values := map[[2]int]float64{}
		for _, row := range t.Rows {
			name := fmt.Sprint(row[level])
			if where >= 0 {
				name = fmt.Sprint(row[where], " ", name)
			}
			values[[2]int{at(name), of(fmt.Sprint(row[tensor]))}] += stats.Number(row[c])
		}
		for k, name := range tensors {
			s := chart.Series{Name: name}
			for i := range f.X.Labels {
				s.Y = append(s.Y, values[[2]int{i, k}])
			}
			f.Series = append(f.Series, s)
		}
		out = append(out, panel.OneFigure(f)...)
	}
	return out
}
