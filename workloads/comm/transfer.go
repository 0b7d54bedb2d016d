package comm

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Transfer is a transfer of a graph as an operation; tag tells graphs apart, and requests
// of them. Its ranks are a group of the program from then on.
func (p *Program) Transfer(t graph.Transfer, tag int64) (Op, error) {
	op := Op{Peer: int32(t.Peer), Bytes: uint64(t.Bytes), Tag: tag ^ int64(t.Tag)<<24}
	switch t.Func {
	case "send":
		op.Kind = Send
	case "recv":
		op.Kind = Recv
	default:
		op.Kind, op.Group = Collective, p.Group(t.Among.All(len(p.Ranks)))
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
