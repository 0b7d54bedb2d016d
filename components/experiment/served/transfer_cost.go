package served

import (
	"fmt"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/experiment/plan"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/parallel"
)

// fabric is the idle network on which transfers are timed.
func (s *Served) fabric() (*Fabric, error) {
	if s.idleNet != nil {
		return s.idleNet, nil
	}
	p, err := s.transfers()
	if err != nil {
		return nil, err
	}
	for i := range p.Ranks {
		if err := p.Ranks[i].Seal(); err != nil {
			return nil, err
		}
	}
	var names []string
	for _, k := range s.nics {
		names = append(names, s.a.Workers[k].Name())
	}
	s.idleNet, err = s.a.Idle(names, p)
	return s.idleNet, err
}

// transfer is the time of a collective of a batch: all ranks of an instance begin it at once.
func (s *Served) transfer(ranks []*plan.Workload, op, instance int) (units.Time, error) {
	name := ranks[0].Graph.Ops[op].Name
	t := ranks[0].Graph.Ops[op].Kind.(graph.Transfer)
	f, err := s.fabric()
	if err != nil {
		return 0, err
	}
	c, ok := comm.CollOf(t.Func)
	if !ok {
		return 0, fmt.Errorf("%s: no price of a %s of a batch", name, t.Func)
	}
	by := func(size int64) any {
		return s.a.Algorithms.Pick(c, len(t.Among.All(len(f.seats))), uint64(size))
	}
	return f.time(timedTransfer{name: t.Func, among: t.Among, from: instance, size: t.Bytes}, small, by, func(size int64) [][]graph.Transfer {
		all := make([][]graph.Transfer, len(f.seats))
		first := s.members(instance).First
		for r, w := range ranks {
			at := slices.IndexFunc(w.Graph.Ops, func(o graph.Op) bool { return o.Name == name })
			if at < 0 {
				continue // a chip that has none of the keys
			}
			own := w.Graph.Ops[at].Kind.(graph.Transfer)
			own.Bytes = size
			own.Among.First += first
			all[first+r] = []graph.Transfer{own}
		}
		return all
	})
}

// sender is Send of a work.Service.
func (s *Served) sender() func(work.Move) (units.Time, error) {
	if len(s.nics) == 0 {
		return nil
	}
	return s.send
}

// send implements work.Service: all keys and values of some entries go at once from the chips of
// one instance to those of another.
func (s *Served) send(m work.Move) (units.Time, error) {
	f, err := s.fabric()
	if err != nil {
		return 0, err
	}
	same := func(int64) any { return nil }
	return f.time(timedTransfer{name: "move", from: m.From, to: m.To, size: int64(m.Entries)}, max(small/int64(s.entry()), 1), same, func(size int64) [][]graph.Transfer {
		all, n := make([][]graph.Transfer, len(f.seats)), len(s.ranks)
		for r := range n {
			from, to := m.From*n+r, m.To*n+r
			g, _ := s.messages(from, to, max(parallel.Own(int(size), s.keys(), r), 1))
			for i := range g.Ops {
				at := []int{from, to}[i%2]
				all[at] = append(all[at], g.Ops[i].Kind.(graph.Transfer))
			}
		}
		return all
	})
}
