package plan

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// batches adds, for each workload from first on of a batching scheduler, its network for two
// requests, for three and so on, and the footprints of its operators if memory is counted.
func (a *Assignment) batches(of *Job, first int, mapper *mapping.Mapper, one []Share) ([]Share, error) {
	b, ok := of.Scheduler.(work.Batcher)
	if !ok {
		return nil, nil
	}
	most, memory, limit := b.Batching()
	if most == 1 && memory == 0 {
		return nil, nil
	}
	if a.Teams() {
		return nil, a.Doc.Root.Get("mapping").Get("split").Errorf(nil, "%s carries out several requests together, which one node does", of.Node.Name())
	}
	var errs configs.Errors
	var out []Share
	for k, w := range slices.Clone(a.Loads[first:]) {
		i := first + k
		shares := slices.DeleteFunc(slices.Clone(one), func(s Share) bool { return s.Load != i })
		if w.Spec.Parallel.Ranks() > 1 {
			errs.Add(w.At.Get("parallel").Errorf(nil, "%s carries out several requests together, and chips that share a model take them one by one", of.Node.Name()))
			continue
		}
		if w.Rows {
			errs.Add(w.At.Get("ops").Errorf(nil, "%s carries out several requests together, and rows say their sizes (want a model or a file of one)", of.Node.Name()))
			continue
		}
		if memory > 0 {
			errs.Add(a.profile(w, shares, memory, limit))
		}
		w.Batches = []int32{int32(i)}
		for n := 2; n <= most; n++ {
			v, more, err := a.batch(mapper, w, shares, n)
			if err != nil {
				errs.Add(err)
				break
			}
			w.Batches = append(w.Batches, int32(len(a.Loads)))
			for m := range more {
				more[m].Load = len(a.Loads)
			}
			a.Loads, out = append(a.Loads, v), append(out, more...)
		}
	}
	return out, errs.Err()
}

// profile finds what the jobs of a workload take on the chip.
func (a *Assignment) profile(w *Workload, shares []Share, memory, limit uint64) error {
	for _, s := range shares {
		if _, ok := a.Workers[s.Worker].(work.Keeper); !ok {
			return w.At.Errorf(nil, "%s moves everything through memory: it is no executor for batching.memory (kinds that are: roofline, lanes)", a.Workers[s.Worker].Name())
		}
	}
	var jobs [][]int
	for _, j := range shares[0].Program.Jobs {
		jobs = append(jobs, j.All())
	}
	w.Feet, w.Kept = schedule.Profile(w.Graph, jobs, memory, limit)
	for i, f := range w.Feet {
		if f.Batch(memory) < 1 {
			return w.At.Errorf(nil, "%s of %s takes %s of the %s of batching.memory", w.Graph.Ops[jobs[i][0]].Name, w.Name(), units.Bytes(f.Weights+f.Held+f.Need), units.Bytes(memory))
		}
	}
	return nil
}

// batch returns the workload for n requests at once, with the shares of the workers.
func (a *Assignment) batch(mapper *mapping.Mapper, w *Workload, shares []Share, n int) (*Workload, []Share, error) {
	v := *w
	v.Batch, v.Batches, v.Feet = n, nil, nil
	v.Spec.Batch = n * max(w.Spec.Batch, 1)
	if err := v.Build(a.Doc); err != nil {
		return nil, nil, w.At.Errorf(nil, "for %d requests at once: %v", n, err)
	}
	var idx []int
	for _, s := range shares {
		idx = append(idx, s.Worker)
	}
	if err := v.Fuse(a, mapper, idx); err != nil {
		return nil, nil, err
	}
	if v.Graph.MACs() != int64(n)*w.Graph.MACs() || len(v.Graph.Tensors) != len(w.Graph.Tensors) {
		return nil, nil, w.At.Errorf(nil, "%s for %d requests at once is not %d times the network", w.Name(), n, n)
	}
	programs, err := a.alone(mapper, &v, idx, w.At)
	if err != nil {
		return nil, nil, err
	}
	var out []Share
	for i, p := range programs {
		same := slices.EqualFunc(p.Jobs, shares[i].Program.Jobs, func(a, b mapping.Job) bool { return a.Op == b.Op && slices.Equal(a.Fused, b.Fused) })
		if !same {
			return nil, nil, w.At.Errorf(nil, "%s cuts %s into other operators for %d requests at once", a.Workers[idx[i]].Name(), w.Name(), n)
		}
		out = append(out, Share{Worker: idx[i], Program: p, Scratch: -1, Late: true})
	}
	return &v, out, nil
}
