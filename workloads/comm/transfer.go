package comm

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Transfer returns a transfer of a graph as an operation, and adds its ranks as a group. tag must
// differ between graphs and between their requests.
func (p *Program) Transfer(t graph.Transfer, tag int64) (Op, error) {
	return p.TransferOf(nil, t, tag)
}

// TransferOf is like Transfer for a graph whose rank i is rank seats[i] of the program; nil: rank
// i.
func (p *Program) TransferOf(seats []int32, t graph.Transfer, tag int64) (Op, error) {
	ranks := len(p.Ranks)
	if seats != nil {
		ranks = len(seats)
	}
	at := func(rank int32) int32 {
		if seats == nil {
			return rank
		}
		return seats[rank]
	}
	op := Op{Peer: at(int32(t.Peer)), Bytes: uint64(t.Bytes), Tag: tag ^ int64(t.Tag)<<24}
	switch t.Func {
	case "send":
		op.Kind = Send
	case "recv":
		op.Kind = Recv
	default:
		among := t.Among.All(ranks)
		for i, r := range among {
			among[i] = at(r)
		}
		op.Kind, op.Group = Collective, p.Group(among)
		var ok bool
		if op.Coll, ok = CollOf(t.Func); !ok {
			return op, fmt.Errorf("no interface carries out %s", t.Func)
		}
	}
	return op, nil
}

// CollOf is the collective with a name; ok is false if there is none.
func CollOf(name string) (c Coll, ok bool) {
	for c := Barrier; c <= Scatter; c++ {
		if c.String() == name {
			return c, true
		}
	}
	return 0, false
}
