package served

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/parallel"
	"github.com/causeway-sim/causeway/workloads/serving"
)

// Prefill and decode on chips of their own: ranks of an instance talk to each other alone, and
// keys and values go from the chips of one instance to those of another.

// issues reports whether operators are issued to executors.
func (s *Served) issues() bool {
	i, ok := s.server.(work.Issuer)
	return !ok || i.Issues()
}

// idle returns an error for executors that a server which issues no operators does not use.
// Such a server uses one for each rank of each instance, and one may stand for those of all
// replicas.
func (s *Served) idle() error {
	if s.issues() {
		return nil
	}
	server := s.server
	n := server.Instances() * len(s.ranks)
	if replicas := server.(work.Issuer).Replicas(); len(s.idx) == n || len(s.idx) == n*replicas {
		return nil
	}
	return s.at.Errorf(nil, "%s reckons with %d of the %d nodes that it is linked to, and %s has no effect (want times: issued, parallel: {tensor: N}, replicas or instances that take all, or no such node)", server.Name(), n, len(s.idx), s.a.Workers[s.idx[n]].Name())
}

// members are the ranks of an instance.
func (s *Served) members(instance int) graph.Ranks {
	n := len(s.ranks)
	return graph.Ranks{First: instance * n, Stride: 1, Count: n}
}

// among is a batch of an instance: its collectives are those of the ranks of the first one, or of
// some of them.
func (s *Served) among(w *plan.Workload, instance int) *plan.Workload {
	if instance == 0 || len(s.ranks) == 1 {
		return w
	}
	g, out := *w.Graph, *w
	g.Ops = slices.Clone(g.Ops)
	for i := range g.Ops {
		if t, ok := g.Ops[i].Kind.(graph.Transfer); ok {
			t.Among.First += s.members(instance).First
			g.Ops[i].Kind = t
		}
	}
	out.Graph = &g
	return &out
}

// movedShare is the number of the share that carries keys and values; batches have 0 and 1.
const movedShare = 2

// mover is Move of a work.Service.
func (s *Served) mover() func(work.Move) ([]work.Part, error) {
	if !s.issues() || len(s.nics) == 0 || s.server.Instances() == 1 {
		return nil
	}
	return s.move
}

// move implements work.Service: a part for each rank, in which it sends its keys and values
// and the same rank of the other instance receives them, a message for each cache of each layer.
func (s *Served) move(m work.Move) (out []work.Part, err error) {
	s.serial++
	n := len(s.ranks)
	for r := range n {
		from, to := m.From*n+r, m.To*n+r
		g, of := s.messages(from, to, max(parallel.Own(m.Entries, s.keys(), r), 1)) // a rank without any sends one
		p := work.Part{Workload: work.Workload{Name: s.w.Name(), ID: movedShare, Graph: g}}
		for op := range g.Ops {
			p.Jobs = append(p.Jobs, work.Job{Op: op})
		}
		about := work.Describe(g)
		for side, rank := range []int{from, to} {
			place := work.Place{Executor: s.a.Workers[s.nics[rank]], Job: slices.Repeat([]int32{-1}, len(g.Ops))}
			share := work.Share{
				Name: s.w.Name(), ID: movedShare, Graph: g, Tensors: about, Requests: 1, Step: true, Serial: s.serial,
				Base: s.cacheAt(rank, of, []int{m.FromAt, m.ToAt}[side]),
			}
			if spans := [][]serving.Span{m.Reads, m.Writes}[side]; spans != nil {
				share.Spread = s.cacheIn(rank, of, spans)
			}
			for op := side; op < len(g.Ops); op += 2 {
				place.Job[op] = int32(len(share.Program.Jobs))
				share.Program.Jobs = append(share.Program.Jobs, mapping.Job{Op: op})
			}
			p.On, p.Shares = append(p.On, place), append(p.Shares, share)
		}
		out = append(out, p)
	}
	return out, nil
}

// messages sends each cache of a rank to another one: sends and receives in turns. of is the
// cache that each tensor is a part of.
func (s *Served) messages(from, to, entries int) (g *graph.Graph, of []string) {
	g = &graph.Graph{Name: s.w.Name()}
	one := s.ranks[0].Graph
	for i := range one.Tensors {
		t := one.Tensors[i]
		if t.Role != graph.KV {
			continue
		}
		t.Shape = []int{entries, int(s.each[t.Name])}
		of = append(of, t.Name, t.Name)
		tag := len(g.Ops)
		g.Ops = append(g.Ops,
			graph.Op{Name: t.Name + ".send", In: []graph.TensorID{g.Add(t)}, Kind: graph.Transfer{Func: "send", Peer: to, Tag: tag, Bytes: t.Bytes()}},
			graph.Op{Name: t.Name + ".recv", Out: []graph.TensorID{g.Add(t)}, Kind: graph.Transfer{Func: "recv", Peer: from, Tag: tag, Bytes: t.Bytes()}})
	}
	return g, of
}

// cacheAt is where a tensor lies that is a rank's part of the cache of, from an entry on.
func (s *Served) cacheAt(rank int, of []string, entry int) func(graph.TensorID) uint64 {
	if !s.memory {
		return func(graph.TensorID) uint64 { return 0 }
	}
	entry /= s.keys()
	return func(id graph.TensorID) uint64 {
		name := of[id]
		t, ok := s.tensor[name]
		if !ok {
			panic(fmt.Sprintf("served: %s is not among the caches of %s", name, s.w.Name()))
		}
		d := s.frames[s.before+rank].Tensor(t).DType
		return s.placed.Base(s.before+rank, t) + uint64(d.Bytes(int64(entry)*s.each[name]))
	}
}
