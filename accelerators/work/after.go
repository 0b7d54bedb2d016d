package work

import (
	"slices"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// AfterAll is like After, and adds pairs of operators, of which the first waits for the second;
// the second precedes the first in the graph.
func AfterAll(g *graph.Graph, jobs []Job, before [][2]int32) [][]int32 {
	out := After(g, jobs)
	if len(before) == 0 {
		return out
	}
	job := make([]int32, len(g.Ops))
	for i, j := range jobs {
		job[j.Op] = int32(i)
		for _, f := range j.Fused {
			job[f] = int32(i)
		}
	}
	for _, b := range before {
		me, other := job[b[0]], job[b[1]]
		if me != other && !slices.Contains(out[me], other) {
			out[me] = append(out[me], other)
		}
	}
	return out
}

// After returns, for each job, the earlier jobs whose results it reads, by index. Views pass on
// the results of their operands. A tensor that is written in place, as a cache is, is a result of
// the job that wrote it last.
func After(g *graph.Graph, jobs []Job) [][]int32 {
	job := make([]int32, len(g.Ops)) // of each operator, -1: none
	for i := range job {
		job[i] = -1
	}
	for i, j := range jobs {
		job[j.Op] = int32(i)
		for _, f := range j.Fused {
			job[f] = int32(i)
		}
	}
	made := make([]int32, len(g.Tensors)) // job that wrote each tensor, -1: it was there
	for i := range made {
		made[i] = -1
	}
	joined := map[graph.TensorID][]graph.TensorID{} // views of several tensors together
	out := make([][]int32, len(jobs))
	last := make([]int32, len(jobs)) // the job that saw it last, to find doubles
	for i := range last {
		last[i] = -1
	}
	for i := range g.Ops {
		op := &g.Ops[i]
		if job[i] < 0 { // a view
			for _, id := range op.Out {
				if len(op.In) > 1 {
					joined[id] = op.In
				} else if len(op.In) > 0 && op.In[0] != graph.None {
					made[id] = made[op.In[0]]
					if all := joined[op.In[0]]; all != nil {
						joined[id] = all
					}
				}
			}
			continue
		}
		me := job[i]
		var wait func(ids []graph.TensorID)
		wait = func(ids []graph.TensorID) {
			for _, id := range ids {
				if id == graph.None {
					continue
				}
				wait(joined[id])
				if m := made[id]; m >= 0 && m != me && last[m] != me {
					last[m] = me
					out[me] = append(out[me], m)
				}
			}
		}
		wait(op.In)
		for _, id := range op.Out {
			made[id] = me
		}
	}
	return out
}
