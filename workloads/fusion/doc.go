// Package fusion plans layer-fused, depth-first execution: it cuts operators into tiles of rows
// that pass from core to core through a scratchpad. It plans before a run and has no clock. Sizes
// are in bytes.
//
// A unit is an operator with the operators fused to its results. A group of units is fused: its
// last units compute their rows part by part, and every other unit computes the rows that the next
// units need, as late as possible. A piece is one such part of a unit. Results inside a group stay
// in the scratchpad from the piece that writes them to the last piece that reads them. Other
// results go through memory, or also stay if there is room (Options.Keep).
//
//	units := fusion.Each(g)
//	p, err := fusion.New(g, units, fusion.Cuts(len(units), 4, 9), o) // groups [0,4), [4,9), ...
//	p.Graph      // an operator per piece and operator
//	p.Place      // where each of its tensors lies
//	p.Before     // who waits for whom, besides what the graph says
//
// Windows of convolutions overlap. With halo keep, rows that the next piece also needs stay; with
// recompute, every piece computes all its rows, some of them twice. Matrices that every piece of a
// unit reads whole (weights, keys, values) are read from memory once and stay in the scratchpad if
// there is room (resident), or are read by every piece (stream).
//
// # Capacity
//
// New assigns addresses such that pieces whose lifetimes overlap share no byte; if they do not fit
// the error has the missing bytes. Cores may execute pieces in another order and in parallel.
// Therefore a piece that reuses bytes waits until all readers of the old content are done
// (Plan.Before). Waits go only from later to earlier pieces, so there is no deadlock.
// Options.Depth is the number of pieces of a unit with separate bytes, so that cores can work
// ahead.
//
// # Search
//
// Search finds cuts of the order of units into groups with few bytes to and from memory, by
// dynamic programming over cuts and local search. Exhaustive tries all cuts.
//
// # Left out, assumed
//
//   - Rows are cut, columns and channels are not. Operators that need all rows (a group
//     norm, the keys of an attention) are one piece, or wait for all pieces.
//   - Rows of a tensor lie together in memory (layout NHWC): a window is one run of bytes.
//     Rows that stay from the piece before are read at the address of the new ones.
//   - Resident matrices reach the scratchpad with the reads of the first piece, without separate
//     requests.
//
// Source: Alwani et al., Fused-layer CNN accelerators, MICRO 2016; Mei et al., DeFiNES,
// HPCA 2023; Symons et al., Stream, ISPASS 2023.
package fusion
