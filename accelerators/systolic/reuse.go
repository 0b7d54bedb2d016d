package systolic

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// reuse foresees how often each byte of a tensor will still be loaded by this
// core, which is what a request's hint tells caches: the bytes that the mapping
// will load, over the size of the tensor.
type reuse struct {
	left []int64 // bytes of each tensor still to be loaded
	size []int64
}

// predictReuse counts the loads of all jobs of a share: as the mapping says for the operands
// of products and attention; everything else is read once.
func predictReuse(s *share) reuse {
	n := len(s.Graph.Tensors)
	r := reuse{make([]int64, n), make([]int64, n)}
	for i := range r.size {
		r.size[i] = max(s.Graph.Tensors[i].Bytes(), 1)
	}
	for i := range s.Program.Jobs {
		r.count(s.Graph, &s.Program.Jobs[i])
	}
	return r
}

// count adds the loads of a job.
func (r *reuse) count(g *graph.Graph, j *mapping.Job) {
	for k, op := range j.All() {
		in := g.Ops[op].In
		for at, id := range in {
			loads, said := j.Plan.Loads(at)
			switch {
			case id == graph.None || slices.Contains(in[:at], id):
			case k == 0 && said:
				r.left[id] += loads
			case k > 0 && slices.Contains(g.Ops[j.Op].Out, id): // never leaves the chip
			default:
				r.left[id] += r.size[id]
			}
		}
	}
}

// begin sets what is left to what it is at the beginning of a job.
func (r *reuse) begin(a ahead) {
	for i, id := range a.ids {
		r.left[id] = a.left[i]
	}
}

// remainingReuse is the loads still expected of each byte of the tensor, rounded, after
// a load or store of n bytes.
func (r *reuse) remainingReuse(id graph.TensorID, n uint64, store bool) uint32 {
	left := r.left[id]
	if !store {
		left -= int64(n)
	}
	return uint32(min(max(0, left+r.size[id]/2)/r.size[id], 1<<32-1))
}
