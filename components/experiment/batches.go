package experiment

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// batches adds, to each workload from first on, of a scheduler that carries out several requests
// together, the same network for two requests, for three and so on; and the profile of
// what its operators take on the chip, if that is accounted.
func (x *Experiment) batches(a *assembly, of *job, first int, mapper *mapping.Mapper, one []share) ([]share, error) {
	b, ok := of.scheduler.(work.Batcher)
	if !ok {
		return nil, nil
	}
	most, memory, limit := b.Batching()
	if most == 1 && memory == 0 {
		return nil, nil
	}
	if x.teams() {
		return nil, x.doc.Root.Get("mapping").Get("split").Errorf(nil, "%s carries out several requests together, which one node does", of.node.Name())
	}
	var errs configs.Errors
	var out []share
	for k, w := range slices.Clone(a.loads[first:]) {
		i := first + k
		shares := slices.DeleteFunc(slices.Clone(one), func(s share) bool { return s.load != i })
		if w.Spec.Parallel.Ranks() > 1 {
			errs.Add(w.At.Get("parallel").Errorf(nil, "%s carries out several requests together, and chips that share a model take them one by one", of.node.Name()))
			continue
		}
		if w.Rows {
			errs.Add(w.At.Get("ops").Errorf(nil, "%s carries out several requests together, and rows say their sizes (want a model or a file of one)", of.node.Name()))
			continue
		}
		if memory > 0 {
			errs.Add(x.profile(a, w, shares, memory, limit))
		}
		w.batches = []int32{int32(i)}
		for n := 2; n <= most; n++ {
			v, more, err := x.batch(a, mapper, w, shares, n)
			if err != nil {
				errs.Add(err)
				break
			}
			w.batches = append(w.batches, int32(len(a.loads)))
			for m := range more {
				more[m].load = len(a.loads)
			}
			a.loads, out = append(a.loads, v), append(out, more...)
		}
	}
	return out, errs.Err()
}

// profile finds what the jobs of a workload take on the chip.
func (x *Experiment) profile(a *assembly, w *workload, shares []share, memory, limit uint64) error {
	for _, s := range shares {
		if _, ok := a.workers[s.worker].(work.Keeper); !ok {
			return w.At.Errorf(nil, "%s moves everything through memory: it is no executor for batching.memory (kinds that are: roofline, lanes)", a.workers[s.worker].Name())
		}
	}
	var jobs [][]int
	for _, j := range shares[0].program.Jobs {
		jobs = append(jobs, j.All())
	}
	w.feet, w.kept = schedule.Profile(w.Graph, jobs, memory, limit)
	for i, f := range w.feet {
		if f.Batch(memory) < 1 {
			return w.At.Errorf(nil, "%s of %s takes %s of the %s of batching.memory", w.Graph.Ops[jobs[i][0]].Name, w.Name(), units.Bytes(f.Weights+f.Held+f.Need), units.Bytes(memory))
		}
	}
	return nil
}

// batch is a workload for n requests at once, and what each worker does of it.
func (x *Experiment) batch(a *assembly, mapper *mapping.Mapper, w *workload, shares []share, n int) (*workload, []share, error) {
	v := *w
	v.batch, v.batches, v.feet = n, nil, nil
	v.Spec.Batch = n * max(w.Spec.Batch, 1)
	if err := v.Build(x.doc); err != nil {
		return nil, nil, w.At.Errorf(nil, "for %d requests at once: %v", n, err)
	}
	var idx []int
	for _, s := range shares {
		idx = append(idx, s.worker)
	}
	if err := v.fuse(a, mapper, idx); err != nil {
		return nil, nil, err
	}
	if v.Graph.MACs() != int64(n)*w.Graph.MACs() || len(v.Graph.Tensors) != len(w.Graph.Tensors) {
		return nil, nil, w.At.Errorf(nil, "%s for %d requests at once is not %d times the network", w.Name(), n, n)
	}
	programs, err := x.alone(a, mapper, &v, idx, w.At)
	if err != nil {
		return nil, nil, err
	}
	var out []share
	for i, p := range programs {
		same := slices.EqualFunc(p.Jobs, shares[i].program.Jobs, func(a, b mapping.Job) bool { return a.Op == b.Op && slices.Equal(a.Fused, b.Fused) })
		if !same {
			return nil, nil, w.At.Errorf(nil, "%s cuts %s into other operators for %d requests at once", a.workers[idx[i]].Name(), w.Name(), n)
		}
		out = append(out, share{worker: idx[i], program: p, scratch: -1, late: true})
	}
	return &v, out, nil
}
