// Package dataflow lays matrix products over systolic arrays: which axis lies
// along the rows, which along the columns, which passes in time, and how many
// cycles one stationary tile (a fold) takes.
//
// Timing is physical. On an array of A rows and B columns a fold takes
//
//	os  T + A + B - 2        T = K: reduction in place
//	ws  A + (T + A + B - 2)  T = M: A cycles to load the weights, then streaming
//	is  A + (T + A + B - 2)  T = N: A cycles to load the inputs, then streaming
//	dip A + (T + A - 1)      T = M: as ws; all columns get their inputs at once
//
// Elements of S stages add S-1 cycles to a fold: the multiplier works in a pipeline,
// the adder in one cycle, so that a partial sum still moves on in every cycle.
// The package array pushes real matrices through the registers and takes as long.
//
// and the total is the plain sum. Edge folds that do not fill the array take as
// long as full ones: operands, weights and results always cross the whole
// array. OverlapPreload and OverlapDrain shorten a fold as described at Array.
//
// Left out: sparsity, stalls inside a fold (a fold starts when its operands are
// there), arrays whose fill can skip unused rows or columns.
//
// Sources: H. T. Kung, Why Systolic Architectures?, IEEE Computer 1982; Jouppi
// et al., ISCA 2017; Samajdar et al., SCALE-Sim, ISPASS 2020.
//
// Deviations
//
//  1. SCALE-Sim v3 has folds of the same length and counts one cycle less per
//     layer; here nothing is subtracted. The package accelerators/peers/scalesim gives
//     SCALE-Sim's own numbers.
package dataflow
