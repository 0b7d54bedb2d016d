package demand

import (
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/operator"
)

// buildOps makes the graph of a list of operators.
func (w *Workload) buildOps(doc *configs.Document) error {
	s := &w.Spec
	var errs configs.Errors
	for _, key := range []string{"model", "file"} {
		if v := w.At.Get(key); v.Exists() {
			errs.Add(v.Errorf(nil, "there is a list of operators too; one of them must go"))
		}
	}
	for _, key := range []string{"ranks", "batch", "sequence", "context", "phase", "image", "symbols"} {
		if v := w.At.Get(key); v.Exists() {
			errs.Add(v.Errorf(nil, "has no effect on a list of operators: rows say their sizes"))
		}
	}
	if v := w.At.Get("attention"); v.Exists() {
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
		if w.Path, err = doc.ResolveFile(s.Ops); err == nil {
			rows, err = operator.Open(w.Path)
		}
	default:
		err = s.Ops.Errorf(nil, "is a CSV file or a list of rows, as in [{op: gemm, m: 64, n: 64, k: 64}]")
	}
	if err != nil {
		return err
	}
	if w.Rows = true; s.DType.file {
		return w.At.Get("dtype").Errorf(graph.DTypeNames(), "%s has no effect on a list of operators (used by: file)", fileTypes)
	}
	w.Graph, err = operator.Graph(w.Name(), rows, s.DType.DTypes)
	if err != nil {
		return s.Ops.Locate(err)
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
func (w *Workload) summed(ranks int) error {
	sums := 0
	for i := range w.Graph.Ops {
		op := &w.Graph.Ops[i]
		if _, ok := op.Kind.(graph.Transfer); !ok {
			continue
		}
		sums++
		all, own := w.Graph.Tensor(op.In[0]).Shape[0], w.Graph.Tensor(op.Out[0]).Shape[0]
		if ranks == 1 || own != (all+ranks-1)/ranks {
			return w.Spec.Ops.Errorf(nil, "%s adds up over the ranks that it names (want workload.parallel.tensor as many, and more than 1; it is %d)", operator.RowOf(op.Name), ranks)
		}
	}
	if sums == 0 && ranks > 1 {
		return w.At.Get("parallel").Place("tensor").Errorf(nil, "has no effect on a list of operators that adds up nothing over ranks (gemm_sum)")
	}
	return nil
}
