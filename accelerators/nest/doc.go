// Package nest counts what a loop nest does on a tree of storage levels: which words
// move between which levels, how long that takes and what energy it costs. It has no
// clock and no ports: one evaluation is arithmetic on one mapping and takes
// microseconds.
//
// A Problem is loop dimensions and tensors that are projections of them. An Arch is
// a list of storage levels, outermost first, with a fan-out from each to the next,
// down to compute. A Mapping gives every level loops, temporal and spatial, and says
// which tensors it keeps.
//
//	n, err := nest.New(&problem, &arch, nil, nest.Rules2024)
//	err = n.Legal(&mapping)
//	n.Evaluate(&mapping, &result)
//	result.Of(level, tensor).Actual.Reads
//
// # Counts
//
// All are per instance in use, in words.
//
//   - The tile of a level is what the loops at it and inside it touch of a tensor:
//     for each rank, the sum of coefficient x (extent - 1), plus 1.
//   - Fills: going outward from the level over temporal loops, those that do not move
//     the tile leave it where it is; the first that does changes it each time round,
//     and all loops further out do all of that again. What two tiles in a row share
//     is not fetched again: under Rules2024 if that loop is the innermost one above
//     the level, under Rules2025 always.
//   - Reads of a level are the fills below times the different tiles among the
//     instances below: equal tiles are multicast, tiles that overlap are not. The
//     levels of a fan-out that keep nothing multiply. Where a fan-out forwards, an input is
//     read as if all instances were one with a tile around theirs: neighbours pass on what
//     overlaps, and what the iteration before has brought.
//   - Compute takes one operand a cycle, also where that stays the same, unless a
//     fan-out lies between: then what stays is sent once.
//   - Outputs go up: updates are what comes from below, reads and temporal reductions
//     are updates less the elements that are there for the first time, and so are
//     fills. Nothing fills the outermost level.
//
// # Cycles and energy
//
// Compute takes the product of its temporal loops. A level takes as much longer as
// its words per cycle are over its bandwidth; reads, writes and both together have
// bandwidths of their own. The slowest level holds for all. Energy is accesses of
// whole blocks times the energy of each, plus leakage of the instances in use over
// all cycles.
//
// # Imperfect factors
//
// Factors may multiply to more than the size of a dimension: its last tile is then
// cut short. Extents and trips are averages, which keep totals exact: the points of
// the nest, and the traffic of tensors whose ranks have one dimension each.
//
// # Sparse tensors
//
// As Sparseloop does: counts of the dense machine are algorithmic. A compressed format
// leaves out what is empty; its metadata is traffic of its own. Gating and skipping
// (Saving) leave out what goes with an empty tile of a leader. A distribution says how
// likely a tile is empty. What is gated takes its cycle, what is skipped does not.
//
// # Left out
//
// Energy of networks but their wires, of forwarding and of adders on the way, skipping whole instances,
// gating at compute, banks, instances of unlike size.
//
// # Deviations
//
//  1. Inside a level that gates or skips, a further saving leaves metadata reads as
//     they are; Timeloop sets them to the metadata updates, which for inputs are none.
//  2. Timeloop rounds counts of imperfect mappings to whole words, level by level;
//     here they are averages over the instances in use.
//
// # Sources
//
// Parashar et al., Timeloop: A Systematic Approach to DNN Accelerator Evaluation,
// ISPASS 2019. Wu et al., Sparseloop: An Analytical Approach to Sparse Tensor
// Accelerator Modeling, MICRO 2022. Horeni et al., Ruby: Improving Hardware Efficiency
// for Tensor Algebra Accelerators Through Imperfect Factorization, ISPASS 2022.
package nest
