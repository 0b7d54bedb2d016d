package mapping

import "github.com/causeway-sim/causeway/workloads/graph"

// A stream is vector work: operands pass through the ifmap buffer, results
// through the ofmap buffer, in parts.
type stream struct{}

func (x *Mapper) stream(op *graph.Op, g *graph.Graph, core Core, sh *share) (*Plan, error) {
	return &Plan{Op: op, stream: &stream{}}, nil
}

func (w *Walker) nextPart(st *Step) bool { return false }
