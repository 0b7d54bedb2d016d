// Package scalesim counts a layer on a systolic array exactly as SCALE-Sim v3
// does, with every quirk the tool has.
//
// It is arithmetic on an Array and a Layer: no clock, no ports, and no memory
// that limits. Compute gives the compute, SRAM and utilisation columns of the
// tool's reports by walking the folds of the dataflow. DRAM adds the DRAM
// columns and the cycles with prefetch of the tool's CALC mode, in which
// bandwidth is a result and never a limit. Both return every figure of
// COMPUTE_REPORT, BANDWIDTH_REPORT and DETAILED_ACCESS_REPORT bit for bit; see
// Example.
//
// Where the tool writes the whole demand into matrices, this package only
// visits what changes the result: a write buffer moves from drain to drain, a
// read buffer from one full half to the next. Only an ifmap whose windows
// overlap, or hang over the edge, and whose words do not fit into half of the
// SRAM, is walked: by runs of neighbouring channels, with one number pair each.
//
// # How the tool counts
//
// M is the ofmap pixels, N the filters, K the window (filter height x width x
// channels). See plan for what lies in space and what in time. Row folds run
// inside column folds and never overlap. Output stationary streams both
// operands skewed and then shifts the results out, bottom row first. Weight and
// input stationary load the tile that stays, bottom row first, through the
// whole array, then stream the other operand skewed, then take the sums.
//
// One half of a read SRAM serves while the other is filled. Sizes count in sets
// of one hundredth of the SRAM, rounded down; a half is 50 sets. The first half
// is fetched at 10 words per cycle and is there one cycle before the first
// request, or before cycle 0 if all fits. Every later one is fetched while the
// half before it serves. Results drain at one word per array column and cycle.
//
// Rules and figures are those of github.com/scalesim-project/SCALE-Sim at
// commit 1d62b68, read and run; testdata holds the figures.
//
// # Left out
//
// USER bandwidth, Ramulator traces, custom layouts, row-wise sparsity
// (OptimizedMapping), and the traces. Storage has the columns of SPARSE_REPORT.
// Operand offsets are taken as other than 0 for the filter, as in every
// configuration that the tool ships: with 0, pruning takes the word at address
// 0 for a hole.
//
// # Degenerate layers
//
// A filter larger than its ifmap, or a dimension or stride below 1, makes the
// tool stop (assertion, division by zero); here it is an error. So is a layer
// of one multiplication on an array of one cell (Total Cycles 0), an SRAM under
// 100 words (sets of nothing), and an SRAM half that is asked for twice within
// one cycle, which happens when half the SRAM is smaller than about one array
// edge: the tool divides by a window of zero cycles. A stride that does not
// divide is no error, see 4.
//
// # Deviations
//
// These are the tool's, kept on purpose; the right count is named where it is
// clear.
//
//  1. Cycles is the index of the last demand line, one less than the number of
//     lines. A network's sum lacks one cycle per layer.
//  2. An edge fold costs a full fold: array height and width set fill and
//     drain, not the part in use. Unused rows are loaded too.
//  3. Folds never overlap: no second weight buffer, no drain after the next
//     fold.
//  4. The ofmap is ceil((H-R+stride)/stride) high, one more than fits when the
//     stride does not divide H-R. Words that hang over are not asked of DRAM,
//     but count as SRAM reads and as multiplications.
//  5. Output stationary adds rows+cols to the ofmap writes of every fold. The
//     right count is M*N.
//  6. Compute utilisation divides by a fold length that, for weight and input
//     stationary, has cols-1 lines too many. Utilisations are means over folds,
//     summed in floating point in order of the folds; the order is kept, so
//     that the last digit is equal.
//  7. With pruning N:M the first N of every M window elements are kept, but
//     utilisation still divides the dense multiplications. Only weight
//     stationary multiplies ifmap reads by M/N; a fraction of a read is cut
//     from IfmapReads here and kept in IfmapBandwidth.
//  8. When half of a read SRAM is full all of it is forgotten, also words that
//     the next fold asks for again; there is no reuse across a turn.
//  9. The first half costs ceil(sets*set/10) cycles, whole sets, however few
//     words the last set holds; Bandwidth divides the words by that time.
//  10. Reads stop one cycle after the last turn, not when the last words are
//     used, and the last fetch has the window of a full one.
//  11. A half that would need words faster than they are used gets them: the
//     needed bandwidth is never compared with any limit, and nothing stalls.
//  12. A drain of the ofmap SRAM closes the line that is being filled. When
//     several lines drain, only the last is corrected for missing words, so
//     DRAM writes can exceed M*N, and the free space can exceed the SRAM.
//  13. Weight and input stationary write every partial sum of every row fold to
//     DRAM, and never read one back.
//  14. The last drain starts with the last line, even while an earlier drain
//     still runs.
package scalesim
