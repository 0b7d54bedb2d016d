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

// A Tensor is what the software stack tells a cache about one tensor. Zero
// fields say that nothing is known.
type Tensor struct {
	Base, Bytes uint64 // address range
	Tile        uint64 // bytes that are used together; 0 is the whole tensor
	Uses        uint32 // accesses to each line over the tensor's life, of all cores; 0 is not known
	Sharers     uint16 // cores that walk over the tensor together; 0 is 1
	Kind        Kind
	WriteOnce   bool // written and not read again while it could stay
}

// A Describer is a policy that wants to know of tensors. A cache that learns of
// a tensor while it runs, from a request's hint, describes it once and puts the
// number that it gets into Access.Tensor. Those of Geometry.Tensors are known from
// the start.
type Describer interface {
	// Describe takes note of a tensor and returns its number in Access.Tensor; 0 if
	// there are too many.
	Describe(t Tensor) uint16
}
