package seat

import (
	"fmt"

	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// Collectives names the algorithm of each collective.
type Collectives struct {
	AllReduce     Algorithm `yaml:"all_reduce" doc:"Algorithm of all_reduce, with its parameters"`
	Reduce        Algorithm `yaml:"reduce" doc:"Algorithm of reduce"`
	Broadcast     Algorithm `yaml:"broadcast" doc:"Algorithm of broadcast"`
	AllGather     Algorithm `yaml:"all_gather" doc:"Algorithm of all_gather"`
	ReduceScatter Algorithm `yaml:"reduce_scatter" doc:"Algorithm of reduce_scatter"`
	AllToAll      Algorithm `yaml:"all_to_all" doc:"Algorithm of all_to_all"`
	Gather        Algorithm `yaml:"gather" doc:"Algorithm of gather"`
	Scatter       Algorithm `yaml:"scatter" doc:"Algorithm of scatter"`
	Barrier       Algorithm `yaml:"barrier" doc:"Algorithm of barrier"`
}

// DefaultCollectives has algorithms that take any number of ranks.
func DefaultCollectives() Collectives {
	one := func(name string) Algorithm { return Algorithm{Name: name} }
	return Collectives{
		AllReduce: one("ring"), AllGather: one("ring"), ReduceScatter: one("ring"), AllToAll: one("direct"),
		Broadcast: one("tree"), Reduce: one("tree"), Gather: one("direct"), Scatter: one("direct"), Barrier: one("dissemination"),
	}
}

// Of returns the algorithm and operation of a collective.
func (s *Collectives) Of(c comm.Coll) (*Algorithm, collective.Operation) {
	switch c {
	case comm.AllReduce:
		return &s.AllReduce, collective.AllReduce
	case comm.Reduce:
		return &s.Reduce, collective.ReduceTo
	case comm.Broadcast:
		return &s.Broadcast, collective.Broadcast
	case comm.AllGather:
		return &s.AllGather, collective.AllGather
	case comm.ReduceScatter:
		return &s.ReduceScatter, collective.ReduceScatter
	case comm.AllToAll:
		return &s.AllToAll, collective.AllToAll
	case comm.Gather:
		return &s.Gather, collective.Gather
	case comm.Scatter:
		return &s.Scatter, collective.Scatter
	case comm.Barrier:
		return &s.Barrier, collective.Barrier
	}
	panic(fmt.Sprintf("seat: collective %d", c))
}

// Schedule makes the schedule of a collective; root is used by operations with a root. It returns
// an error if the algorithm cannot do it.
func (s *Collectives) Schedule(c comm.Coll, ranks int, n uint64, root int) (*collective.Schedule, error) {
	a, r, err := s.request(c, ranks, n, root)
	if err != nil {
		return nil, err
	}
	return collective.New(a.Name, r, a.Spec)
}

// Turning is collective.Turning of a collective without a root.
func (s *Collectives) Turning(c comm.Coll, ranks int, n uint64) (ops []collective.Op, ok bool, err error) {
	a, r, err := s.request(c, ranks, n, 0)
	if err != nil {
		return nil, false, err
	}
	return collective.Turning(a.Name, r, a.Spec)
}

// request is what is asked of the algorithm for a collective.
func (s *Collectives) request(c comm.Coll, ranks int, n uint64, root int) (*Algorithm, collective.Request, error) {
	a, op := s.Of(c)
	if n > collective.MaxBytes {
		return nil, collective.Request{}, fmt.Errorf("%d bytes (want at most %d)", n, int64(collective.MaxBytes))
	}
	element := int64(4)
	if n%4 != 0 {
		element = 1
	}
	bytes := int64(n)
	if op == collective.Barrier {
		bytes = 0 // whatever a trace says of it
	}
	return a.pick(ranks, n), collective.Request{Operation: op, Ranks: ranks, Bytes: bytes, Element: element, Root: root}, nil
}
