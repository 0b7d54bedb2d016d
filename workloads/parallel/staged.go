package parallel

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Staged overlaps products with the collectives that sum them. A product read only by an
// all_reduce or a reduce_scatter is split into n stages by rows, each with a separate collective
// that begins when the stage is done. Readers of the sum wait for all stages. This is the tracker
// and trigger of T3 at the granularity of a stage; a node that supports stages (graph.MatMul)
// executes them as one kernel.
//
// Products of several matrices, and products whose rows do not divide by n, are not split; done
// counts those that are.
//
// Source: Pati, Aga, Islam, Jayasena, Sinclair, T3: Transparent Tracking and Triggering for
// Fine-grained Overlap of Compute and Collectives, ASPLOS 2024, section 4.
func Staged(g *graph.Graph, n int) (out *graph.Graph, done int, err error) {
	readers := make([][]int, len(g.Tensors))
	for i := range g.Ops {
		for _, id := range g.Ops[i].In {
			if id != graph.None {
				readers[id] = append(readers[id], i)
			}
		}
	}
	// follows is the collective of a product that can go in stages.
	follows := func(i int) (j int, ok bool) {
		m, ok := g.Ops[i].Kind.(graph.MatMul)
		if !ok || m.Batch != 1 || n < 2 || m.M%n != 0 || len(g.Ops[i].Out) != 1 {
			return 0, false
		}
		y := g.Ops[i].Out[0]
		if len(readers[y]) != 1 || g.Tensor(y).Role == graph.Output {
			return 0, false
		}
		j = readers[y][0]
		t, ok := g.Ops[j].Kind.(graph.Transfer)
		return j, ok && (t.Func == "all_reduce" || t.Func == "reduce_scatter") && len(g.Ops[j].In) == 1 && t.Bytes%int64(n) == 0 && rows(g, g.Ops[j].Out[0])%n == 0
	}
	out = &graph.Graph{Name: g.Name, Symbols: g.Symbols, Notes: g.Notes, Tensors: append([]graph.Tensor(nil), g.Tensors...)}
	gone := map[int]bool{}
	for i := range g.Ops {
		if gone[i] {
			continue
		}
		j, ok := follows(i)
		if !ok {
			out.Append(g.Ops[i])
			continue
		}
		done++
		gone[j] = true
		stages(out, &g.Ops[i], &g.Ops[j], n)
	}
	if done == 0 {
		return nil, 0, fmt.Errorf("%s: no product that is added up over ranks goes in %d stages", g.Name, n)
	}
	return out, done, out.Validate()
}

// rows is the length of all dimensions of a tensor but the last.
func rows(g *graph.Graph, id graph.TensorID) int {
	n := 1
	for _, d := range g.Tensor(id).Shape[:max(0, len(g.Tensor(id).Shape)-1)] {
		n *= d
	}
	return n
}

// stages writes a product and its collective.
func stages(g *graph.Graph, product, sum *graph.Op, n int) {
	m, t := product.Kind.(graph.MatMul), sum.Kind.(graph.Transfer)
	m.M, m.Stages = m.M/n, n
	t.Bytes /= int64(n)
	part := func(id graph.TensorID, k int, what string) graph.TensorID {
		x := *g.Tensor(id)
		last := x.Shape[len(x.Shape)-1]
		x.Name, x.Role = fmt.Sprintf("%s.%s%d", x.Name, what, k), graph.Activation
		x.Shape = []int{int(x.Elements()) / last / n, last}
		return g.Add(x)
	}
	var sums []graph.TensorID
	for k := range n {
		m.Stage = k
		x := part(product.In[0], k, "rows")
		g.Append(graph.Op{Name: fmt.Sprintf("%s.rows%d", product.Name, k), In: product.In[:1], Out: []graph.TensorID{x}, Kind: graph.Move{Func: "slice", From: int64(k) * g.Tensor(x).Elements()}})
		y := part(product.Out[0], k, "stage")
		in := append([]graph.TensorID{x}, product.In[1:]...)
		g.Append(graph.Op{Name: fmt.Sprintf("%s.stage%d", product.Name, k), In: in, Out: []graph.TensorID{y}, Kind: m})
		z := part(sum.Out[0], k, "sum")
		g.Append(graph.Op{Name: fmt.Sprintf("%s.stage%d", sum.Name, k), In: []graph.TensorID{y}, Out: []graph.TensorID{z}, Kind: t})
		sums = append(sums, z)
	}
	g.Append(graph.Op{Name: sum.Name, In: sums, Out: sum.Out, Kind: graph.Move{Func: "concat"}})
}
