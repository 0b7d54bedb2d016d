package library

import "github.com/causeway-sim/causeway/accelerators/gpu/kernel"

// A Chip is what kernels know of the chip that they run on. Times are in seconds, sizes in
// bytes.
type Chip struct {
	SMs         int
	Clock       float64 // Hz
	Tensor      float64 // multiply-accumulates of an SM and clock, in the type of the operator
	Sustained   float64 // share of the matrix units' peak that power lets all SMs sustain
	Exponential float64 // exponentials of an SM and clock
	Memory      float64 // bytes per second, by the data sheet
	L2          float64 // bytes
	L2Bandwidth float64 // bytes per second; 0: no bound
	Latency     float64 // from a load to its data from memory
	Shared      float64 // bytes of an SM and clock in and out of shared memory; 0: no bound
	SharedSize  float64 // bytes of shared memory of an SM; 0: no bound
	Link        float64 // bytes per second of its links to other chips, in each direction
}

// rate is the multiply-accumulates per second of one SM while all work, at a share of the
// sustained rate; never over the peak.
func (c *Chip) rate(share float64) float64 { return c.Tensor * c.Clock * min(1, c.Sustained*share) }

// A Type is that of the elements that a kernel reads.
type Type int

// Types that libraries have kernels for.
const (
	BF16 Type = iota
	FP8
	FP8Block   // with scales by blocks of 128 x 128 weights and of 1 x 128 activations
	Int8       // with scales by tokens and channels (SmoothQuant)
	WeightInt8 // weights of 8 bits, activations of 16
	WeightInt4 // weights of 4 bits, activations of 16
	NVFP4      // with scales by blocks of 16
	WeightMX4  // weights of mxfp4, activations of 16 bits
	MX4        // weights of mxfp4, activations of mxfp8
)

// types are the bytes of an element of activations, and of weights.
var types = [...]struct {
	name               string
	activation, weight float64
}{
	BF16: {"bf16", 2, 2}, FP8: {"fp8", 1, 1}, FP8Block: {"fp8 by blocks", 1 + 4./128, 1 + 4./(128*128)}, Int8: {"int8", 1, 1},
	WeightInt8: {"bf16 by int8", 2, 1}, WeightInt4: {"bf16 by int4", 2, 0.5}, NVFP4: {"nvfp4", 0.5 + 1./16, 0.5 + 1./16},
	WeightMX4: {"bf16 by mxfp4", 2, 0.5 + 1./32}, MX4: {"mxfp8 by mxfp4", 1 + 1./32, 0.5 + 1./32},
}

// size is the bytes of an element of activations.
func (t Type) size() float64 { return types[t].activation }

// weight is the bytes of a weight.
func (t Type) weight() float64 { return types[t].weight }

func (t Type) String() string { return types[t].name }

// norm4 joins times that overlap, though not perfectly: the norm of exponent 4.
func norm4(a, b, c float64) float64 {
	x := max(a, b, c)
	if x == 0 {
		return 0
	}
	a, b, c = a/x, b/x, c/x
	a, b, c = a*a, b*b, c*c
	return x * root4(a*a+b*b+c*c)
}

// clusters is how many blocks one panel from the L2 may serve: two blocks of a cluster (CUTLASS, multicast of TMA).
const clusters = 2

// bound makes the time of a kernel no less than its bytes need from the L2: each of them once, and as often as blocks
// read them if those of a cluster share them.
func (c *Chip) bound(x kernel.Cost) kernel.Cost {
	x.Total = max(x.Total, x.Launch+c.leastTime(x.Near, x.Bytes))
	return x
}

// leastTime is the least time of a kernel whose blocks read near bytes from the L2, some of them more than once, and
// that moves so many bytes.
func (c *Chip) leastTime(near, bytes float64) float64 {
	if c.L2Bandwidth == 0 {
		return 0
	}
	return max(near/clusters, bytes) / c.L2Bandwidth
}

// copied is the bytes of an SM and clock that copies of a kernel reach: no more than shared memory takes.
func (c *Chip) copied(rate float64) float64 {
	if c.Shared > 0 {
		return min(rate, c.Shared)
	}
	return rate
}

// holds reports whether shared memory holds the operands of two steps of a tile: one that is multiplied, and one that
// is copied.
func (c *Chip) holds(p *Product, t tile) bool {
	return c.SharedSize == 0 || 2*step*(float64(t.m)*p.Type.size()+float64(t.n)*p.Type.weight()) <= c.SharedSize
}
