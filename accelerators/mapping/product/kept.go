package product

import "github.com/causeway-sim/causeway/accelerators/mapping/dma"

// A Kept is the operands and results of a product that stay on the chip.
type Kept struct {
	A, B, Bias, C bool
	Sides         int64  // of the operands as large as the results
	Which         uint64 // of the operands that are read as results leave
}

// Leave takes out of a traffic what does not move.
func (k *Kept) Leave(t *dma.Traffic) {
	if k.A {
		t.Ifmap = 0
	}
	if k.B {
		t.Filter = 0
	}
	t.Psum -= t.Output * k.Sides
	if k.C {
		t.Output = 0
	}
}
