package experiment

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/experiment/demand"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// A workload is one network that runs, with who carries it out.
type workload struct {
	demand.Workload
	plays   string  // whose transfers Program is: the name of a job, where there are several
	batch   int     // of so many requests at once, for a workload of one; 0: it is one
	batches []int32 // loads of batches of it, of one request first
	feet    []schedule.Footprint
	kept    []bool // tensors that stay on the chip, with batches
	job     *job   // that hands it out; nil: it is issued before the run
	took    []int  // workers that its placement chose
	idx     []int  // the same in the order of ranks
	nics    []int  // interfaces of its ranks
}

// workloadsOf reads the workloads of a configuration.
func workloadsOf(doc *configs.Document) ([]*workload, error) {
	read, err := demand.Decode(doc)
	out := make([]*workload, 0, len(read))
	for _, w := range read {
		out = append(out, &workload{Workload: *w})
	}
	return out, err
}

// demands are what workloads ask for, without who carries them out.
func demands(ws []*workload) (out []*demand.Workload) {
	for _, w := range ws {
		out = append(out, &w.Workload)
	}
	return out
}

// ranks are the parts of a workload that chips share: itself, or one per chip, of the nodes that
// compute and the interfaces that it may have.
func (w *workload) ranks(compute, nics int) ([]*workload, error) {
	parts, err := w.Ranks(compute, nics)
	if err != nil || len(parts) == 1 && parts[0] == &w.Workload {
		return []*workload{w}, err
	}
	out := make([]*workload, len(parts))
	for k, p := range parts {
		r := *w
		r.Workload = *p
		out[k] = &r
	}
	return out, nil
}

// Workload builds the one workload of a configuration that has nothing else.
func Workload(name string, src []byte, o Options) (*graph.Graph, error) {
	o2 := configs.Options{Set: o.Set, Inputs: o.Inputs, Dir: "."}
	doc, err := configs.Parse(name, src, o2)
	if err != nil {
		return nil, err
	}
	ws, err := demand.Decode(doc)
	if err != nil {
		return nil, err
	}
	if len(ws) != 1 {
		return nil, fmt.Errorf("%s: want one workload, have %d", name, len(ws))
	}
	if ws[0].Graph == nil {
		return nil, fmt.Errorf("%s: a communication trace has no layers", ws[0].Name())
	}
	return ws[0].Graph, nil
}
