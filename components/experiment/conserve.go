package experiment

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
)

// conserved compares what all nodes have done with what the workloads ask for:
// a run that ended early or did a layer twice must not pass for complete.
func (a *assembly) conserved(ms []stats.Metric) []error {
	var done float64
	given := map[string]bool{} // nodes that carry out workloads; others bring work of their own
	for _, w := range a.workers {
		given[w.Name()] = true
	}
	for _, m := range ms {
		if m.Name == "macs" && m.Phase == "all" && given[m.Where] {
			done += m.Value
		}
	}
	var want float64
	want = float64(a.batches) // of servers
	for i, w := range a.loads {
		if w.batch > 1 || w.served() {
			continue // counted request by request, or batch by batch
		}
		n := w.Repeats()
		if w.job != nil {
			n -= int64(w.job.scheduler.Dropped(int32(i)))
			if f, ok := w.job.scheduler.(work.Former); ok {
				n += int64(f.Moved(int32(i)))
			}
		}
		want += float64(w.Graph.MACs()) * float64(n)
	}
	if done == want {
		return nil
	}
	return []error{fmt.Errorf("the workloads have %s multiply-accumulates, the nodes did %s", result.Number(want), result.Number(done))}
}
