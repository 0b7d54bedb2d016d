package ranks

import (
	"fmt"

	"github.com/causeway-sim/causeway/configs"
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
}

// An Algorithm is a name in collective.All and its parameters.
type Algorithm struct {
	Name string
	Spec any
}

// String is the name.
func (a Algorithm) String() string { return a.Name }

// UnmarshalConfig implements configs.Unmarshaler.
func (a *Algorithm) UnmarshalConfig(v configs.Value) error {
	name, err := choice(v, collective.All.Names(), "collective algorithm")
	if err != nil {
		return err
	}
	e, _ := collective.All.Entry(name)
	spec, err := parameters(v, e.Spec)
	*a = Algorithm{name, spec}
	return err
}

// of is the algorithm and operation of a collective; false for those that have
// one way only.
func (s *Collectives) of(c comm.Coll) (*Algorithm, collective.Operation, bool) {
	switch c {
	case comm.AllReduce:
		return &s.AllReduce, collective.AllReduce, true
	case comm.Reduce:
		return &s.Reduce, collective.ReduceTo, true
	case comm.Broadcast:
		return &s.Broadcast, collective.Broadcast, true
	case comm.AllGather:
		return &s.AllGather, collective.AllGather, true
	case comm.ReduceScatter:
		return &s.ReduceScatter, collective.ReduceScatter, true
	case comm.AllToAll:
		return &s.AllToAll, collective.AllToAll, true
	}
	return nil, 0, false
}

// schedule makes the schedule of a collective.
func (s *Collectives) schedule(k planKey) (*collective.Schedule, error) {
	if a, op, ok := s.of(k.coll); ok {
		if k.bytes > collective.MaxBytes {
			return nil, fmt.Errorf("%d bytes (want at most %d)", k.bytes, int64(collective.MaxBytes))
		}
		element := int64(4)
		if k.bytes%4 != 0 {
			element = 1
		}
		return collective.New(a.Name, collective.Request{Operation: op, Ranks: k.n, Bytes: int64(k.bytes), Element: element, Root: k.root}, a.Spec)
	}
	out := &collective.Schedule{Name: k.coll.String(), Ops: make([][]collective.Op, k.n)}
	add := func(rank int, o collective.Op) { out.Ops[rank] = append(out.Ops[rank], o) }
	if k.coll == comm.Barrier {
		// Dissemination: in round r each rank hears of 2^r others. Hensgen, Finkel,
		// Manber, Two algorithms for barrier synchronization, IJPP 17(1), 1988.
		for round, far := int32(0), 1; far < k.n; round, far = round+1, 2*far {
			for i := range k.n {
				to, from := (i+far)%k.n, (i+k.n-far)%k.n
				var after []int32
				if round > 0 {
					after = []int32{2*round - 1}
				}
				add(i, collective.Op{Kind: collective.Send, Peer: int32(to), Tag: round*int32(k.n) + int32(i), After: after})
				add(i, collective.Op{Kind: collective.Recv, Peer: int32(from), Tag: round*int32(k.n) + int32(from), After: after})
			}
		}
		return out, nil
	}
	// Gather and scatter go between the root and each rank directly.
	for i := range k.n {
		if i == k.root {
			continue
		}
		from, to := i, k.root
		if k.coll == comm.Scatter {
			from, to = to, from
		}
		add(from, collective.Op{Kind: collective.Send, Peer: int32(to), Tag: int32(i), Bytes: int64(k.bytes)})
		add(to, collective.Op{Kind: collective.Recv, Peer: int32(from), Tag: int32(i), Bytes: int64(k.bytes)})
	}
	return out, nil
}
