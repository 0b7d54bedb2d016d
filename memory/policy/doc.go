// Package policy decides which line a cache set gives up, and whether a new line
// comes in at all.
//
// A policy is plain state in flat arrays: no clock, no allocation per access,
// the same object in a functional and in a timed cache. All lists them; New
// makes one:
//
//	p, err := policy.New("srrip", policy.Geometry{Sets: 1024, Ways: 16}, nil)
//
// sieve, arc, s3fifo and fifo_mep were made for caches of objects without sets. Here
// each set is such a cache of its own, with its own hand, target and ghost queues,
// which are bounded; a cache of one set is the papers'. fifo_mep is a reconstruction
// from an abstract. A line is one object; memory/object has these rules for objects that
// differ in size.
//
// What an access may carry is in Access. Most policies look at nothing but set
// and way; ship, shippp, hawkeye and mockingjay want the PC, opt and opt_bypass
// the next use, which the driver of a trace finds in an earlier pass. dco reads tensors
// from Geometry.Tensors and Access.Tensor, or learns. It has a package of its own,
// memory/policy/dco, which a program imports to have it in All (memory/cache does).
//
// To add a policy write one file whose init calls All.Add. The contract tests
// find it.
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
//  5. An access evicts one line. s3fifo's evictS of the paper evicts from the main queue
//     too when it moves a line there that has no room; here the next eviction does,
//     as in the code of its authors. Below ten ways its small queue has one.
package policy
