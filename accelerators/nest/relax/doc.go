// Package relax searches the mappings of a loop nest along derivatives. It has a relaxed cost of
// mappings, whose factors need not be whole, with the derivative of that cost by every factor.
//
//	best, report, err := search.Run(ctx, relax.Over(space, nil), search.Options{Algorithm: search.Gradient, Evaluations: 100})
//
// # Relaxed cost
//
// Variables are the logarithms of the factors that a space leaves open. Each number is carried as a
// dual: its value and its derivatives by all variables (forward mode). What moves is counted as in
// nest.Evaluate, and at whole factors it is the same:
//
//   - A loop that leaves a tile in place multiplies its fills only as far as a loop inside it moves
//     the tile. How far a loop turns goes smoothly from none at factor 1 to all at factor 2.
//   - What two tiles in a row share counts as far as no loop inside the one that moves them turns.
//   - Equal tiles are multicast, and sums are reduced on the way, as fan-outs do both.
//   - Cycles are a smooth maximum of compute, of every bandwidth and of the memory outside. The
//     maximum becomes sharper on the way and is one at whole factors.
//   - Memory outside takes the bytes, or the requests where runs of neighbours in memory are short.
//   - Energy is the sum over accesses, wires and leakage. It is not rounded to whole blocks.
//   - Capacities, fan-outs and largest factors are penalties on what exceeds them.
//
// # Search
//
// A start has random factors. Orders of loops leave one tensor after the other in place at each
// level; levels keep all tensors that they may, or random ones. Adam's steps follow the derivatives;
// factors are shares of the logarithm of a dimension's size, so that they multiply to it. Every
// other start chooses orders and kept tensors anew on the way. At the end every prime goes to the
// place that lacks most of its factor.
//
// Then primes, orders and kept tensors change one at a time, or in pairs, as long as the relaxed
// cost sinks. That takes values of the relaxed cost without derivatives, which search.Passes counts
// apart. nest.Evaluate judges the point to which this leads: that is one evaluation. Where it costs
// other than the relaxed cost says, some of its neighbours are evaluated too.
//
// Products of 72 layers (ResNet-50, BERT, RetinaNet before 25.6 bytes a cycle) show what each part
// gives; those of the best of 10,000 random mappings are 1.33, 1.48 and 1.42 times as high. Without
// the moves after rounding they are 1.16, 1.44 and 1.11 times as high, and 20 layers lose. Without
// the descent, from random factors rounded, they are 1.35, 1.45 and 1.41 times as high, and none
// loses: the exact relaxed cost and the moves do most of the work.
//
// # Sparse nests
//
// The relaxed cost of a nest that knows of zeros is that of the dense nest. It is a guide; the real
// cost of the point and of its neighbours decides.
//
// # Left out
//
// Imperfect factors. Fan-outs that forward inputs: their relaxed cost is without. The least
// utilization of a level: mappings that miss it are not proposed. Two spatial loops of one rank of
// a tensor count as if the longer step were a multiple of the shorter; three and more, and those of
// a tensor with a dimension in two ranks, count as different tiles. Memory outside: rows that a
// window cuts at an edge.
//
// # Sources
//
// Hong et al., DOSA: Differentiable Model-Based One-Loop Search for DNN Accelerators, MICRO 2023
// (derivatives of an analytic model by tiling factors; orders by stationary tensors; rounding). Kingma and Ba, Adam: A Method for Stochastic Optimization, ICLR 2015.
package relax
