package served

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// share divides the executors among the ranks of the model, and seats their interfaces:
// the transfers come with the batches.
func (s *Served) share() error {
	n := len(s.ranks) * s.server.Instances()
	each := len(s.idx) / n
	for r := range n {
		s.cores = append(s.cores, s.idx[r*each:(r+1)*each])
	}
	if n == 1 || len(s.ranks) == 1 && len(s.nics) == 0 {
		return nil // nothing is transferred, or it takes what the server says
	}
	if len(s.nics) < n {
		return s.at.Errorf(nil, "%d instances of %d chips each need %d nodes of kind nic, and %s is linked to %d", s.server.Instances(), len(s.ranks), n, s.server.Name(), len(s.w.Job.NICs))
	}
	if v := s.w.At.Get("parallel").Get("pipeline"); v.Exists() {
		return v.Errorf(nil, "has no effect: %s gives a batch to all chips at once (want tensor)", s.server.Name())
	}
	if !s.issues() {
		return nil // an idle copy of the network says what transfers take
	}
	p, err := s.transfers()
	if err != nil {
		return err
	}
	var seats []seat.Seat
	for _, k := range s.nics {
		seats = append(seats, s.a.Workers[k].(seat.Seat))
	}
	for _, a := range s.a.Agents {
		if s.w.Job.LinkedTo(s.a.Assignment, a) && !slices.ContainsFunc(seats, func(b seat.Seat) bool { return b.Name() == a.Name() }) || !slices.ContainsFunc(s.a.Jobs, func(j *plan.Job) bool { return j.LinkedTo(s.a.Assignment, a) }) {
			return a.Unused()
		}
	}
	if len(seats) == 0 {
		return nil
	}
	return s.a.Seat(s.w.Job, p, seats)
}

// transfers is a program of all ranks of all instances that does nothing yet.
func (s *Served) transfers() (*comm.Program, error) {
	n := len(s.ranks) * s.server.Instances()
	p := comm.NewProgram(n)
	for k := range s.server.Instances() {
		p.Group(s.members(k).All(n))
		for first := 0; s.keys() > 1 && first < len(s.ranks); first += s.keys() {
			p.Group(graph.Ranks{First: k*len(s.ranks) + first, Stride: 1, Count: s.keys()}.All(n))
		}
	}
	return p, nil
}

// keys is how many ranks share the entries of a request by tokens.
func (s *Served) keys() int { return max(s.w.Spec.Parallel.KV, 1) }

// cut is what each rank of an instance does of a workload; all do the same unless they share keys.
func (s *Served) cut(w *plan.Workload) ([]*plan.Workload, error) {
	if w.Spec.Parallel.Ranks() == 1 {
		return []*plan.Workload{w}, nil
	}
	graphs, err := w.Cut()
	if err != nil {
		return nil, w.LocateCut(w.At.Get("parallel"), err)
	}
	out := make([]*plan.Workload, len(graphs))
	for r := range graphs {
		if r > 0 && s.keys() == 1 {
			out[r] = out[0]
			continue
		}
		own := *w
		own.Graph = graphs[r]
		out[r] = &own
	}
	return out, nil
}

// nodes are a node of each rank that reaches its memory.
func (s *Served) nodes() []system.Node {
	out := make([]system.Node, len(s.cores))
	for r, idx := range s.cores {
		for _, k := range idx {
			if w := s.a.Workers[k]; out[r] == nil && s.a.Sys.Reaches(w) {
				out[r] = w
			}
		}
		if out[r] == nil && r < len(s.nics) {
			out[r] = s.a.Workers[s.nics[r]]
		}
	}
	return out
}

// part is what a rank does of a batch: a place for each of its cores, or one for all where
// they share operators, and its interface.
func (s *Served) part(w *plan.Workload, rank, slot int, programs []mapping.Program, where places) work.Part {
	p := work.Part{Workload: work.Workload{Name: w.Name(), ID: int32(slot), Graph: w.Graph}}
	if x := s.w.Spec.Parallel; x.Overlap != 0 || x.T3 != 0 {
		p.Layers = plan.Together
	}
	workers := s.cores[rank]
	if moved := plan.Transfers(w.Graph); moved.Jobs != nil {
		workers, programs = append(slices.Clip(workers), s.nics[rank]), append(slices.Clip(programs), moved)
	}
	at := map[int]int{} // of each operator's job
	for _, prog := range programs {
		for _, j := range prog.Jobs {
			if _, ok := at[j.Op]; !ok {
				at[j.Op] = 0
				p.Jobs = append(p.Jobs, work.Job{Op: j.Op, Fused: j.Fused})
			}
		}
	}
	slices.SortFunc(p.Jobs, func(a, b work.Job) int { return cmp.Compare(a.Op, b.Op) })
	for i, j := range p.Jobs {
		at[j.Op] = i
	}
	about := work.Describe(w.Graph)
	var spread func(graph.TensorID) *memory.Spread
	if where.spread != nil {
		spread = where.spread(rank)
	}
	for i, k := range workers {
		place := work.Place{Executor: s.a.Workers[k], Job: make([]int32, len(p.Jobs))}
		for j := range place.Job {
			place.Job[j] = -1
		}
		for j := range programs[i].Jobs {
			place.Job[at[programs[i].Jobs[j].Op]] = int32(j)
		}
		p.Shares = append(p.Shares, work.Share{Name: w.Name(), ID: p.ID, Graph: w.Graph, Program: programs[i], Tensors: about, Requests: 1, Step: true, Serial: s.serial, Base: where.base(rank, i), Spread: spread})
		if s.a.Teams() && i > 0 && i < len(s.cores[rank]) {
			p.On[0].With = append(p.On[0].With, place)
			continue
		}
		p.On = append(p.On, place)
	}
	return p
}
