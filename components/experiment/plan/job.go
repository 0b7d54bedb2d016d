package plan

import (
	"slices"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/demand"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// A Job is a node that issues workloads during the run, a schedule or a server, with its
// workloads. Each job has its own executors, because an executor takes operators from one node;
// jobs share the network and memories.
type Job struct {
	Node      system.Node
	Scheduler work.Scheduler // nil: a server
	Server    work.Server
	Given     []*Workload // workloads of the configuration
	Compute   []int       // linked workers that compute
	NICs      []int       // linked network interfaces
	Priced    bool        // batches take their planned time: executors get no operators
}

// Executors returns all executors that the node is linked to.
func (j *Job) Executors() []work.Executor {
	if j.Server != nil {
		return j.Server.Executors()
	}
	return j.Scheduler.Executors()
}

// Kind is the kind of the node.
func (j *Job) Kind() string {
	if j.Server != nil {
		return "serve"
	}
	return "schedule"
}

// named are the workloads that the node's key workloads names; v does not exist without the key.
func (j *Job) named() (names []string, v configs.Value) {
	if c, ok := j.Node.(work.Chooser); ok {
		return c.Workloads()
	}
	return nil, v
}

// Serves reports whether a node of the system serves requests.
func (a *Assignment) Serves() bool {
	return slices.ContainsFunc(a.Jobs, func(j *Job) bool { return j.Server != nil })
}

// Served reports whether a server issues the workload.
func (w *Workload) Served() bool { return w.Job != nil && w.Job.Server != nil }

// FindJobs finds the nodes that issue workloads and assigns each its workloads.
func (a *Assignment) FindJobs() error {
	schedules, servers := 0, 0
	for _, n := range a.Sys.Nodes() {
		j := &Job{Node: n}
		j.Scheduler, _ = n.(work.Scheduler)
		j.Server, _ = n.(work.Server)
		switch {
		case j.Scheduler != nil:
			schedules++
		case j.Server != nil:
			servers++
		default:
			continue
		}
		j.Compute, j.NICs = a.linked(j.Executors())
		a.Jobs = append(a.Jobs, j)
	}
	if err := a.withoutJob(schedules, servers); err != nil || len(a.Jobs) == 0 {
		return err
	}
	if v := a.Doc.Root.Get("mapping").Get("split"); v.Exists() && a.Spec.Split == "layer" {
		return v.Errorf([]string{"auto", "batch", "head", "column", "row"}, "has no meaning: %s decides which operators are carried out when", a.Jobs[0].Node.Name())
	}
	if v := a.Doc.Root.Get("mapping").Get("assign"); v.Exists() && schedules > 1 {
		return v.Errorf(nil, "is for one node of kind schedule, and there are %d", schedules)
	}
	if err := a.giveOut(); err != nil {
		return err
	}
	var errs configs.Errors
	for _, j := range a.Jobs {
		errs.Add(a.checkJob(j))
	}
	return errs.Err()
}

// withoutJob reports keys that only a schedule or a server reads, where there is none.
func (a *Assignment) withoutJob(schedules, servers int) error {
	var errs configs.Errors
	for _, key := range []string{"assign", "fusion"} {
		if v := a.Doc.Root.Get("mapping").Get(key); v.Exists() && schedules == 0 {
			errs.Add(v.Errorf(nil, "has no effect: there is no node of kind schedule"))
		}
	}
	for _, w := range a.Loads {
		requests := w.At.Get("requests")
		if requests.Exists() {
			if servers == 0 {
				errs.Add(requests.Errorf(nil, "has no effect: there is no node of kind serve"))
			} else if w.Spec.Ops.Exists() || w.Program != nil {
				errs.Add(requests.Errorf(nil, "are of a language model (model: or file:)"))
			}
			continue // sizesOfRequests reports the other keys
		}
		for _, key := range demand.ScheduleKeys {
			if v := w.At.Get(key); v.Exists() && schedules == 0 {
				errs.Add(v.Errorf(nil, "has no effect: there is no node of kind schedule"))
			}
		}
	}
	return errs.Err()
}

// giveOut assigns each workload to the node that names it, or else to the only possible node.
func (a *Assignment) giveOut() error {
	var errs configs.Errors
	var names []string
	for _, w := range a.Loads {
		names = append(names, w.Name())
	}
	for _, j := range a.Jobs {
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
			errs.Add(j.take(a.Loads[k], v))
		}
	}
	for _, w := range a.Loads {
		if w.Job == nil && len(errs) == 0 {
			j, err := a.jobOf(w)
			if errs.Add(err); err == nil {
				errs.Add(j.take(w, w.At))
			}
		}
	}
	return errs.Err()
}

// take assigns a workload to the job; v is the key that does so, for errors.
func (j *Job) take(w *Workload, v configs.Value) error {
	switch requests := w.At.Get("requests").Exists(); {
	case w.Job == j:
		return v.Errorf(nil, "%s is named twice", w.Name())
	case w.Job != nil:
		return v.Errorf(nil, "%s and %s both have %s (want one of them)", w.Job.Node.Name(), j.Node.Name(), w.Name())
	case requests && j.Server == nil:
		return v.Errorf(nil, "%s has requests, which a node of kind serve answers, and %s is a %s", w.Name(), j.Node.Name(), j.Kind())
	case !requests && j.Server != nil:
		return w.noRequests(j)
	}
	w.Job = j
	j.Given = append(j.Given, w)
	return nil
}

// noRequests is the error of a workload that a server is to have.
func (w *Workload) noRequests(j *Job) error {
	return w.At.Errorf(nil, "has no requests for %s, as in requests: {count: 8, prompt: 512, output: 32}", j.Node.Name())
}

// jobOf returns the only node that may issue a workload that no node names: of the right kind,
// without the key workloads, and linked to the cores of the workload if it names some.
func (a *Assignment) jobOf(w *Workload) (*Job, error) {
	requests := w.At.Get("requests").Exists()
	var all, open []*Job
	for _, j := range a.Jobs {
		if (j.Server != nil) == requests {
			all = append(all, j)
			if mine, _ := j.named(); mine == nil {
				open = append(open, j)
			}
		}
	}
	if len(all) == 0 { // all jobs are servers; withoutJob reports requests without a server
		return nil, w.noRequests(a.Jobs[0])
	}
	if at, names := a.coresFor(w); len(open) > 1 && names != "" {
		idx, err := a.Pick(at, names)
		if err != nil {
			return nil, err
		}
		open = slices.DeleteFunc(open, func(j *Job) bool { return !slices.Contains(j.Compute, idx[0]) && !slices.Contains(j.NICs, idx[0]) })
		if len(open) == 0 {
			return nil, at.Errorf(nil, "%s is linked to no node of kind %s that may have %s", a.Workers[idx[0]].Name(), all[0].Kind(), w.Name())
		}
	}
	switch len(open) {
	case 0:
		return nil, w.At.Errorf(nil, "no node of kind %s has %s: all of them name others (want it in workloads: of %s)", all[0].Kind(), w.Name(), all[0].Node.Name())
	case 1:
		return open[0], nil
	}
	return nil, w.At.Errorf(nil, "%s and %s both may have %s (want its cores:, or workloads: [%s] at one of them)", open[0].Node.Name(), open[1].Node.Name(), w.Name(), w.Name())
}

// coresFor returns the key that names the nodes of a workload, and the names; "" is all.
func (a *Assignment) coresFor(w *Workload) (at configs.Value, names string) {
	at, names = a.Doc.Root.Get("mapping").Get("cores"), a.Spec.Cores
	if w.Spec.Cores != "" {
		at, names = w.At.Get("cores"), w.Spec.Cores
	}
	if !at.Exists() {
		at = w.At
	}
	return at, names
}

// checkJob reports jobs with nothing to do, and workloads that one cannot have.
func (a *Assignment) checkJob(j *Job) error {
	var errs configs.Errors
	if len(j.Given) == 0 {
		like := "workload: {model: resnet50}"
		if j.Server != nil {
			like = "workload: {model: llama3_8b, requests: {count: 8, prompt: 512, output: 32}}"
		}
		return a.Doc.Root.Errorf(nil, "there is no workload for %s, as in %s", j.Node.Name(), like)
	}
	if j.Server != nil && len(j.Given) != 1 {
		errs.Add(a.Doc.Root.Errorf(nil, "%s serves one model, and there are %d workloads", j.Node.Name(), len(j.Given)))
	}
	for _, w := range j.Given {
		if v := w.At.Get("deadline"); v.Exists() && w.Spec.Deadline == 0 {
			errs.Add(v.Errorf(nil, "is %s (want a time over 0; null for none)", v.Text()))
		}
	}
	return errs.Err()
}

// MemoryOf reports whether an executor of the job accesses tensors in memory.
func (a *Assignment) MemoryOf(j *Job) bool {
	if len(a.Jobs) <= 1 {
		return a.NeedsMemory()
	}
	return slices.ContainsFunc(j.Executors(), needsMemory)
}

// LinkedTo reports whether interface n belongs to the job.
func (j *Job) LinkedTo(a *Assignment, n seat.Agent) bool {
	return slices.ContainsFunc(j.NICs, func(k int) bool { return a.Workers[k].Name() == n.Name() })
}
