package policy

// A Kind is the role of a tensor in its network.
type Kind uint8

// The roles.
const (
	Other Kind = iota
	Query
	Key
	Value
	Weight
	Activation
	Output
)

// A Tensor is the software's description of one tensor. Zero fields are unknown.
type Tensor struct {
	Base, Bytes uint64 // address range
	Tile        uint64 // bytes that are used together; 0 is the whole tensor
	Uses        uint32 // accesses to each line over the tensor's life, of all cores; 0 is unknown
	Sharers     uint16 // cores that read the tensor together; 0 is 1
	Kind        Kind
	WriteOnce   bool // written and not read again while it could stay
}

// A Describer is a policy that uses descriptions of tensors. A cache that meets a new tensor in a
// request's hint calls Describe once, and sets Access.Tensor to the result. Tensors of
// Geometry.Tensors are known from the start.
type Describer interface {
	// Describe registers a tensor and returns its number for Access.Tensor; 0 if there are too
	// many.
	Describe(t Tensor) uint16
}
