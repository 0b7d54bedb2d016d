// Package policy has the replacement policies of caches: which line of a full set is evicted, and
// whether a missed line is filled at all.
//
// A policy is plain state in flat arrays, without clock and without allocation per access, for
// functional and timed caches alike. All lists the policies; New makes one:
//
//	p, err := policy.New("srrip", policy.Geometry{Sets: 1024, Ways: 16}, nil)
//
// sieve, arc, s3fifo and fifo_mep are published for caches of objects without sets. Here each set
// is such a cache, with its own hand, target and bounded ghost queues, and a line is one object;
// a cache of one set is that of the papers. fifo_mep is a reconstruction from an abstract.
// memory/object has these rules for objects of different sizes.
//
// Most policies use only set and way. ship, shippp, hawkeye and mockingjay need Access.PC; opt
// and opt_bypass need Access.Next, which the driver of a trace finds in an earlier pass. dco uses
// Geometry.Tensors and Access.Tensor, or learns without them. It is in package memory/policy/dco,
// which a program must import (memory/cache does).
//
// To add a policy, write one file whose init calls All.Add; the contract tests run every entry.
//
// Left out: prefetches and write-backs count as other accesses. Errors are an unknown name and a
// spec of another type or with impossible values (New); sets and ways out of range are bugs of
// the caller.
//
// Sources: those of each entry. Parameters that papers leave open are those of published code
// (ChampSim, its fork Hermes, Mockingjay).
//
// Deviations
//
//  1. The leader sets of dip and drrip are those with set%32 = 0 and 1, and their counter starts
//     at 512; ChampSim's DRRIP draws 32 leader sets of each kind per core, and starts at 0. Its
//     hits differ by up to 0.09 of the accesses on the reference traces.
//  2. The sampler of hawkeye is indexed by line mod 2800 / 8, which is what the published code
//     computes.
//  3. shippp has no prefetches, and treats a write as a write-back.
//  4. mockingjay separates PCs by core only with Geometry.Cores above 1, as its code does by
//     NUM_CPUS. The reference figures were taken with 1, on traces of 4 cores too.
//  5. An access evicts one line. The paper's evictS of s3fifo also evicts from the main queue
//     when it moves a line to a full one; here the next eviction does, as in the authors' code.
//     Below ten ways the small queue has one.
package policy
