// Package dco is the replacement policy dco. It ranks the lines of a cache by the dataflow's
// descriptions of their tensors, or by the past of their streams. Importing it adds dco to
// policy.All, so that policy.New("dco", geometry, spec) makes one or returns an error. It has no
// clock.
//
// It has the paper's three mechanisms with rules of our own. From the paper: software describes
// its tensors to a unit at the cache, which has dead-block prediction, self-adapting protection
// against thrashing, and dynamic bypass, for cores with and without shared data. The paper's
// rules for each were not read (deviation 1); all rules below are ours.
//
// The rank of a line is its best ratio of expected hits to occupied time.
//
// A line belongs to the stream of its last access: PC, core and direction; or, if its tensor is
// described, PC, kind, size and direction, and the core only if tensors are shared. A stream has
// four classes, by uses since the fill. In 32 sampled sets, or in as many as have 512 lines, dco
// measures after how many accesses to the set a line of each class is used again, unused lines
// included, and derives the chance of a use at each age. The rank at an age is the maximum, over
// all times of eviction, of the chance of a hit until then over the expected time until then
// (Gittins' index). It is recomputed every few thousand accesses. The mechanisms follow from it:
//
//   - anti_thrash: in a stream whose reuse distance exceeds the cache, young lines are the
//     farthest from their use, so they are evicted and old ones stay. If chances fall with age,
//     the rank is that of LRU.
//   - dead_block: the first victims are tiles with all accesses that their description expects,
//     lines of write-once tensors, and lines of streams of which less than one in 64 was used
//     again.
//   - bypass: a line whose rank is below that of all lines of its set is not filled. A line that
//     other cores will read soon has a high rank, since streams differ by core, and is not
//     bypassed.
//
// The loss against LRU is bounded. For each set dco keeps the lines that LRU would hold. A line
// that LRU holds and the cache does not is exposed; LRU can gain only on exposed lines. dco
// exposes a line while the number of exposed lines is at most its gain over LRU, plus two per
// 1024 accesses, plus trust. Otherwise the victim is the line of the lowest rank among those that
// LRU does not hold. So at any time dco has lost at most 0.00196 of the accesses to LRU, plus
// trust.
//
// Trust allows dco to start, for lines of streams that LRU keeps until their use in less than one
// of 128 cases in the sampled sets. It is 0 except in these cases:
//
//   - lines used again after LRU had evicted them number at least 7/8 of the lines of the sampled
//     sets and at least 448, enough of them of that stream, and LRU hits a line of the older half
//     of its set in less than one of 1024 accesses: a cycle larger than the cache, seen for
//     nearly a cache's size of its second pass. Then trust is 0.086 of the accesses, and at most
//     7/16 of the cache.
//   - lines of a described tensor are used again after the whole tensor was used, by its bytes
//     and sharers, and hardly any at another time: trust is 0.375 of the accesses, and at most
//     the cache.
//   - descriptions mark lines as dead, and LRU evicted 32 such lines without a use: the same
//     trust.
//
// Trust ends at once when LRU hits a line of the stream, or when two of its lines are new or are
// used an eighth earlier or later than the mean; eight lines as expected restore it. When hits
// are lost in total, trust shrinks by 16 lines for each.
//
// In sets of more than 64 ways trust is 0, and each victim is the best of 64.
//
// Left out: the paper beyond its abstract (deviation 1).
//
// # Deviations
//
//  1. dco is a reconstruction from the paper's abstract and the beginning of its
//     introduction; no more of the text could be reached.
//  2. dco can be below LRU by more than 0.002: without descriptors by 0.088 of the accesses at
//     most, and no more than 0.00196 of them and 7/16 of the lines of the cache; with descriptors
//     by 0.377; in sets of more than 64 ways by 0.00196. No policy keeps within 0.002 on every
//     trace and learns to hit 230,400 times in 16 passes over twice a cache of 16,384 lines
//     (fa_mha4), as dco does: it hits 202,638 times at most; and if it does, some trace has it
//     0.0246 below LRU. For lines that hit in the k-th stretch of a cache's size must be in the
//     cache, and LRU's lines not, when the stretch begins, and the trace may then use just LRU's
//     lines (memory/policy/dco_floor_test.go). Of 8,000 random traces made to hurt (phases of
//     cycles that turn back, random stack distances, drifting windows, wrong descriptors, of 2 to
//     50 times the cache) 6 lose more than 0.002, the worst 0.007; of 2,000 that are mostly
//     cycles 11, the worst 0.022. The losing traces that were inspected begin with a cycle, like
//     fa_mha4, and then turn back.
package dco
