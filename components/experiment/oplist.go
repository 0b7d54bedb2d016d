package experiment

import (
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/operator"
)

// buildOps makes the graph of a list of operators.
func (w *workload) buildOps(doc *configs.Document) error {
	s := &w.spec
	var errs configs.Errors
	for _, key := range []string{"model", "file"} {
		if v := w.at.Get(key); v.Exists() {
			errs.Add(v.Errorf(nil, "there is a list of operators too; one of them must go"))
		}
	}
	for _, key := range []string{"ranks", "batch", "sequence", "context", "phase", "image", "symbols"} {
		if v := w.at.Get(key); v.Exists() {
			errs.Add(v.Errorf(nil, "has no effect on a list of operators: rows say their sizes"))
		}
	}
	if err := errs.Err(); err != nil {
		return err
	}
	var rows []operator.Row
	var err error
	switch s.Ops.Kind() {
	case configs.List:
		rows, err = operator.Decode(s.Ops)
	case configs.String:
		if w.path, err = doc.ResolveFile(s.Ops); err == nil {
			rows, err = operator.Open(w.path)
		}
	default:
		err = s.Ops.Errorf(nil, "is a CSV file or a list of rows, as in [{op: gemm, m: 64, n: 64, k: 64}]")
	}
	if err != nil {
		return err
	}
	w.rows = true
	w.graph, err = operator.Graph(w.name(), rows, s.DType.DTypes)
	return located(s.Ops, err)
}

// rowTimes is the time of each row of the lists of operators, in the phase
// layer:NAME (layer:WORKLOAD/NAME where there are several workloads).
func (a *assembly) rowTimes(layers *stats.Table) []stats.Metric {
	lists := map[string]bool{}
	for _, w := range a.loads {
		if w.rows {
			lists[w.name()] = true
		}
	}
	if len(lists) == 0 || layers == nil {
		return nil
	}
	clocks := map[string]clock.Clock{}
	for _, w := range a.workers {
		clocks[w.Name()] = w.Clock()
	}
	name, load, cycles, where := layers.Index("layer"), layers.Index("workload"), layers.Index("cycles"), layers.Index("where")
	if name < 0 || load < 0 || cycles < 0 || where < 0 {
		return nil
	}
	var out []stats.Metric
	for _, row := range layers.Rows {
		of, _ := row[load].(string)
		n, counted := row[cycles].(uint64)
		c, timed := clocks[row[where].(string)]
		if !lists[of] || !counted || !timed {
			continue
		}
		op := operator.RowOf(row[name].(string))
		phase := "layer:" + op
		if len(a.loads) > 1 {
			phase = "layer:" + of + "/" + op
		}
		if last := len(out) - 1; op != row[name].(string) && last >= 0 && out[last].Phase == phase && out[last].Where == row[where].(string) {
			out[last].Value += c.Nanoseconds(n) // one row, several operators
			continue
		}
		out = append(out, stats.Metric{Phase: phase, Where: row[where].(string), Name: "time", Unit: stats.NS,
			Value: c.Nanoseconds(n), Text: "Time of the operator from its start to its end."})
	}
	return out
}
