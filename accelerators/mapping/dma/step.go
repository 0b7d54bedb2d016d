package dma

import "github.com/causeway-sim/causeway/workloads/graph"

// A Transfer moves a region between memory and a buffer: Planes x Rows runs of
// RowBytes bytes. Runs follow each other by Rows, then by Planes.
type Transfer struct {
	Tensor      graph.TensorID // or Scratch
	Buffer      Buffer
	Offset      int64 // of the first run, in bytes within the tensor
	RowBytes    int64
	Rows        int64
	Stride      int64 // bytes between the starts of rows
	Planes      int64
	PlaneStride int64 // bytes between the starts of planes
}

// Bytes is the amount of data moved.
func (t *Transfer) Bytes() int64 { return t.RowBytes * t.Rows * t.Planes }

// Contiguous returns the transfer with runs that touch merged into longer ones.
func (t Transfer) Contiguous() Transfer {
	if t.Rows == 1 { // planes become the rows
		t.Rows, t.Stride, t.Planes = t.Planes, t.PlaneStride, 1
	}
	if t.Stride == t.RowBytes {
		t.RowBytes, t.Rows = t.RowBytes*t.Rows, 1
		if t.Planes > 1 {
			return t.Contiguous()
		}
	}
	return t
}

// A Step is the unit of overlap: all Loads must have arrived before it computes,
// its Stores leave when it has computed, and the loads of step i+1 may be issued
// once step i-1 has computed (their half of the buffers is free then).
//
// The slices belong to the Walker and hold until its next Next.
type Step struct {
	Loads  []Transfer // in DMA order
	Cycles int64      // of the array or the vector unit; 0 is possible
	MACs   int64
	Stores []Transfer
}
