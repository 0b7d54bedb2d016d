// Package dco is the replacement policy dco: it ranks the lines of a cache by what the
// dataflow says of their tensors, or by what their streams have shown.
//
// The paper's three mechanisms, with rules of our own. From the paper: software tells
// a unit at the cache of its tensors; on what that unit holds stand dead-block
// prediction, self-adapting protection against thrashing and dynamic bypass, which
// work together, for cores that share data and for those that do not. Ours: all
// below. How the paper's unit tells that data are dead, what it protects and when it
// bypasses was not read (deviation 1).
//
// All lines are ranked by one number: hits per time that the way is taken, at best.
//
// A line belongs to the stream of its last access: PC, core and direction, or,
// if its tensor is described, PC, kind, size and direction, and the core only
// where tensors are shared. Within a stream there are four classes, by the uses
// since the fill. In 32 sampled sets, or as many as have 512 lines, dco watches
// after how many accesses to the set a line of each class is used again, lines that wait still included,
// and makes of it the chance of a use at each age. The rank of a line at its age
// is the best ratio, over all times to give up, of the chance of a hit until then
// to the expected time until then (Gittins' index). It is recomputed every few
// thousand accesses. From it follow:
//
//   - anti_thrash: of a stream that comes back after longer than the cache holds,
//     the young lines are the ones farthest from their use. They go, the old stay.
//     Where chances fall with age the rank is LRU.
//   - dead_block: tiles that have had all accesses that their descriptor expects
//     go first; so do lines of write-once tensors, and lines of streams of which
//     less than one in 64 was used again.
//   - bypass: a line whose rank is below that of all lines of its set is not
//     filled. A line that other cores are about to read has a high rank, since its
//     stream carries the core: followers are not bypassed.
//
// Every choice is watched. For each set dco keeps the lines that LRU would hold
// there. A line that LRU holds and the cache does not is exposed: only on those can
// LRU ever win. Choices that expose a line are made while no more lines are exposed
// than dco has won over LRU, plus two per 1024 accesses, plus trust; else the victim
// is the line of the lowest rank among those that LRU does not hold, which gives
// nothing away. So whatever comes, at any time, dco has lost no more than 0.00196 of
// the accesses to LRU, and trust.
//
// Trust is what lets dco begin, for lines of streams that LRU hardly ever keeps until
// their use (less than one in 128, seen in the sampled sets). It is 0 but in these
// cases:
//
//   - as many lines as 7/8 of those of the sampled sets, and no less than 448, came
//     back after LRU had given them up, a fair share of them of that stream, and LRU
//     has hit an old line, of the older half of its set, in less than one of 1024
//     accesses: a cycle that does not fit, seen for nearly a cache's size of its
//     second pass. Then trust is 0.086 of the accesses, and at most 7/16 of the cache.
//   - lines of a described tensor come back when all of it has been used, as its
//     bytes and sharers say, hardly any at another time: trust is 0.375 of the
//     accesses, and at most the cache.
//   - descriptors say that lines are dead, and 32 such lines left LRU without a use:
//     the same.
//
// It ends at once when a stream surprises: when LRU hits one of its lines, or two lines
// are new, or come back an eighth earlier or later than the mean; eight lines as
// expected restore it.
// Once hits are lost on the whole, trust shrinks by 16 lines for each.
//
// In sets of more than 64 ways nothing is risked on trust, and each victim is the best
// of 64.
//
// It leaves out what the paper says beyond its abstract (deviation 1).
//
// # Deviations
//
//  1. dco is a reconstruction from the paper's abstract and the beginning of its
//     introduction; no more of the text could be reached.
//  2. dco can be below LRU by more than 0.002: without descriptors by 0.088 of the
//     accesses at most, and no more than 0.00196 of them and 7/16 of the lines of the
//     cache; with descriptors by 0.377; in sets of more than 64 ways by 0.00196. No policy keeps within 0.002 on every trace
//     and learns to hit 230,400 times in 16 passes over twice a cache of 16,384 lines
//     (fa_mha4), as dco does: it hits 202,638 times at most; and if it does, some
//     trace has it 0.0246 below LRU. For what hits in the k-th stretch of a cache's
//     size must be there, and LRU's lines not, when that begins, and the trace may
//     turn to just those (memory/policy/dco_floor_test.go). Of 8,000 random traces made to hurt
//     (phases of cycles that turn back, random stack distances, drifting windows,
//     wrong descriptors, of 2 to 50 times the cache) 6 lose more than 0.002, the worst
//     0.007; of 2,000 that are mostly cycles 11, the worst 0.022.
//     Those that were looked at begin like fa_mha4, with a cycle, and then turn back.
package dco
