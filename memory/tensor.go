package memory

import "github.com/causeway-sim/causeway/workloads/graph"

// A Tensor is the software's description of one tensor for the memory system. It is made before
// the run, shared by the hints of all requests of the tensor, and never changed. Zero fields are
// unknown.
//
// Two tensors are the same if all fields but the name are equal, so that cores may have copies.
type Tensor struct {
	Name        string     // for reports; "": none
	Base, Bytes uint64     // address range
	Tile        uint64     // bytes loaded together; 0: the whole tensor
	Accesses    uint32     // expected accesses to each byte, by all cores, in the whole run
	Sharers     uint16     // cores that read each byte; 0: unknown
	Kind        graph.Role // valid if the other fields are known
	WriteOnce   bool       // written, and not read again while it could stay
}
