package experiment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/noc/topology"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// coresOf finds the workers that carry a workload of a job out, as many for each of n ranks, and
// the interfaces of the ranks. Without cores and placement these are all of the job, and the
// interfaces the first of it.
func (x *Experiment) coresOf(a *assembly, w *workload, n int) (at configs.Value, idx, nics []int, err error) {
	j := w.job
	at, names := x.coresFor(w)
	idx, own := j.compute, []int(nil)
	if names != "" {
		if idx, err = a.pick(at, names); err != nil {
			return at, nil, nil, err
		}
		if idx, own, err = j.mine(a, at, idx); err != nil {
			return at, nil, nil, err
		}
	}
	if len(idx) == 0 {
		return at, nil, nil, at.Errorf(nil, "%s is linked to no node that computes", j.node.Name())
	}
	if v := w.At.Get("placement"); v.Exists() {
		idx, nics, err = x.place(a, w, idx, n)
		return v, idx, nics, err
	}
	if names == "" || slices.Equal(idx, j.compute) && own == nil {
		return at, idx, j.nics[:min(n, len(j.nics))], nil
	}
	if own != nil {
		if len(own) < n {
			return at, nil, nil, at.Errorf(nil, "names %d nodes of kind nic, and %s has %d ranks", len(own), w.Name(), n)
		}
		return at, idx, own[:n], nil
	}
	if len(j.nics) == 0 || len(idx)%n != 0 {
		return at, idx, nil, nil // chips has the words for it
	}
	for k := range n {
		nic, err := j.nicOf(a, idx[k*len(idx)/n])
		if err != nil && n == 1 {
			return at, idx, nil, nil // it needs none
		}
		if err != nil {
			return at, nil, nil, at.Errorf(nil, "%s", err)
		}
		if slices.Contains(nics, nic) {
			return at, nil, nil, at.Errorf(nil, "%s has two ranks at %s (want nodes with a nic each)", w.Name(), a.workers[nic].Name())
		}
		nics = append(nics, nic)
	}
	return at, idx, nics, nil
}

// mine divides workers that a workload names into those that compute and network interfaces. All
// must be linked to the job.
func (j *job) mine(a *assembly, at configs.Value, all []int) (idx, nics []int, err error) {
	for _, k := range all {
		switch {
		case slices.Contains(j.compute, k):
			idx = append(idx, k)
		case slices.Contains(j.nics, k):
			nics = append(nics, k)
		default:
			for _, o := range a.jobs {
				if o != j && (slices.Contains(o.compute, k) || slices.Contains(o.nics, k)) {
					return nil, nil, at.Errorf(nil, "%s is linked to %s, and %s hands this workload out", a.workers[k].Name(), o.node.Name(), j.node.Name())
				}
			}
			return nil, nil, at.Errorf(nil, "%s is not linked to %s, or computes nothing", a.workers[k].Name(), j.node.Name())
		}
	}
	return idx, nics, nil
}

// nicOf is the interface of the chip that a worker is of: that in its group, or where the job has
// as many nodes that compute for each of its interfaces, that of the same number.
func (j *job) nicOf(a *assembly, k int) (int, error) {
	name := a.workers[k].Name()
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		found := -1
		for _, n := range j.nics {
			if strings.HasPrefix(a.workers[n].Name(), name[:i+1]) {
				if found >= 0 {
					return 0, fmt.Errorf("%s has several nodes of kind nic in its group", name)
				}
				found = n
			}
		}
		if found >= 0 {
			return found, nil
		}
	}
	if len(j.nics) == 0 || len(j.compute)%len(j.nics) != 0 {
		return 0, fmt.Errorf("%s has no interface of its own: %s is linked to %d nodes that compute and to %d of kind nic", name, j.node.Name(), len(j.compute), len(j.nics))
	}
	return j.nics[slices.Index(j.compute, k)/(len(j.compute)/len(j.nics))], nil
}

// place gives a workload n chips out of those of idx, in the order of its placement. Without cores
// it gets none that another workload of the job names or has got: workloads choose by name.
func (x *Experiment) place(a *assembly, w *workload, idx []int, n int) (out, nics []int, err error) {
	v, j := w.At.Get("placement"), w.job
	how := w.Spec.Placement
	of := map[int][]int{} // workers of each interface
	var chips []int
	taken, err := x.taken(a, w)
	if err != nil {
		return nil, nil, err
	}
	for _, k := range idx {
		if slices.Contains(taken, k) {
			continue
		}
		nic, err := j.nicOf(a, k)
		if err != nil {
			return nil, nil, v.Errorf(nil, "%s", err)
		}
		if of[nic] == nil {
			chips = append(chips, nic)
		}
		of[nic] = append(of[nic], k)
	}
	if len(chips) < n {
		return nil, nil, v.Errorf(nil, "%s wants %d chips, and %d are free for it at %s", w.Name(), n, len(chips), j.node.Name())
	}
	chips, err = topology.Arrange(how, chips, func(k int) (int, error) {
		t, top := seat.TerminalOf(a.workers[k].(seat.Seat).Peers())
		if top == nil {
			return 0, fmt.Errorf("placement %s needs a network, and %s is linked to none", how, a.workers[k].Name())
		}
		return topology.PartOf(top, how, t)
	}, (&system.Env{Seed: x.sim.Seed}).Rand("placement of "+w.Name()))
	if err != nil {
		return nil, nil, v.Errorf(nil, "%s", err)
	}
	nics = chips[:n]
	for _, c := range nics {
		out = append(out, of[c]...)
		w.took = append(w.took, of[c]...)
	}
	return out, nics, nil
}

// taken are the workers that a workload with a placement and no cores does not get.
func (x *Experiment) taken(a *assembly, w *workload) (out []int, err error) {
	for _, o := range w.job.given {
		if o == w || w.Spec.Cores != "" {
			continue
		}
		if out = append(out, o.took...); o.Spec.Cores != "" {
			idx, err := a.pick(o.At.Get("cores"), o.Spec.Cores)
			if err != nil {
				return nil, err
			}
			out = append(out, idx...)
		}
	}
	return out, nil
}

// byName are the workloads of the job in the order in which they choose chips.
func (j *job) byName() []*workload {
	out := slices.Clone(j.given)
	slices.SortStableFunc(out, func(a, b *workload) int { return configs.CompareNames(a.Name(), b.Name()) })
	return out
}
