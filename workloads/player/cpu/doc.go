// Package cpu is the memory side of a processor core: node kind cpu, one port mem. It
// carries out a pattern or a trace of loads and stores through the caches below it.
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
// Of a trace times count where they are instructions: those between two accesses are of the
// program. Its cores do not: one node is one core.
//
// # Stores
//
// A store reads its line into the caches and changes it there: it goes as halves of lines,
// since a cache takes a line that is written altogether without fetching it. A
// non_temporal store passes by the caches that do not hold its line; those of one line
// that follow each other are combined.
//
// # Translation
//
// With tlb: {entries: N} a page that the first level does not have costs a look into the
// second, and one that neither has a walk: dependent reads of the page table through the
// port, one per level from the first that is not known. A walk brings all that wait for
// its page. scatter: S puts pages anywhere in S bytes of memory from base on, one to one,
// as an operating system does over time: some sets of a cache then get more pages than
// others. Bytes of an access across two pages take the translation of the first.
//
// # Before the run
//
// warm: N carries out up to N accesses in no time (functional warming, see memory.Warmer):
// caches, TLBs and policies have seen them, counters have not. It ends after a pass of the
// pattern once an eighth of a pass asks memory nothing, or as often as the same eighth of
// the pass before within 1%. Caches below nodes other than caches stay cold.
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
