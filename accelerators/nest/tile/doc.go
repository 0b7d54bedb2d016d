// Package tile turns the loops of a nest outside the chip into steps of a DMA engine:
// what is loaded, how long the nest inside computes, what is stored.
//
// One step is one iteration of the loops of the outermost level. A tensor is fetched when
// a loop that moves its tile turns, as package nest counts it: halos that follow each
// other are not fetched again where the rules keep them; sums that are not complete
// leave for scratch memory at the width of the accumulator and come back. So the words
// that all steps load and store are the reads and updates of the outermost level, but
// for padding, which is no data.
//
// A tensor that the next level bypasses is fetched in every step in which a loop that
// moves it turns further in, as often as the nest counts: the tile of the step is gone
// through that many times.
//
// Of sparse tensors each step moves its part of what the nest counts, metadata included, and
// computes for its part of the cycles: where zeros lie is not known.
//
// # Left out
//
// Imperfect factors. When inside a step words arrive that the step needs late: all of
// them arrive before it computes. Results leave after it.
package tile
