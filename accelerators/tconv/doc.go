// Package tconv counts multiplications, additions and cycles of transposed convolutions by three
// lowerings (see ExampleOf):
//
//   - InputOriented: one matrix product of all input pixels by all taps (MatMul), then
//     overlapping sums are added and what lies outside the output is cropped (col2im).
//   - ZeroInsertion: zeros are inserted between input pixels, then a plain convolution multiplies
//     by the zeros too.
//   - Scatter: as InputOriented, but only products that land inside the output are formed, and
//     each is added to its output at once (MM2IM).
//
// In each dimension the product of pixel i and tap k lands inside the output iff
//
//	0 <= i x stride + k x dilation - padding < outputs
//
// Cycles are of a whole operator. Left out: memory, and loading of weights. Nothing here returns
// an error but UnmarshalText.
//
// Source: Haris, Cano, Accelerating Transposed Convolutions on FPGA-based Edge Devices, FPL 2025,
// arXiv 2507.07683. Streaming is the schedule of the author's later engine for a dataflow
// compiler (mm2im_sched.hpp in his fork of Xilinx finn-hlslib).
package tconv
