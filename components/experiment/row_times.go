package experiment

import (
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/workloads/operator"
)

// rowTimes is the time of each row of the lists of operators, in the phase
// layer:NAME (layer:WORKLOAD/NAME where there are several workloads).
func (a *assembly) rowTimes(layers *stats.Table) []stats.Metric {
	lists := map[string]bool{}
	for _, w := range a.Loads {
		if w.Rows {
			lists[w.Name()] = true
		}
	}
	if len(lists) == 0 || layers == nil {
		return nil
	}
	clocks := map[string]clock.Clock{}
	for _, w := range a.Workers {
		clocks[w.Name()] = w.Clock()
	}
	name, load, cycles, where := layers.Index("layer"), layers.Index("workload"), layers.Index("cycles"), layers.Index("where")
	if name < 0 || load < 0 || cycles < 0 || where < 0 {
		return nil
	}
	// A schedule carries an operator out for each request: its time is the mean at a node.
	type operation struct{ name, of, where string }
	times := map[operation]float64{}
	of := func(row []any) operation {
		o := operation{where: row[where].(string)}
		o.name, _ = row[name].(string)
		o.of, _ = row[load].(string)
		return o
	}
	for _, row := range layers.All() {
		times[of(row)]++
	}
	var out []stats.Metric
	seen, rows := map[operation]int{}, map[operation]int{} // metric of an operator, of a row
	for _, row := range layers.All() {
		o := of(row)
		of := o.of
		n, counted := row[cycles].(uint64)
		c, timed := clocks[row[where].(string)]
		if !lists[of] || !counted || !timed {
			continue
		}
		ns := c.Nanoseconds(n) / times[o]
		if i, ok := seen[o]; ok {
			out[i].Value += ns
			continue
		}
		op := operator.RowOf(o.name)
		phase := "layer:" + op
		if len(a.Loads) > 1 {
			phase = "layer:" + of + "/" + op
		}
		row := operation{name: phase, where: o.where}
		if i, ok := rows[row]; ok && op != o.name {
			out[i].Value += ns // one row, several operators
			seen[o] = i
			continue
		}
		seen[o], rows[row] = len(out), len(out)
		out = append(out, stats.Metric{Phase: phase, Where: o.where, Name: "time", Unit: stats.NS,
			Value: ns, Text: "Time of the operator from its start to its end."})
	}
	return out
}
