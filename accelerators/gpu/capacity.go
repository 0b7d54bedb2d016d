package gpu

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// fits takes the place of what a workload keeps in the memory. A list of operators of which
// none reads what another makes is no model: its rows take turns.
func (c *Comp) fits(w *work.Share) error {
	if !chained(w.Graph) {
		return nil
	}
	what, part, trained := "weights and key/value entries", "", trainedBytes(w.Graph)
	if trained > 0 {
		what = "weights, gradients and states of the optimiser"
	}
	if w.Activations > 0 {
		what = "weights, gradients, states of the optimiser and activations kept for backward passes"
		part = fmt.Sprintf(" (activations %.4g GB)", float64(w.Activations)/1e9)
	}
	c.held += uint64(w.Graph.Bytes(graph.Weight) + w.Graph.Bytes(graph.KV) + trained + w.Activations)
	if room := uint64(c.spec.Capacity); room > 0 && c.held > room {
		return fmt.Errorf("%s: %s up to %s take %.4g GB%s, the memory has %.4g GB (key capacity)", c.Name(), what, w.Name, float64(c.held)/1e9, part, float64(room)/1e9)
	}
	return nil
}

// trainedBytes are those of states of the optimiser and of gradients, at least: of gradients
// that a reduce_scatter shares out a chip need keep no more than its share.
func trainedBytes(g *graph.Graph) int64 {
	n := g.Bytes(graph.Gradient) + g.Bytes(graph.Optimizer)
	shared := map[graph.TensorID]bool{}
	for i := range g.Ops {
		t, ok := g.Ops[i].Kind.(graph.Transfer)
		if !ok || t.Func != "reduce_scatter" || t.Among.Count < 2 {
			continue
		}
		for _, id := range g.Ops[i].In {
			if x := g.Tensor(id); x.Role == graph.Gradient && !shared[id] {
				shared[id] = true
				n -= x.Bytes() - x.Bytes()/int64(t.Among.Count)
			}
		}
	}
	return n
}

// MemorySize implements work.Holding.
func (c *Comp) MemorySize() uint64 { return uint64(c.spec.Capacity) }
