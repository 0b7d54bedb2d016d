package experiment

import (
	"slices"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/player/ranks"
)

// openProgram reads the workload's file if it is a communication trace.
func (w *workload) openProgram(doc *configs.Document) (bool, error) {
	s := &w.spec
	path, err := doc.ResolveFile(s.File)
	if err != nil || !comm.Knows(path) {
		return false, nil // the usual way has the words for it
	}
	var errs configs.Errors
	for _, key := range []string{"batch", "sequence", "context", "phase", "image", "dtype", "symbols", "arrival", "cores"} {
		if v := w.at.Get(key); v.Exists() {
			errs.Add(v.Errorf(nil, "has no effect on a communication trace"))
		}
	}
	if err := errs.Err(); err != nil {
		return true, err
	}
	w.path = path
	w.program, w.format, err = comm.Open(path, comm.Options{Ranks: s.Ranks})
	return true, located(s.File, err)
}

// handOver gives the communication programs to the players that have none, and
// the sections mapping.ranks and collectives to all players that do not say it
// themselves.
func (x *Experiment) handOver(a *assembly) error {
	var players, idle []*ranks.Comp
	for _, n := range a.sys.Nodes() {
		if p, ok := n.(*ranks.Comp); ok {
			players = append(players, p)
			if p.Program() == nil {
				idle = append(idle, p)
			}
		}
	}
	var errs configs.Errors
	section := x.doc.Root.Get("collectives")
	placement := x.doc.Root.Get("mapping").Get("ranks")
	for _, v := range []configs.Value{section, placement} {
		if v.Exists() && len(players) == 0 {
			errs.Add(v.Errorf(nil, "has no effect: there is no node of kind ranks"))
		}
	}
	if section.Exists() {
		s := ranks.DefaultSpec().Collectives
		errs.Add(section.Decode(&s))
		for _, p := range players {
			p.Inherit(&s, "")
		}
	}
	if placement.Exists() && errs.Err() == nil {
		for _, p := range players {
			errs.Add(p.Inherit(nil, x.mapping.Ranks))
		}
	}
	var programs []*workload
	a.loads = slices.DeleteFunc(slices.Clone(x.workloads), func(w *workload) bool {
		if w.program != nil {
			programs = append(programs, w)
		}
		return w.program != nil
	})
	if err := errs.Err(); err != nil {
		return err
	}
	for i, w := range programs {
		if i >= len(idle) {
			errs.Add(w.at.Errorf(nil, "there is no node of kind ranks without a program of its own for it"))
			continue
		}
		errs.Add(located(w.at, idle[i].Play(w.program)))
	}
	for _, p := range idle[min(len(idle), len(programs)):] {
		errs.Add(x.doc.Root.Errorf(nil, "%s has no program: it needs a trace: or a pattern:, or a communication trace as the workload", p.Name()))
	}
	return errs.Err()
}
