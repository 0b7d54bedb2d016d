package experiment

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/demand"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// A job is a node that hands workloads out while the run goes on, with the workloads that are its
// own: a schedule or a server. Jobs of one system have executors of their own, since an executor
// takes operators from one node; they meet in the network and in shared memories.
type job struct {
	node      system.Node
	scheduler work.Scheduler // nil: a server
	server    work.Server
	given     []*workload // that the configuration gives it
	compute   []int       // workers that it is linked to and that compute
	nics      []int       // and its network interfaces
	priced    bool        // batches have prices: no executor carries out an operator
}

// executors are all that the node is linked to.
func (j *job) executors() []work.Executor {
	if j.server != nil {
		return j.server.Executors()
	}
	return j.scheduler.Executors()
}

// kind is the kind of the node.
func (j *job) kind() string {
	if j.server != nil {
		return "serve"
	}
	return "schedule"
}

// named are the workloads that the node's key workloads names; v does not exist without the key.
func (j *job) named() (names []string, v configs.Value) {
	if c, ok := j.node.(work.Chooser); ok {
		return c.Workloads()
	}
	return nil, v
}

// serves reports whether a node of the system answers requests.
func (a *assembly) serves() bool {
	return slices.ContainsFunc(a.jobs, func(j *job) bool { return j.server != nil })
}

// served reports whether a server hands the workload out.
func (w *workload) served() bool { return w.job != nil && w.job.server != nil }

// findJobs finds the nodes that hand workloads out, and gives each its workloads.
func (x *Experiment) findJobs(a *assembly) error {
	schedules, servers := 0, 0
	for _, n := range a.sys.Nodes() {
		j := &job{node: n}
		j.scheduler, _ = n.(work.Scheduler)
		j.server, _ = n.(work.Server)
		switch {
		case j.scheduler != nil:
			schedules++
		case j.server != nil:
			servers++
		default:
			continue
		}
		j.compute, j.nics = a.linked(j.executors())
		a.jobs = append(a.jobs, j)
	}
	if err := x.withoutJob(a, schedules, servers); err != nil || len(a.jobs) == 0 {
		return err
	}
	if v := x.doc.Root.Get("mapping").Get("split"); v.Exists() && x.mapping.Split == "layer" {
		return v.Errorf([]string{"auto", "batch", "head", "column", "row"}, "has no meaning: %s decides which operators are carried out when", a.jobs[0].node.Name())
	}
	if v := x.doc.Root.Get("mapping").Get("assign"); v.Exists() && schedules > 1 {
		return v.Errorf(nil, "is for one node of kind schedule, and there are %d", schedules)
	}
	if err := x.giveOut(a); err != nil {
		return err
	}
	var errs configs.Errors
	for _, j := range a.jobs {
		errs.Add(x.checkJob(j))
	}
	return errs.Err()
}

// withoutJob reports keys that only a schedule or a server reads, where there is none.
func (x *Experiment) withoutJob(a *assembly, schedules, servers int) error {
	var errs configs.Errors
	for _, key := range []string{"assign", "fusion"} {
		if v := x.doc.Root.Get("mapping").Get(key); v.Exists() && schedules == 0 {
			errs.Add(v.Errorf(nil, "has no effect: there is no node of kind schedule"))
		}
	}
	for _, w := range a.loads {
		requests := w.At.Get("requests")
		if requests.Exists() {
			if servers == 0 {
				errs.Add(requests.Errorf(nil, "has no effect: there is no node of kind serve"))
			} else if w.Spec.Ops.Exists() || w.Program != nil {
				errs.Add(requests.Errorf(nil, "are of a language model (model: or file:)"))
			}
			continue // sizesOfRequests has the words for the other keys
		}
		for _, key := range demand.ScheduleKeys {
			if v := w.At.Get(key); v.Exists() && schedules == 0 {
				errs.Add(v.Errorf(nil, "has no effect: there is no node of kind schedule"))
			}
		}
	}
	return errs.Err()
}

// giveOut gives each workload to the node that names it, or else to the only one that may have it.
func (x *Experiment) giveOut(a *assembly) error {
	var errs configs.Errors
	var names []string
	for _, w := range a.loads {
		names = append(names, w.Name())
	}
	for _, j := range a.jobs {
		mine, at := j.named()
		for i, name := range mine {
			k := slices.Index(names, name)
			v := at
			if items := at.Items(); i < len(items) {
				v = items[i]
			}
			if k < 0 {
				errs.Add(v.Errorf(names, "unknown workload %q", name))
				continue
			}
			errs.Add(j.take(a.loads[k], v))
		}
	}
	for _, w := range a.loads {
		if w.job == nil && len(errs) == 0 {
			j, err := x.jobOf(a, w)
			if errs.Add(err); err == nil {
				errs.Add(j.take(w, w.At))
			}
		}
	}
	return errs.Err()
}

// take gives a workload to the job; v is what says so.
func (j *job) take(w *workload, v configs.Value) error {
	switch requests := w.At.Get("requests").Exists(); {
	case w.job == j:
		return v.Errorf(nil, "%s is named twice", w.Name())
	case w.job != nil:
		return v.Errorf(nil, "%s and %s both have %s (want one of them)", w.job.node.Name(), j.node.Name(), w.Name())
	case requests && j.server == nil:
		return v.Errorf(nil, "%s has requests, which a node of kind serve answers, and %s is a %s", w.Name(), j.node.Name(), j.kind())
	case !requests && j.server != nil:
		return w.noRequests(j)
	}
	w.job = j
	j.given = append(j.given, w)
	return nil
}

// noRequests is the error of a workload that a server is to have.
func (w *workload) noRequests(j *job) error {
	return w.At.Errorf(nil, "has no requests for %s, as in requests: {count: 8, prompt: 512, output: 32}", j.node.Name())
}

// jobOf is the only node that may hand out a workload which no node names: of the right kind,
// without workloads of its own, and linked to the cores of the workload, if it has some.
func (x *Experiment) jobOf(a *assembly, w *workload) (*job, error) {
	requests := w.At.Get("requests").Exists()
	var all, open []*job
	for _, j := range a.jobs {
		if (j.server != nil) == requests {
			all = append(all, j)
			if mine, _ := j.named(); mine == nil {
				open = append(open, j)
			}
		}
	}
	if len(all) == 0 { // there is a job, and withoutJob has the words for requests
		return nil, w.noRequests(a.jobs[0])
	}
	if at, names := x.coresFor(w); len(open) > 1 && names != "" {
		idx, err := a.pick(at, names)
		if err != nil {
			return nil, err
		}
		open = slices.DeleteFunc(open, func(j *job) bool { return !slices.Contains(j.compute, idx[0]) && !slices.Contains(j.nics, idx[0]) })
		if len(open) == 0 {
			return nil, at.Errorf(nil, "%s is linked to no node of kind %s that may have %s", a.workers[idx[0]].Name(), all[0].kind(), w.Name())
		}
	}
	switch len(open) {
	case 0:
		return nil, w.At.Errorf(nil, "no node of kind %s has %s: all of them name others (want it in workloads: of %s)", all[0].kind(), w.Name(), all[0].node.Name())
	case 1:
		return open[0], nil
	}
	return nil, w.At.Errorf(nil, "%s and %s both may have %s (want its cores:, or workloads: [%s] at one of them)", open[0].node.Name(), open[1].node.Name(), w.Name(), w.Name())
}

// coresFor is what says which nodes carry a workload out, and their names; "" is all.
func (x *Experiment) coresFor(w *workload) (at configs.Value, names string) {
	at, names = x.doc.Root.Get("mapping").Get("cores"), x.mapping.Cores
	if w.Spec.Cores != "" {
		at, names = w.At.Get("cores"), w.Spec.Cores
	}
	if !at.Exists() {
		at = w.At
	}
	return at, names
}

// checkJob reports jobs with nothing to do, and workloads that one cannot have.
func (x *Experiment) checkJob(j *job) error {
	var errs configs.Errors
	if len(j.given) == 0 {
		like := "workload: {model: resnet50}"
		if j.server != nil {
			like = "workload: {model: llama3_8b, requests: {count: 8, prompt: 512, output: 32}}"
		}
		return x.doc.Root.Errorf(nil, "there is no workload for %s, as in %s", j.node.Name(), like)
	}
	if j.server != nil && len(j.given) != 1 {
		errs.Add(x.doc.Root.Errorf(nil, "%s serves one model, and there are %d workloads", j.node.Name(), len(j.given)))
	}
	for _, w := range j.given {
		if v := w.At.Get("deadline"); v.Exists() && w.Spec.Deadline == 0 {
			errs.Add(v.Errorf(nil, "is %s (want a time over 0; null for none)", v.Text()))
		}
	}
	return errs.Err()
}

// aloneForRepeat refuses simulation.repeat: sampled where others go on at the same time: what is
// taken as equal passes in one step, and they would not see it.
func (x *Experiment) aloneForRepeat(a *assembly) error {
	if x.sim.Repeat != sampled {
		return nil
	}
	v := x.doc.Root.Get("simulation").Get("repeat")
	if len(a.jobs) > 1 {
		return v.Errorf(nil, "has no effect: %s and %s go on at the same time, and have no common end of a layer (want repeat: exact)", a.jobs[0].node.Name(), a.jobs[1].node.Name())
	}
	for _, s := range a.starters {
		_, core := s.(worker)
		if len(a.loads) > 0 && !core && !slices.ContainsFunc(a.jobs, func(j *job) bool { return j.node.Name() == s.Name() }) {
			return v.Errorf(nil, "has no effect: %s goes on at the same time, and has no end of a layer (want repeat: exact)", s.Name())
		}
	}
	return nil
}

// memoryOf reports whether an executor of the job reads and writes tensors in memory.
func (a *assembly) memoryOf(j *job) bool {
	if len(a.jobs) <= 1 {
		return a.needMemory()
	}
	return slices.ContainsFunc(j.executors(), needsMemory)
}
