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
	Uses        uint32 // accesses to each line over the tensor's life, of all cores
	Sharers     uint16 // cores that walk over the tensor together; 0 is 1
	Kind        Kind
	WriteOnce   bool // written and not read again while it could stay
}
