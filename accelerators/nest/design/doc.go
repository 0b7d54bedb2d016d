// Package design reads and writes loop nests in Causeway's own form: a machine, a problem
// and a mapping.
//
//	word: 16bit
//	levels:
//	  - {name: DRAM}
//	  - {name: Buffer, capacity: 64KiB, read_bandwidth: 32word/cycle, fanout: {x: 8, y: 8, unroll_x: [M], unroll_y: [C]}}
//	  - {name: Registers, capacity: 64word}
//	compute: {name: MAC}
//	problem: {dims: {N: 256, M: 256, C: 128}}
//	mapping:
//	  - {level: DRAM, loops: [N 4, M 4]}
//	  - {level: Buffer, loops: [M 2, N 8, C 8], x: [M 8], y: [C 8]}
//	  - {level: Registers, loops: [N 8, M 4, C 2]}
//
// A node of kind spatial takes these keys as its own; a file may hold them too. Lists of
// loops read as the nest does, outermost first. The product of a level's fan-out is how
// many instances of what follows there are below one instance of it.
//
// # Problem
//
// Without tensors a problem is a convolution, whose dimensions are those of Timeloop and
// 1 where not given: N images, G groups, M filters and C channels of a group, P x Q
// outputs, R x S taps. A matrix product is one of N rows, M columns and a reduction over
// C; with G it is batched; a depthwise convolution has as many groups as channels. Its
// tensors are Weights, Inputs and Outputs. Other problems name their tensors and how
// they are indexed: 2*P + R.
//
// # Errors
//
// Everything wrong is reported at once, each at its place.
package design
