package library

// A Chip is what kernels know of the chip that they run on. Times are in seconds, sizes in
// bytes.
type Chip struct {
	SMs         int
	Clock       float64 // Hz
	Tensor      float64 // multiply-accumulates of an SM and clock, in the type of the operator
	Sustained   float64 // share of the matrix units' peak that power lets all SMs sustain
	Exponential float64 // exponentials of an SM and clock
	Memory      float64 // bytes per second, by the data sheet
	L2Bandwidth float64 // bytes per second
	Latency     float64 // from a load to its data from memory
}

// rate is the multiply-accumulates per second of one SM while all work, at a share of the
// sustained rate; never over the peak.
func (c *Chip) rate(share float64) float64 { return c.Tensor * c.Clock * min(1, c.Sustained*share) }

// A Type is that of the elements that the matrix units multiply.
type Type int

// Types that libraries have kernels for.
const (
	BF16 Type = iota
	FP8
)

// size is the bytes of an element.
func (t Type) size() float64 {
	if t == FP8 {
		return 1
	}
	return 2
}

func (t Type) String() string { return [...]string{"bf16", "fp8"}[t] }

func ceil(a, b int) int { return (a + b - 1) / b }

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
