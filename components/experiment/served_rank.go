package experiment

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// share divides the executors among the ranks of the model, and seats their interfaces:
// the transfers come with the batches.
func (s *served) share() error {
	n := len(s.ranks) * s.server.Instances()
	each := len(s.idx) / n
	for r := range n {
		s.cores = append(s.cores, s.idx[r*each:(r+1)*each])
	}
	if n == 1 || len(s.ranks) == 1 && len(s.nics) == 0 {
		return nil // nothing is transferred, or it takes what the server says
	}
	if len(s.nics) < n {
		return s.at.Errorf(nil, "%d instances of %d chips each need %d nodes of kind nic, and %s is linked to %d", s.server.Instances(), len(s.ranks), n, s.server.Name(), len(s.w.job.nics))
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
		seats = append(seats, s.a.workers[k].(seat.Seat))
	}
	for _, a := range s.a.agents {
		if s.w.job.linkedTo(s.a, a) && !slices.ContainsFunc(seats, func(b seat.Seat) bool { return b.Name() == a.Name() }) || !slices.ContainsFunc(s.a.jobs, func(j *job) bool { return j.linkedTo(s.a, a) }) {
			return a.Unused()
		}
	}
	if len(seats) == 0 {
		return nil
	}
	return s.x.seatJob(s.a, s.w.job, p, seats)
}

// transfers is a program of all ranks of all instances that does nothing yet.
func (s *served) transfers() (*comm.Program, error) {
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
func (s *served) keys() int { return max(s.w.Spec.Parallel.KV, 1) }

// cut is what each rank of an instance does of a workload; all do the same unless they share keys.
func (s *served) cut(w *workload) ([]*workload, error) {
	if w.Spec.Parallel.Ranks() == 1 {
		return []*workload{w}, nil
	}
	graphs, err := w.Cut()
	if err != nil {
		return nil, w.LocateCut(w.At.Get("parallel"), err)
	}
	out := make([]*workload, len(graphs))
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
func (s *served) nodes() []system.Node {
	out := make([]system.Node, len(s.cores))
	for r, idx := range s.cores {
		for _, k := range idx {
			if w := s.a.workers[k]; out[r] == nil && s.a.sys.Reaches(w) {
				out[r] = w
			}
		}
		if out[r] == nil && r < len(s.nics) {
			out[r] = s.a.workers[s.nics[r]]
		}
	}
	return out
}

// part is what a rank does of a batch: a place for each of its cores, or one for all where
// they share operators, and its interface.
func (s *served) part(w *workload, rank, slot int, programs []mapping.Program, where places) work.Part {
	p := work.Part{Workload: work.Workload{Name: w.Name(), ID: int32(slot), Graph: w.Graph}}
	if x := s.w.Spec.Parallel; x.Overlap != 0 || x.T3 != 0 {
		p.Layers = together
	}
	workers := s.cores[rank]
	if moved := transfers(w.Graph); moved.Jobs != nil {
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
		place := work.Place{Executor: s.a.workers[k], Job: make([]int32, len(p.Jobs))}
		for j := range place.Job {
			place.Job[j] = -1
		}
		for j := range programs[i].Jobs {
			place.Job[at[programs[i].Jobs[j].Op]] = int32(j)
		}
		p.Shares = append(p.Shares, work.Share{Name: w.Name(), ID: p.ID, Graph: w.Graph, Program: programs[i], Tensors: about, Requests: 1, Step: true, Serial: s.serial, Base: where.base(rank, i), Spread: spread})
		if s.x.teams() && i > 0 && i < len(s.cores[rank]) {
			p.On[0].With = append(p.On[0].With, place)
			continue
		}
		p.On = append(p.On, place)
	}
	return p
}

// together is how many layers repeat as one where transfers of a layer go on beside the next:
// a sampled run waits for the end of all of them at once, so that what the wait costs, up to a
// collective of a part, is the smaller a share.
const together = 4
