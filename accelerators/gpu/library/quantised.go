package library

import "github.com/causeway-sim/causeway/accelerators/gpu/kernel"

// Quantised is the cost of a product whose activations are of its type already: the kernel before it
// wrote them so, as engines have it that fuse norms and activations with quantising.
func (l *Library) Quantised(c *Chip, p Product) (kernel.Cost, bool) {
	p.Quantised = true
	return l.GEMM(c, p)
}
