// Package lanes is an engine of multiplier lanes, as CNN accelerators on FPGAs are built:
// kind lanes. In each cycle it takes Width input channels of one position and multiplies
// them by the weights of Lanes filters; each lane adds its products up and keeps one
// partial sum. An operator takes
//
//	max(turns over filters x turns over channels x positions x taps, bytes / memory) + overhead
//
// cycles. Transposed convolutions are carried out as package tconv says: products only
// where they land in the output (scatter), all of them with sums added afterwards
// (input_oriented), or between inserted zeros (zero_insertion). Partial sums that do not
// fit the buffer go to memory and come back.
//
//	{name: Core, kind: lanes, lanes: 16, width: 16, clock: 200MHz, memory: 4GB/s, transposed: scatter}
//
// With skip: the lanes pass over operands that are zero or small, as package skip says.
// They wait for each other at every turn, when a position is done, or at the end of an
// operator:
//
//	{name: Core, kind: lanes, skip: {inputs: {name: half_normal, zeros: 0.44, threshold: 0.3}, sync: position}}
//
// An attention as one operator (workload: {attention: fused}) streams: rows of scores go
// from one product through a softmax of one operation per lane and cycle to the next product,
// and never to memory. It takes max(both products, softmax, bytes).
//
// device: u280 counts what the engine takes of an FPGA (package fpga), and refuses what it
// lacks.
//
// timing: streaming is the schedule of the later engine of the same author, for
// transposed convolutions alone.
//
// Sources: Haris, Cano, MM2IM, FPL 2025, arXiv 2507.07683 (transposed convolutions);
// Umuroglu et al., FINN, FPGA 2017 (lanes called PE, width called SIMD).
//
// Left out: how the weights of a filter group reach the lanes (they are there), ports of
// buffers, links to other memories (the bandwidth is the node's own), energy.
package lanes
