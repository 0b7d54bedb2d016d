// Package cpu models the memory accesses of an out-of-order processor core: node kind cpu, one
// port mem. It executes a pattern or a trace of loads and stores through the caches below it.
//
//	nodes:
//	  - {name: Core, kind: cpu, clock: 2GHz, generate: {name: chase, size: 1MiB}, chains: 1, limit: 10000, warm: 1000000}
//	  - {name: L1, kind: cache, clock: 2GHz, size: 32KiB, ways: 8, banks: 8, latency: 2cycle, tag_latency: 1cycle, mshrs: 10}
//	  - {name: L2, kind: cache, clock: 2GHz, size: 1MiB, latency: 8cycle, tag_latency: 3cycle}
//	  - {name: Mem, kind: memory, preset: ddr4_3200}
//	links:
//	  - Core -> L1.top
//	  - L1.bottom -> L2.top
//	  - L2.bottom -> Mem
//
// # The window
//
// Instructions enter the window in the order of the program, width per cycle; every
// instructions-th is a load or store. The window ends window instructions after the oldest
// load that is not answered; stores leave it at once and stay in the store buffer until
// they are answered. Loads and stores that depend on nothing begin as soon as they are in
// the window, ports per cycle. With chains: K an access waits for the answer of the K-th
// before it: 1 is a pointer chase.
//
//	chain in a level       time per load = sum over levels of (latency + 2 links)
//	independent loads      least of window / (instructions * latency), loads / latency,
//	                       chains / latency, ports, width / instructions, the memory
//
// Line fill buffers are the MSHRs of the first cache. pause: {after: N, time: T} lets T
// pass from the last access of N to the next, as a loaded-latency test does.
//
// Times of a trace are used if they count instructions: these are the instructions between
// accesses. Core numbers of a trace are ignored, because one node is one core.
//
// # Stores
//
// A store fetches its line into the caches and changes it there. It is sent as halves of lines,
// because a cache does not fetch a line that is written completely. A non_temporal store bypasses
// the caches that do not hold its line; consecutive ones to a line are combined.
//
// # Translation
//
// With tlb: {entries: N} a miss in the first level is looked up in the second; a miss there is a
// walk of dependent reads of the page table through the port, one per level that is not cached. A
// walk serves all accesses that wait for its page. scatter: S maps pages randomly and one to one
// into S bytes of memory from base on, as an operating system does over time, so some sets of a
// cache get more pages than others. An access across two pages uses the translation of the first.
//
// # Before the run
//
// warm: N executes up to N accesses without time (functional warming, see memory.Warmer): they
// change caches, TLBs and policies but no counters. It ends early after a pass of the pattern in
// which an eighth of the pass has no memory access, or as many as the same eighth of the pass
// before within 1%. Caches below nodes other than caches stay cold.
//
// # Deviations
//
//  1. No instructions but loads and stores take time: no branches, no execution units, no
//     fetch. Window and width bound what a program can have under way.
//  2. Stores are not sent in the order of the program.
//  3. Prefetches of the core are those of its caches.
//
// # Left out
//
// Several threads of a core, data, coherence between cores.
//
// # Sources
//
// Karkhanis and Smith, A first-order superscalar processor model, ISCA 2004. McVoy and
// Staelin, lmbench, USENIX 1996. Wunderlich et al., SMARTS, ISCA 2003 (functional warming).
package cpu
