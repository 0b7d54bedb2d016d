// Package tconv carries out transposed convolutions in three ways and counts what each
// does:
//
//   - InputOriented: one matrix product of all input pixels by all taps (MatMul), then
//     overlapping sums are added and what lies outside the output is cropped (col2im).
//   - ZeroInsertion: zeros between the input pixels, then a plain convolution; it
//     multiplies by the zeros.
//   - Scatter: as InputOriented, but products are only formed where they land inside the
//     output, and each is added at its place at once (MM2IM).
//
// A product of pixel i and tap k of one dimension lands inside iff
//
//	0 <= i x stride + k x dilation - padding < outputs
//
// The same rules are carried out on numbers by Compute, so that a test can hold the
// counts and the sums against the definition.
//
// Source: Haris, Cano, Accelerating Transposed Convolutions on FPGA-based Edge Devices,
// FPL 2025, arXiv 2507.07683. Streaming is the schedule of the author's later engine for
// a dataflow compiler (Xilinx finn-hlslib, mm2im_sched.hpp in a fork of his).
package tconv
