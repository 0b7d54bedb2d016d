package format

import (
	"fmt"

	"github.com/causeway-sim/causeway/workloads/graph"
)

// Stored is the element types that the file of a language model says.
type Stored struct {
	Method    string      // of its quantisation, as the file says; "": none
	Weight    graph.DType // matrices of layers but for the following
	Attention graph.DType // products around attention and other mixers
	Experts   graph.DType
	Shared    graph.DType // experts that every token goes to
	KV        graph.DType // cached keys and values
	Plain     graph.DType // embedding, head, norms
}

// Keeps reports whether weights that are served in a type stay as they are: some have no more bits, and are
// of the same kind, integers or floating numbers.
func (s Stored) Keeps(d graph.DType) bool {
	for _, x := range []graph.DType{s.Weight, s.Attention, s.Experts} {
		if x.Bits() <= d.Bits() && integer(x) == integer(d) {
			return true
		}
	}
	return false
}

func integer(d graph.DType) bool {
	switch d {
	case graph.Int8, graph.Int4, graph.Int4G64, graph.Int4G128, graph.Q4, graph.Q8:
		return true
	}
	return false
}

func (s Stored) String() string {
	if s.Method == "" {
		return fmt.Sprintf("all weights %s", s.Plain)
	}
	return fmt.Sprintf("%s: attention %s, experts %s, shared experts %s, other layers %s, all else %s, keys and values %s", s.Method, s.Attention, s.Experts, s.Shared, s.Weight, s.Plain, s.KV)
}
