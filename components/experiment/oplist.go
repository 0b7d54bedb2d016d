package experiment

import (
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
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
	if v := w.at.Get("attention"); v.Exists() {
		errs.Add(v.Errorf(nil, "has no effect on a list of operators: attention is what its rows say"))
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
	if w.rows = true; s.DType.file {
		return w.at.Get("dtype").Errorf(graph.DTypeNames(), "%s has no effect on a list of operators (used by: file)", fileTypes)
	}
	w.graph, err = operator.Graph(w.name(), rows, s.DType.DTypes)
	if err != nil {
		return located(s.Ops, err)
	}
	if err := w.matchTypes(); err != nil {
		return err
	}
	if err := w.thin(); err != nil {
		return err
	}
	return w.summed(max(1, s.Parallel.Tensor))
}

// summed checks that what a list adds up over ranks goes with those that share it.
func (w *workload) summed(ranks int) error {
	sums := 0
	for i := range w.graph.Ops {
		op := &w.graph.Ops[i]
		if _, ok := op.Kind.(graph.Transfer); !ok {
			continue
		}
		sums++
		all, own := w.graph.Tensor(op.In[0]).Shape[0], w.graph.Tensor(op.Out[0]).Shape[0]
		if ranks == 1 || own != (all+ranks-1)/ranks {
			return w.spec.Ops.Errorf(nil, "%s adds up over the ranks that it names (want workload.parallel.tensor as many, and more than 1; it is %d)", operator.RowOf(op.Name), ranks)
		}
	}
	if sums == 0 && ranks > 1 {
		return w.at.Get("parallel").Place("tensor").Errorf(nil, "has no effect on a list of operators that adds up nothing over ranks (gemm_sum)")
	}
	return nil
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
	// A schedule carries an operator out for each request: its time is the mean at a node.
	type operation struct{ name, of, where string }
	times := map[operation]float64{}
	of := func(row []any) operation {
		o := operation{where: row[where].(string)}
		o.name, _ = row[name].(string)
		o.of, _ = row[load].(string)
		return o
	}
	for _, row := range layers.Rows {
		times[of(row)]++
	}
	var out []stats.Metric
	seen, rows := map[operation]int{}, map[operation]int{} // metric of an operator, of a row
	for _, row := range layers.Rows {
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
		if len(a.loads) > 1 {
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
