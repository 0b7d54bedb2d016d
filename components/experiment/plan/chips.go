package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/noc/topology"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// CoresOf returns the workers that execute a workload of a job, equally many for each of n ranks,
// and the interfaces of the ranks. Without the keys cores and placement these are all workers of
// the job, and its first interfaces.
func (a *Assignment) CoresOf(w *Workload, n int) (at configs.Value, idx, nics []int, err error) {
	j := w.Job
	at, names := a.coresFor(w)
	idx, own := j.Compute, []int(nil)
	if names != "" {
		if idx, err = a.Pick(at, names); err != nil {
			return at, nil, nil, err
		}
		if idx, own, err = j.mine(a, at, idx); err != nil {
			return at, nil, nil, err
		}
	}
	if len(idx) == 0 {
		return at, nil, nil, at.Errorf(nil, "%s is linked to no node that computes", j.Node.Name())
	}
	if v := w.At.Get("placement"); v.Exists() {
		idx, nics, err = a.place(w, idx, n)
		return v, idx, nics, err
	}
	if names == "" || slices.Equal(idx, j.Compute) && own == nil {
		return at, idx, j.NICs[:min(n, len(j.NICs))], nil
	}
	if own != nil {
		if len(own) < n {
			return at, nil, nil, at.Errorf(nil, "names %d nodes of kind nic, and %s has %d ranks", len(own), w.Name(), n)
		}
		return at, idx, own[:n], nil
	}
	if len(j.NICs) == 0 || len(idx)%n != 0 {
		return at, idx, nil, nil // the caller finds that nics are missing and reports it
	}
	for k := range n {
		nic, err := j.InterfaceOf(a, idx[k*len(idx)/n])
		if err != nil && n == 1 {
			return at, idx, nil, nil // it needs none
		}
		if err != nil {
			return at, nil, nil, at.Errorf(nil, "%s", err)
		}
		if slices.Contains(nics, nic) {
			return at, nil, nil, at.Errorf(nil, "%s has two ranks at %s (want nodes with a nic each)", w.Name(), a.Workers[nic].Name())
		}
		nics = append(nics, nic)
	}
	return at, idx, nics, nil
}

// mine divides workers that a workload names into those that compute and network interfaces. All
// must be linked to the job.
func (j *Job) mine(a *Assignment, at configs.Value, all []int) (idx, nics []int, err error) {
	for _, k := range all {
		switch {
		case slices.Contains(j.Compute, k):
			idx = append(idx, k)
		case slices.Contains(j.NICs, k):
			nics = append(nics, k)
		default:
			for _, o := range a.Jobs {
				if o != j && (slices.Contains(o.Compute, k) || slices.Contains(o.NICs, k)) {
					return nil, nil, at.Errorf(nil, "%s is linked to %s, and %s hands this workload out", a.Workers[k].Name(), o.Node.Name(), j.Node.Name())
				}
			}
			return nil, nil, at.Errorf(nil, "%s is not linked to %s, or computes nothing", a.Workers[k].Name(), j.Node.Name())
		}
	}
	return idx, nics, nil
}

// InterfaceOf is the interface of the chip that a worker is of: that in its group, or where the job has
// as many nodes that compute for each of its interfaces, that of the same number.
func (j *Job) InterfaceOf(a *Assignment, k int) (int, error) {
	name := a.Workers[k].Name()
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		found := -1
		for _, n := range j.NICs {
			if strings.HasPrefix(a.Workers[n].Name(), name[:i+1]) {
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
	if len(j.NICs) == 0 || len(j.Compute)%len(j.NICs) != 0 {
		return 0, fmt.Errorf("%s has no interface of its own: %s is linked to %d nodes that compute and to %d of kind nic", name, j.Node.Name(), len(j.Compute), len(j.NICs))
	}
	return j.NICs[slices.Index(j.Compute, k)/(len(j.Compute)/len(j.NICs))], nil
}

// place gives a workload n chips out of those of idx, in the order of its placement. Without cores
// it gets none that another workload of the job names or has got: workloads choose by name.
func (a *Assignment) place(w *Workload, idx []int, n int) (out, nics []int, err error) {
	v, j := w.At.Get("placement"), w.Job
	how := w.Spec.Placement
	of := map[int][]int{} // workers of each interface
	var chips []int
	taken, err := a.taken(w)
	if err != nil {
		return nil, nil, err
	}
	for _, k := range idx {
		if slices.Contains(taken, k) {
			continue
		}
		nic, err := j.InterfaceOf(a, k)
		if err != nil {
			return nil, nil, v.Errorf(nil, "%s", err)
		}
		if of[nic] == nil {
			chips = append(chips, nic)
		}
		of[nic] = append(of[nic], k)
	}
	if len(chips) < n {
		return nil, nil, v.Errorf(nil, "%s wants %d chips, and %d are free for it at %s", w.Name(), n, len(chips), j.Node.Name())
	}
	chips, err = topology.Arrange(how, chips, func(k int) (int, error) {
		t, top := seat.TerminalOf(a.Workers[k].(seat.Seat).Peers())
		if top == nil {
			return 0, fmt.Errorf("placement %s needs a network, and %s is linked to none", how, a.Workers[k].Name())
		}
		return topology.PartOf(top, how, t)
	}, (&system.Env{Seed: a.Seed}).Rand("placement of "+w.Name()))
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
func (a *Assignment) taken(w *Workload) (out []int, err error) {
	for _, o := range w.Job.Given {
		if o == w || w.Spec.Cores != "" {
			continue
		}
		if out = append(out, o.took...); o.Spec.Cores != "" {
			idx, err := a.Pick(o.At.Get("cores"), o.Spec.Cores)
			if err != nil {
				return nil, err
			}
			out = append(out, idx...)
		}
	}
	return out, nil
}

// byName are the workloads of the job in the order in which they choose chips.
func (j *Job) byName() []*Workload {
	out := slices.Clone(j.Given)
	slices.SortStableFunc(out, func(a, b *Workload) int { return configs.CompareNames(a.Name(), b.Name()) })
	return out
}
