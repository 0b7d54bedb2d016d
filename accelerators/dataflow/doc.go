// Package dataflow computes the cycles of matrix products on systolic arrays. A Dataflow
// maps one axis of the product to the rows of the array, one to its columns and one to
// time. A Timing gives the cycles of its stationary tiles (folds). See ExampleDims.
//
// Timing is physical. On an array of A rows and B columns a fold takes
//
//	os  T + A + B - 2        T = K: reduction in place
//	ws  A + (T + A + B - 2)  T = M: A cycles to load the weights, then streaming
//	is  A + (T + A + B - 2)  T = N: A cycles to load the inputs, then streaming
//	dip A + (T + A - 1)      T = M: as ws; all columns get their inputs at once
//
// cycles, and an operator takes the sum over its folds. An edge fold takes as long as a
// full one: operands, weights and results always cross the whole array. OverlapPreload
// and OverlapDrain of Array shorten a fold. Multipliers of S pipeline stages add S-1
// cycles to a fold; the adder takes one cycle, so a partial sum moves on in every cycle.
//
// The package array computes the same cycles by moving values through registers.
//
// Left out: sparsity, stalls inside a fold (its operands are on the chip when it starts),
// arrays whose fill skips unused rows or columns.
//
// Sources: H. T. Kung, Why Systolic Architectures?, IEEE Computer 1982; Jouppi
// et al., ISCA 2017; Samajdar et al., SCALE-Sim, ISPASS 2020.
//
// Deviations
//
//  1. SCALE-Sim v3 has folds of the same length and counts one cycle less per layer;
//     here nothing is subtracted. accelerators/peers/scalesim gives SCALE-Sim's numbers.
package dataflow
