// Package bound is an analytical model of cores with a shared cache in front of a memory. It
// gives the traffic in closed form, and bounds of its time by bottleneck and overlap. It runs in
// a microsecond and has two replacement rules: LRU, and Best (as OPT with bypass). Sizes are
// bytes, times seconds, rates bytes per second.
//
//	loops, _ := bound.Loops(layer)
//	m := bound.Machine{Capacity: 2 << 20, Compute: 1024e9, Cache: 1024e9, Memory: 128e9, Latency: 150e-9}
//	t := m.Times(bound.Move(loops, m.Capacity, bound.Best))
//	t.Overlap <= simulated time <= t.Serial, about t.Phased
//
// # What moves
//
// A layer is loops over data: Sharers cores together walk over Unique bytes Passes times. Between
// two uses of a byte, Between bytes of all data move.
//
//   - Cores request Unique x Passes x Sharers bytes of the cache. Cores share a byte at about the
//     same time: all but the first hit, whatever the policy.
//   - LRU keeps a loop if Between fits the cache, else nothing of it.
//   - Best keeps loops that fit, the shortest first. Of the other loops it protects C bytes, the
//     rest of the cache: Unique x Passes - C x (Passes-1) bytes come from memory (the misses of
//     OPT with bypass on a cycle).
//
// # How long it takes
//
// Compute, cache and memory each have a rate. Overlap is the time of the slowest of them, Serial
// the sum of all. Phased is the expected time: Best protects the bytes that came first, so their
// hits form a phase without memory traffic. Phased adds the times of the two phases, and overlaps
// everything within each. Each of the three includes the latency of one memory access.
//
// # Left out
//
// Conflicts in sets and banks, row misses and refresh of the memory (its rate is
// the nominal one), cores that run apart, masks of attention.
//
// # Sources
//
// Williams et al., Roofline, CACM 2009 (bottleneck); DCO, arXiv 2512.07312, has a model of this
// kind, which was not read; these formulas are our own. See ExampleMove. Only Loops returns an
// error.
package bound
