package plan

import (
	"github.com/causeway-sim/causeway/components/experiment/demand"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// A Workload is one network, with the nodes that execute it.
type Workload struct {
	demand.Workload
	Plays   string  // job whose transfers Program holds; "" if there is one job
	Batch   int     // requests of the batch; 0: the workload is not a batch
	Batches []int32 // indices of its batches in Loads, that of one request first
	Feet    []schedule.Footprint
	Kept    []bool // tensors that stay on the chip, with batches
	Job     *Job   // that issues it; nil: it is issued before the run
	took    []int  // workers that its placement chose
	idx     []int  // the same in the order of ranks
	NICs    []int  // interfaces of its ranks
}

// Decode reads the workloads of a configuration.
func Decode(doc *configs.Document) ([]*Workload, error) {
	read, err := demand.Decode(doc)
	out := make([]*Workload, 0, len(read))
	for _, w := range read {
		out = append(out, &Workload{Workload: *w})
	}
	return out, err
}

// demands returns the workloads without the nodes that execute them.
func demands(ws []*Workload) (out []*demand.Workload) {
	for _, w := range ws {
		out = append(out, &w.Workload)
	}
	return out
}

// RankLoads returns the workload of each rank: itself, or one per chip. compute and nics are the
// numbers of computing nodes and interfaces that it may use.
func (w *Workload) RankLoads(compute, nics int) ([]*Workload, error) {
	parts, err := w.Ranks(compute, nics)
	if err != nil || len(parts) == 1 && parts[0] == &w.Workload {
		return []*Workload{w}, err
	}
	out := make([]*Workload, len(parts))
	for k, p := range parts {
		r := *w
		r.Workload = *p
		out[k] = &r
	}
	return out, nil
}
