package experiment

import (
	"strings"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/workloads/operator"
)

// rowTimes is the time of each row of the lists of operators, in the phase
// layer:NAME (layer:WORKLOAD/NAME where there are several workloads), with its energy and power at
// nodes whose tables have those.
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
	spent := energiesOf(layers)
	// A schedule carries an operator out for each request: its time is the mean at a node.
	type operation struct{ name, of, where string }
	times := map[operation]float64{}
	of := func(row []any) operation {
		o := operation{where: row[where].(string)}
		o.name, _ = row[name].(string)
		o.of, _ = row[load].(string)
		return o
	}
	for _, row := range layers.Each() {
		times[of(row)]++
	}
	var out []stats.Metric
	seen, rows := map[operation]int{}, map[operation]int{} // metric of an operator, of a row
	for _, row := range layers.Each() {
		o := of(row)
		of := o.of
		n, counted := row[cycles].(uint64)
		c, timed := clocks[row[where].(string)]
		if !lists[of] || !counted || !timed {
			continue
		}
		ns := c.Nanoseconds(n) / times[o]
		pj, priced := spent.of(row)
		pj /= times[o]
		if i, ok := seen[o]; ok {
			add(out[i:], ns, pj)
			continue
		}
		op := operator.RowOf(o.name)
		phase := "layer:" + op
		if len(a.Loads) > 1 {
			phase = "layer:" + of + "/" + op
		}
		row := operation{name: phase, where: o.where}
		if i, ok := rows[row]; ok && op != o.name {
			add(out[i:], ns, pj) // one row, several operators
			seen[o] = i
			continue
		}
		seen[o], rows[row] = len(out), len(out)
		out = append(out, stats.Metric{Phase: phase, Where: o.where, Name: "time", Unit: stats.NS,
			Value: ns, Text: "Time of the operator from its start to its end."})
		if priced {
			out = append(out, powers(out[len(out)-1], ns, pj)...)
		}
	}
	return out
}

// energies are the columns of a table of layers that add up to the energy of a layer.
type energies []int

// energiesOf finds them.
func energiesOf(layers *stats.Table) (out energies) {
	for i, c := range layers.Columns {
		if strings.HasPrefix(c.Name, "energy_") && c.Unit == stats.PJ {
			out = append(out, i)
		}
	}
	return out
}

// of is the energy of a layer; ok is false where its node has no energy model.
func (e energies) of(row []any) (pj float64, ok bool) {
	for _, i := range e {
		v, has := row[i].(float64)
		pj, ok = pj+v, ok || has
	}
	return pj, ok
}

// powers are the metrics of a row's energy that follow its time.
func powers(time stats.Metric, ns, pj float64) (out []stats.Metric) {
	for _, m := range []stats.Metric{
		{Name: "energy", Unit: stats.PJ, Text: "Energy of the operator at the node."},
		{Name: "power_mean", Unit: stats.Watt, Text: "Energy over the time of the row."},
		{Name: "power_peak", Unit: stats.Watt, Text: "Greatest power of an operator of the row."},
	} {
		m.Phase, m.Where = time.Phase, time.Where
		out = append(out, m)
	}
	out[0].Value = pj
	if ns > 0 {
		out[1].Value = pj / ns / 1e3
	}
	out[2].Value = out[1].Value
	return out
}

// add adds an operator to the metrics of a row, the time of which comes first.
func add(row []stats.Metric, ns, pj float64) {
	row[0].Value += ns
	if len(row) < 4 || row[1].Name != "energy" || row[1].Phase != row[0].Phase || row[1].Where != row[0].Where {
		return
	}
	row[1].Value += pj
	row[2].Value = row[1].Value / max(row[0].Value, 1e-9) / 1e3
	if ns > 0 {
		row[3].Value = max(row[3].Value, pj/ns/1e3)
	}
}
