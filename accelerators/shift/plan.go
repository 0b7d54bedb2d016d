package shift

import "github.com/causeway-sim/causeway/components/integer"

// A Product is Batch independent products of an M x K by a K x N matrix.
type Product struct {
	Name           string
	Batch, M, N, K int
	// Element and Sum are bytes of an operand's element and of a partial sum.
	Element, Sum int64
	// Stored: B exists before the product runs, as weights or a key/value cache.
	Stored bool
}

// A Machine is a chip of equal cores.
type Machine struct {
	Cores   int
	Memory  int64   // bytes per core
	Buffer  int64   // of it for what arrives
	Compute float64 // FLOP/s of a core; a multiply-accumulate is two
	Local   float64 // B/s of a core's memory
	Link    float64 // B/s into a core, and out of it
	Sync    float64 // s from a computation to the next shift, and from a shift to the next computation
}

// A Plan is one partition of a product over cores. Every factor but Slices is at least 1.
type Plan struct {
	Product
	Pb, Pm, Pn, Pk int // parts of Batch, M, N, K
	Fa, Fb         int // windows of the shared sub-matrices; they divide Pn and Pm
	// Slices, if not 0, is the computations along K of a plan without windows, each of which
	// loads its operands from a global memory made of all cores' memories; 0 is compute and
	// shift.
	Slices int
}

// A Tile is the share of a core: Batch products of M x K by K x N.
type Tile struct{ Batch, M, N, K int }

// Cores returns the cores that a plan uses.
func (p *Plan) Cores() int { return p.Pb * p.Pm * p.Pn * p.Pk }

// Steps returns the number of slabs along K, one per computation.
func (p *Plan) Steps() int {
	if p.Slices > 0 {
		return p.Slices
	}
	return p.Fa / integer.GCD(p.Fa, p.Fb) * p.Fb
}

// Step returns the tile of one step; its K is the step of the rotation. Sizes that do not divide
// are rounded up.
func (p *Plan) Step() Tile {
	return Tile{integer.Ceil(p.Batch, p.Pb), integer.Ceil(p.M, p.Pm), integer.Ceil(p.N, p.Pn), integer.Ceil(integer.Ceil(p.K, p.Pk), p.Steps())}
}

// Slabs returns the bytes of A and of B that one step computes with.
func (p *Plan) Slabs() (a, b int64) {
	t := p.Step()
	return int64(t.Batch) * int64(t.M) * int64(t.K) * p.Element, int64(t.Batch) * int64(t.K) * int64(t.N) * p.Element
}

// Windows returns the bytes of A and of B that a core keeps.
func (p *Plan) Windows() (a, b int64) {
	a, b = p.Slabs()
	if p.Slices > 0 {
		return a, b
	}
	return a * int64(p.Steps()/p.Fa), b * int64(p.Steps()/p.Fb)
}

// Results returns the bytes of sums that a core makes.
func (p *Plan) Results() int64 {
	t := p.Step()
	size := p.Element
	if p.Pk > 1 {
		size = p.Sum
	}
	return int64(t.Batch) * int64(t.M) * int64(t.N) * size
}

// Working returns Memory without the window of B.
func (p *Plan) Working(m *Machine) int64 {
	a, _ := p.Windows()
	return a + p.Results() + m.Buffer
}

// Memory returns the bytes of a core's memory that the plan takes.
func (p *Plan) Memory(m *Machine) int64 {
	_, b := p.Windows()
	return p.Working(m) + b
}

// Shift returns the bytes of A and of B that a core passes on after each step but the last.
func (p *Plan) Shift() (a, b int64) {
	a, b = p.Slabs()
	if p.Fa == 1 {
		a = 0
	}
	if p.Fb == 1 {
		b = 0
	}
	return a, b
}

// Shifted returns the bytes that a core passes on in all steps.
func (p *Plan) Shifted() int64 {
	a, b := p.Shift()
	return int64(p.Steps()-1) * (a + b)
}

// Partial returns the bytes of partial sums that a core sends to each of the Pk - 1 cores of the
// same result.
func (p *Plan) Partial() int64 {
	if p.Pk == 1 {
		return 0
	}
	t := p.Step()
	return int64(integer.Ceil(t.Batch*t.M*t.N, p.Pk)) * p.Sum
}

// computing is the time of one step's product.
func (p *Plan) computing(m *Machine) float64 {
	t := p.Step()
	a, b := p.Slabs()
	flops := 2 * float64(t.Batch) * float64(t.M) * float64(t.N) * float64(t.K)
	return max(flops/m.Compute, float64(a+b+int64(t.Batch)*int64(t.M)*int64(t.N)*p.Element)/m.Local)
}

// Time returns the seconds from the first step to the results. Computation and shifts do not
// overlap.
func (p *Plan) Time(m *Machine) float64 {
	a, b := p.Shift()
	n := float64(p.Steps())
	time := n * p.computing(m)
	if p.Slices > 0 {
		a, b = p.Slabs()
		time += n*(float64(a+b)/m.Link+m.Sync) + float64(p.Results())/m.Link
	} else if a+b > 0 {
		time += (n - 1) * (float64(a+b)/m.Link + m.Sync)
	}
	if p.Pk > 1 {
		time += float64(int64(p.Pk-1)*p.Partial())/m.Link + m.Sync
	}
	return time
}
