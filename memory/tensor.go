package memory

import "github.com/causeway-sim/causeway/workloads/graph"

// A Tensor is what the software stack tells a memory system about one tensor. It
// is made before the run, shared by all requests that move the tensor, and never
// changed. Zero fields say that nothing is known.
//
// Two tensors are the same if all fields but the name are equal: cores that share one may
// each point at a copy.
type Tensor struct {
	Name        string     // for people; "": none
	Base, Bytes uint64     // address range
	Tile        uint64     // bytes that are loaded together; 0: the whole tensor
	Accesses    uint32     // expected to each byte, by all cores, in the whole run
	Sharers     uint16     // cores that read each byte; 0: not known
	Kind        graph.Role // holds where the rest is known
	WriteOnce   bool       // written, and not read again while it could stay
}
