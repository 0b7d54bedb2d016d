// Package policy decides which line a cache set gives up, and whether a new line
// comes in at all.
//
// A policy is plain state in flat arrays: no clock, no allocation per access,
// the same object in a functional and in a timed cache. All lists them; New
// makes one:
//
//	p, err := policy.New("srrip", policy.Geometry{Sets: 1024, Ways: 16}, nil)
//
// What an access may carry is in Access. Most policies look at nothing but set
// and way; ship, shippp, hawkeye and mockingjay want the PC, opt and opt_bypass
// the next use, which the driver of a trace finds in a pass before. dco is told
// of tensors by Geometry.Tensors and Access.Tensor, or learns.
//
// To add a policy write one file whose init calls All.Add. The contract tests
// find it.
//
// # dco
//
// The paper's three mechanisms, with rules of our own. From the paper: software tells
// a unit at the cache of its tensors; on what that unit holds stand dead-block
// prediction, self-adapting protection against thrashing and dynamic bypass, which
// work together, for cores that share data and for those that do not. Ours: all
// below. How the paper's unit tells that data are dead, what it protects and when it
// bypasses was not read (deviation 5).
//
// All lines are ranked by one number: hits per time that the way is taken, at best.
//
// A line belongs to the stream of its last access: PC, core and direction, or,
// if its tensor is described, PC, kind, size and direction, and the core only
// where tensors are shared. Within a stream there are four classes, by the uses
// since the fill. In up to 32 sampled sets dco watches after how many accesses to
// the set a line of each class is used again, lines that wait still included,
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
// Every choice is watched. Beside each set dco keeps the lines that LRU would hold
// there. A line that LRU holds and the cache does not is exposed: only on those can
// LRU ever win. Choices that expose a line are made while no more lines are exposed
// than dco has won over LRU, plus one per 1024 accesses, plus trust; else the victim
// is the line of the lowest rank among those that LRU does not hold, which gives
// nothing away. So whatever comes, dco never has fewer hits than LRU less one per
// 1024 accesses less the trust, which is never more than the lines of the cache.
//
// Trust is what lets dco begin. It is for lines of classes that LRU hardly ever
// keeps until their use (less than one in 128, of at least 192 seen in the sampled
// sets): the 14th part of the cache, and what dco without limits would have won in
// the sampled sets, or all where the tensor is described. Without descriptors, and
// where LRU hits lines of the older half of its sets (more than one access in 1024),
// it is one line per 1024 accesses at most: such a trace may go back to them. Lines that their
// descriptor says are dead are risked until that is seen to be wrong. Once hits are
// lost trust shrinks by 16 lines for each.
//
// Sets of more than 64 ways are not watched, and each victim is the best of 64.
//
// Left out: prefetches and write-backs are not told apart from other accesses.
//
// Sources: those of each entry. Parameters that papers leave open are those of
// the published code (ChampSim, its fork Hermes, the code of Mockingjay).
//
// Deviations
//
//  1. dip and drrip lead in the sets with set%32 = 0 and 1, with a counter that
//     starts at 512; ChampSim's DRRIP draws 32 sets for each per core and starts
//     at 0. Its hits differ by up to 0.09 of the accesses on the reference
//     traces.
//  2. The sampler of hawkeye is indexed by line mod 2800 / 8, as the published
//     code works out, which its macro for the number of sets hides.
//  3. shippp has no prefetches, and treats a write as a write-back.
//  4. mockingjay tells PCs apart by core only with Geometry.Cores above 1, as its
//     code does by NUM_CPUS. The reference figures were taken with 1, on traces of
//     4 cores too.
//  5. dco is a reconstruction from the paper's abstract and the beginning of its
//     introduction; no more of the text could be reached.
//  6. dco can lose more than 0.002 of the accesses to LRU on a trace of less than a
//     thousand times the lines of the cache. Nothing can do better and win what dco
//     wins: who wants 15/16 of what can be had of 16 passes over twice the cache has
//     to give up, at the latest in the second pass, lines that LRU holds, having won
//     nothing yet; and a trace may go back to just these. Of 1,800 random traces made
//     to hurt (phases of cycles that turn back, random stack distances, drifting
//     windows, wrong descriptors, of 4 to 150 times the cache) 20 lose more than
//     0.002. The worst loses 0.044, by wrong descriptors on 5 times the cache; two in
//     caches of 64 and 256 lines 0.015, the others 0.0074 at most. Without the guard
//     57% did.
package policy
