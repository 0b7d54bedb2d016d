// Package scalesim counts a layer on a systolic array exactly as SCALE-Sim v3
// does, with every quirk the tool has.
//
// It is arithmetic on an Array and a Layer: no clock, no ports, no limit of memory bandwidth.
// Compute gives the compute, SRAM and utilisation columns of the tool's reports by walking the
// folds of the dataflow. DRAM adds the DRAM columns and the cycles with prefetch of the tool's
// CALC mode, in which bandwidth is a result and never a limit. Both return every figure of
// COMPUTE_REPORT, BANDWIDTH_REPORT and DETAILED_ACCESS_REPORT bit for bit; see Example.
//
// The tool writes the whole demand into matrices. This package visits only the drains of the
// write buffer and the swaps of the read buffers' halves. It walks the demand, in runs of
// neighbouring channels, only for an ifmap that does not fit into half of the SRAM and whose
// windows overlap or hang over the edge.
//
// # How the tool counts
//
// M is the ofmap pixels, N the filters, K the window (filter height x width x channels). See plan
// for what lies in space and what in time. Row folds run inside column folds and never overlap.
// Output stationary streams both operands skewed, then shifts the results out, bottom row first.
// Weight and input stationary shift in the stationary tile, bottom row first, through the whole
// array, then stream the other operand skewed, then collect the sums.
//
// One half of a read SRAM serves while the other is filled. Sizes count in sets of one hundredth
// of the SRAM, rounded down; a half is 50 sets. The first half is fetched at 10 words per cycle
// and is complete one cycle before the first request, or before cycle 0 if all fits. Every later
// half is fetched while the one before it serves. Results drain at one word per array column and
// cycle.
//
// Rules and figures are those of github.com/scalesim-project/SCALE-Sim at
// commit 1d62b68, read and run; testdata holds the figures.
//
// # Left out
//
// USER bandwidth, Ramulator traces, custom layouts, row-wise sparsity (OptimizedMapping), and the
// traces. Storage has the columns of SPARSE_REPORT. Operand offsets are taken as other than 0 for
// the filter, as in every configuration that the tool ships: with 0, pruning mistakes the word at
// address 0 for a hole.
//
// # Degenerate layers
//
// A filter larger than its ifmap, or a dimension or stride below 1, makes the tool stop
// (assertion, division by zero); here it is an error. So are a layer of one multiplication on an
// array of one cell (Total Cycles 0), an SRAM under 100 words (sets of 0 words), and two swaps of
// an SRAM within one cycle, which happen when half the SRAM is smaller than about one array edge:
// the tool divides by a window of zero cycles. A stride that does not divide is no error, see 4.
//
// # Deviations
//
// These are deviations of the tool from the hardware, reproduced on purpose. The right count is
// given where it is clear.
//
//  1. Cycles is the index of the last demand line, one less than the number of
//     lines. A network's sum lacks one cycle per layer.
//  2. An edge fold costs a full fold: array height and width set fill and drain, not the part in
//     use. Unused rows are loaded too.
//  3. Folds never overlap: no second weight buffer, no drain after the next
//     fold.
//  4. The ofmap is ceil((H-R+stride)/stride) high, one more than fits when the stride does not
//     divide H-R. Words that hang over are not read from DRAM, but count as SRAM reads and as
//     multiplications.
//  5. Output stationary adds rows+cols to the ofmap writes of every fold. The
//     right count is M*N.
//  6. Compute utilisation divides by a fold length that, for weight and input
//     stationary, has cols-1 lines too many. Utilisations are means over folds,
//     summed in floating point in order of the folds; the order is kept, so
//     that the last digit is equal.
//  7. With pruning N:M the first N of every M window elements are kept, but utilisation still
//     divides the dense multiplications. Only weight stationary multiplies ifmap reads by M/N; a
//     fraction of a read is dropped in IfmapReads and kept in IfmapBandwidth.
//  8. When the halves of a read SRAM swap, all of the old half is dropped, also words that the
//     next fold reads again.
//  9. The first half costs ceil(sets*set/10) cycles, whole sets, however few
//     words the last set holds; Bandwidth divides the words by that time.
//  10. Reads stop one cycle after the last swap, not when the last words are used, and the last
//     fetch has the window of a full one.
//  11. The bandwidth that a fetch needs is compared with no limit, so nothing stalls.
//  12. A drain of the ofmap SRAM closes the line that is being filled. When
//     several lines drain, only the last is corrected for missing words, so
//     DRAM writes can exceed M*N, and the free space can exceed the SRAM.
//  13. Weight and input stationary write every partial sum of every row fold to
//     DRAM, and never read one back.
//  14. The last drain starts with the last line, even while an earlier drain
//     still runs.
package scalesim
