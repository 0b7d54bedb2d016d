package experiment

import (
	"errors"
	"math"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// requestKeys are the keys of a workload that only a schedule node reads.
var requestKeys = []string{"arrivals", "frames", "deadline", "priority"}

// findScheduler finds the node that workloads go to, if there is one.
func (x *Experiment) findScheduler(a *assembly) error {
	for _, n := range a.sys.Nodes() {
		s, ok := n.(work.Scheduler)
		if !ok {
			continue
		}
		if a.scheduler != nil {
			return x.doc.Root.Errorf(nil, "%s and %s both are to hand out the workloads (want one schedule node)", a.scheduler.Name(), s.Name())
		}
		a.scheduler = s
	}
	if a.scheduler != nil {
		if v := x.doc.Root.Get("mapping").Get("split"); v.Exists() {
			return v.Errorf(nil, "has no effect: %s gives each operator to one node", a.scheduler.Name())
		}
		if len(a.loads) == 0 {
			return x.doc.Root.Errorf(nil, "there is no workload for %s, as in workload: {model: resnet50}", a.scheduler.Name())
		}
		return nil
	}
	var errs configs.Errors
	for _, w := range a.loads {
		for _, key := range requestKeys {
			if v := w.at.Get(key); v.Exists() {
				errs.Add(v.Errorf(nil, "has no effect: there is no node of kind schedule"))
			}
		}
	}
	return errs.Err()
}

// linked are the workers that the scheduler is linked to.
func (a *assembly) linked() (out []int) {
	for i, w := range a.workers {
		if x, ok := w.(work.Executor); ok && slices.Contains(a.scheduler.Executors(), x) {
			out = append(out, i)
		}
	}
	return out
}

// alone is one program per worker in idx, each as if that worker did all of the
// workload: of the same jobs, with the mapping of each.
func (x *Experiment) alone(a *assembly, mapper *mapping.Mapper, w *workload, idx []int, at configs.Value) ([]mapping.Program, error) {
	linked := a.linked()
	var errs configs.Errors
	out := make([]mapping.Program, len(idx))
	var jobs []mapping.Job
	for i, k := range idx {
		if !slices.Contains(linked, k) {
			errs.Add(at.Errorf(nil, "%s is not linked to %s", a.workers[k].Name(), a.scheduler.Name()))
			continue
		}
		if _, rows := a.workers[k].(work.RowLoader); rows {
			errs.Add(at.Errorf(nil, "%s counts layers as another program does, and takes no single operators", a.workers[k].Name()))
			continue
		}
		if _, ok := a.workers[k].(work.Mappable); !ok {
			continue
		}
		one, err := x.programs(a, mapper, w, []int{k}, at)
		if err != nil {
			errs.Add(err)
			continue
		}
		out[i] = one[0]
		if jobs == nil {
			jobs = one[0].Jobs
		}
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	if jobs == nil {
		for i := range w.graph.Ops {
			if m, ok := w.graph.Ops[i].Kind.(graph.Move); !ok || m.Elements > 0 {
				jobs = append(jobs, mapping.Job{Op: i})
			}
		}
	}
	for i, k := range idx {
		if out[i].Jobs == nil {
			for _, j := range jobs {
				out[i].Jobs = append(out[i].Jobs, mapping.Job{Op: j.Op, Fused: j.Fused})
			}
		}
		if !slices.EqualFunc(jobs, out[i].Jobs, func(a, b mapping.Job) bool { return a.Op == b.Op && slices.Equal(a.Fused, b.Fused) }) {
			return nil, at.Errorf(nil, "%s cuts %s into other operators than %s", a.workers[k].Name(), w.name(), a.workers[idx[0]].Name())
		}
	}
	return out, nil
}

// schedule hands the workloads, which the executors have prepared, to the scheduler.
func (x *Experiment) schedule(a *assembly, shares []share) error {
	var errs configs.Errors
	var out []work.Workload
	for i, w := range a.loads {
		times, err := w.arrivals(x)
		if err != nil {
			errs.Add(err)
			continue
		}
		w.requests = len(times)
		l := work.Workload{Name: w.name(), ID: int32(i), Graph: w.graph, Times: times, Deadline: w.spec.Deadline, Priority: w.spec.Priority}
		for _, s := range shares {
			if s.load != i {
				continue
			}
			l.On = append(l.On, a.workers[s.worker].(work.Executor))
			if l.Jobs == nil {
				for _, j := range s.program.Jobs {
					l.Jobs = append(l.Jobs, work.Job{Op: j.Op, Fused: j.Fused})
				}
			}
		}
		out = append(out, l)
	}
	if err := errs.Err(); err != nil {
		return err
	}
	return located(x.doc.Root.Get("nodes"), a.scheduler.Schedule(out))
}

// maxRequests bounds the requests of one workload, as key frames says.
const maxRequests = 1 << 20

// arrivals are the times at which requests of the workload arrive.
func (w *workload) arrivals(x *Experiment) ([]units.Time, error) {
	s := &w.spec
	frames := w.at.Get("frames")
	if s.Arrivals.Name == "" {
		return slices.Repeat([]units.Time{s.Arrival}, max(s.Frames, 1)), nil
	}
	if s.Frames == 0 && s.Arrivals.Name != "trace" {
		return nil, s.Arrivals.At.Errorf(nil, "has no end: frames says how many requests arrive")
	}
	source, err := s.Arrivals.New(x.doc.ResolveFile)
	var key *schedule.KeyError
	if errors.As(err, &key) {
		return nil, s.Arrivals.Place(key.Key).Errorf(nil, "%s", key)
	}
	if err != nil {
		return nil, located(s.Arrivals.At, err)
	}
	r := (&system.Env{Seed: x.sim.Seed}).Rand("arrivals of " + w.name())
	var out []units.Time
	for s.Frames == 0 || len(out) < s.Frames {
		at, ok := source.Next(r)
		if !ok {
			break
		}
		if at > math.MaxUint64/4 || s.Arrival > math.MaxUint64/4 {
			return nil, s.Arrivals.At.Errorf(nil, "request %d arrives after %s, which is as far as times count", len(out), units.Time(math.MaxUint64/4))
		}
		if len(out) == maxRequests {
			return nil, s.Arrivals.At.Errorf(nil, "has more than %d requests", maxRequests)
		}
		out = append(out, s.Arrival+at)
	}
	if len(out) < s.Frames {
		return nil, frames.Errorf(nil, "is %d, and the arrivals end after %d", s.Frames, len(out))
	}
	return out, nil
}

// times is how often the workload is carried out.
func (w *workload) times() int64 {
	if w.requests == 0 {
		return 1
	}
	return int64(w.requests)
}
