package plan

import (
	"github.com/causeway-sim/causeway/components/experiment/demand"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// A workload is one network that runs, with who carries it out.
type Workload struct {
	demand.Workload
	Plays   string  // whose transfers Program is: the name of a job, where there are several
	Batch   int     // of so many requests at once, for a workload of one; 0: it is one
	Batches []int32 // loads of batches of it, of one request first
	Feet    []schedule.Footprint
	Kept    []bool // tensors that stay on the chip, with batches
	Job     *Job   // that hands it out; nil: it is issued before the run
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

// demands are what workloads ask for, without who carries them out.
func demands(ws []*Workload) (out []*demand.Workload) {
	for _, w := range ws {
		out = append(out, &w.Workload)
	}
	return out
}

// RankLoads are the parts of a workload that chips share: itself, or one per chip, of the nodes that
// compute and the interfaces that it may have.
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
