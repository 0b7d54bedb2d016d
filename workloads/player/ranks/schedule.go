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
	Gather        Algorithm `yaml:"gather" doc:"Algorithm of gather"`
	Scatter       Algorithm `yaml:"scatter" doc:"Algorithm of scatter"`
	Barrier       Algorithm `yaml:"barrier" doc:"Algorithm of barrier"`
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
	name, err := v.Choice("collective algorithm", collective.All.Names())
	if err != nil {
		return err
	}
	e, _ := collective.All.Entry(name)
	spec, err := v.Parameters(e.Spec)
	*a = Algorithm{name, spec}
	return err
}

// of is the algorithm and operation of a collective.
func (s *Collectives) of(c comm.Coll) (*Algorithm, collective.Operation) {
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
	panic(fmt.Sprintf("ranks: collective %d", c))
}

// schedule makes the schedule of a collective.
func (s *Collectives) schedule(k planKey) (*collective.Schedule, error) {
	a, op := s.of(k.coll)
	if k.bytes > collective.MaxBytes {
		return nil, fmt.Errorf("%d bytes (want at most %d)", k.bytes, int64(collective.MaxBytes))
	}
	element := int64(4)
	if k.bytes%4 != 0 {
		element = 1
	}
	bytes := int64(k.bytes)
	if op == collective.Barrier {
		bytes = 0 // whatever a trace says of it
	}
	return collective.New(a.Name, collective.Request{Operation: op, Ranks: k.n, Bytes: bytes, Element: element, Root: k.root}, a.Spec)
}
