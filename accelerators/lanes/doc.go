// Package lanes models an engine of multiplier lanes, as in CNN accelerators on FPGAs: node kind
// lanes. In each cycle the engine multiplies Width input channels of one position by the weights
// of Lanes filters; each lane accumulates one partial sum. An operator takes
//
//	max(turns over filters x turns over channels x positions x taps, bytes / memory) + overhead
//
// cycles. Package tconv has the three ways of transposed convolutions: only products that land in
// the output (scatter), all products and then sums (input_oriented), or a convolution over
// inserted zeros (zero_insertion). Partial sums that do not fit the buffer are written to memory
// and read back.
//
//	{name: Core, kind: lanes, lanes: 16, width: 16, clock: 200MHz, memory: 4GB/s, transposed: scatter}
//
// With skip the lanes skip operands that are zero or small (package skip). Lanes wait for each
// other at every turn, after each position, or at the end of an operator:
//
//	{name: Core, kind: lanes, skip: {inputs: {name: half_normal, zeros: 0.44, threshold: 0.3}, sync: position}}
//
// A fused attention (workload: {attention: fused}) streams: rows of scores pass from the first
// product through a softmax of one operation per lane and cycle to the second product, without
// memory traffic. It takes the longest of both products, the softmax, and the memory traffic.
//
// device: u280 counts FPGA resources (package fpga). An engine that does not fit is an error.
//
// timing: streaming is the schedule of a later engine of MM2IM's author. It is for transposed
// convolutions only.
//
// Sources: Haris, Cano, MM2IM, FPL 2025, arXiv 2507.07683 (transposed convolutions);
// Umuroglu et al., FINN, FPGA 2017 (lanes called PE, width called SIMD).
//
// Left out: loading of weights into the lanes, buffer ports, links to other memories (the
// bandwidth is the node's own), energy.
package lanes
