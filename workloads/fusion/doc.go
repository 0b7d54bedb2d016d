// Package fusion cuts operators into tiles of rows that flow from core to core through a
// scratchpad: layer-fused, depth-first execution. It decides before a run, and has no
// clock.
//
// Operators that are carried out together (an operator and what is fused to its results)
// are a unit. A group of units is fused: its last units are asked for their rows part by
// part, and every unit makes the rows that the next ones need, as late as possible. A
// piece is one such part. Results inside a group live in the scratchpad from the piece
// that makes them to the last one that reads them; the others go through memory, or stay
// as well where there is room (Options.Keep).
//
//	units := fusion.Each(g)
//	p, err := fusion.New(g, units, fusion.Cuts(len(units), 4, 9), o) // groups [0,4), [4,9), ...
//	p.Graph      // an operator per piece and operator
//	p.Place      // where each of its tensors lies
//	p.Before     // who waits for whom, besides what the graph says
//
// Windows of convolutions overlap: with Halo keep rows that the next piece needs again
// stay; with recompute every piece makes all rows that it needs, some of them twice.
// Matrices that every piece of a unit needs all of (weights, keys, values) are read from
// memory once and stay in the scratchpad for its other pieces where there is room
// (resident), or are read by every piece (stream).
//
// # Capacity
//
// New gives every piece an address such that no two whose lifetimes overlap in the order
// of the pieces share a byte, or says what is missing. Cores may carry pieces out in
// another order and at once: a piece that gets bytes that were another's waits until all
// readers of that one are done (Before). That is the back-pressure, and with it the proof
// holds for every execution: a piece that writes to a byte comes after all that read what
// was there. All waits go from later pieces to earlier ones, so nothing waits in a circle.
// Options.Depth is how many pieces of a unit have bytes of their own, for cores to work
// ahead.
//
// # Search
//
// Search looks for the cuts of the order of units into groups with the least bytes to and
// from memory, by dynamic programming over cuts and local search; Exhaustive tries all.
//
// # Left out, assumed
//
//   - Rows are cut, columns and channels are not. Operators that need all rows (a group
//     norm, the keys of an attention) are one piece, or wait for all pieces.
//   - Rows of a tensor lie together in memory (layout NHWC): a window is one run of bytes.
//     Rows that stay from the piece before are read at the address of the new ones.
//   - What the first piece of a unit reads of such matrices reaches the scratchpad on the way,
//     without requests of its own.
//
// Source: Alwani et al., Fused-layer CNN accelerators, MICRO 2016; Mei et al., DeFiNES,
// HPCA 2023; Symons et al., Stream, ISPASS 2023.
package fusion
