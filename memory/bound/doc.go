// Package bound is an analytical model of cores with a shared cache in front of a
// memory: what moves, by closed forms, and how long that takes at least and at
// most, by bottleneck and overlap. It runs in a microsecond and knows nothing of
// policies but whether they keep the lines used last (LRU) or those that pay
// (Best).
//
//	loops, _ := bound.Loops(layer)
//	m := bound.Machine{Capacity: 2 << 20, Compute: 1024e9, Cache: 1024e9, Memory: 128e9, Latency: 150e-9}
//	t := m.Times(bound.Move(loops, m.Capacity, bound.Best))
//	t.Overlap <= simulated time <= t.Serial, about t.Phased
//
// # What moves
//
// A layer is loops over data: Unique bytes are walked over Passes times, by
// Sharers cores together. Of each byte Between bytes of everything move until it
// is walked over again.
//
//   - The cache is asked for Unique x Passes x Sharers. Cores that share a byte do
//     so at about the same time: all but the first hit, whatever the policy.
//   - LRU keeps a loop if Between fits the cache, else nothing of it.
//   - Best keeps loops that fit, the shortest first. Of the others it protects what
//     is left of the cache, C: Unique x Passes - C x (Passes-1) come from memory
//     (the hits of OPT with bypass on a cycle).
//
// # How long it takes
//
// Compute, cache and memory each have a rate. Overlap is the time of the slowest
// of them, Serial the sum of all. Phased is what is expected: what Best protects is
// what came first, so it is hit in a stretch in which memory has nothing to do;
// times of the two stretches are added, and within each everything overlaps. Each
// is followed by the latency of one access to memory.
//
// # Left out
//
// Conflicts in sets and banks, row misses and refresh of the memory (its rate is
// the nominal one), cores that run apart, masks of attention.
//
// # Sources
//
// Williams et al., Roofline, CACM 2009 (bottleneck); DCO, arXiv 2512.07312, has a
// model of this kind, which was not read; these formulas are our own.
package bound
