// Package cache is a shared cache: kind cache, ports top (answers, any number of
// links) and bottom (asks memories).
//
//	nodes:
//	  - {name: Core, kind: systolic}
//	  - {name: LLC, kind: cache, size: 32MiB, ways: 16, slices: 8, policy: {name: dco}}
//	  - {name: Mem, kind: memory, preset: hbm2e}
//	links:
//	  - Core -> LLC.top
//	  - LLC.bottom -> Mem
//
// # State
//
// Tags, dirty bits and the replacement policy are in package tagstore, which knows no time.
// Both fidelities have the same Store.
//
// A request is cut into lines, in the order of addresses; each is one access. A
// hit finds the line and all sectors that it needs. Lines that miss side by side
// share one request below, up to burst bytes, cut at its multiples. A write that
// covers a sector altogether brings nothing from below.
//
//	write: back     the line is filled, dirty, and written back when it goes
//	write: through  the line is filled; the bytes of the write go below at once
//	write: around   the bytes go below at once; a line that is there is changed,
//	                one that is not stays away (a bypass)
//
// A read that the policy bypasses is fetched and forgotten; a write that it
// bypasses goes below as it is.
//
// Policies that need the future (opt, opt_bypass) get it from the requester: a
// driver reads its trace before the run. There can be one only.
//
// # Inclusion
//
// A cache treats a cache above it as any requester, unless inclusion of the lower one says
// otherwise:
//
//	inclusion: none       either holds what it likes
//	inclusion: inclusive  the lower one holds all that those above hold: what it gives
//	                      up it takes back from those that fetched it, by a
//	                      memory.Recall, and they write it below where it is dirty
//	inclusion: exclusive  a line that a cache above fetches leaves the lower one, with
//	                      its changes; what goes above, dirty or clean, comes to it
//
// Lower caches then are asked line by line, for lines that are written altogether too.
// A line that an inclusive cache's policy keeps out is recalled after its answer. Lines
// that come to an exclusive cache are no accesses. Both want lines of one size and one
// sector and write: back, and of those above allocate: miss. What is said holds between a
// cache and those right above it: an inclusive cache cannot be below an exclusive one, and an
// exclusive one below several caches, or with time below another exclusive one, may hold a line
// that one above has as well, from victims that cross requests on their way.
//
// # Regions
//
// Some accesses can be treated apart: by the kind of their tensor, by core, by
// address, and only a share of the lines (ratio), always the same. The first
// region that fits counts.
//
//	regions:
//	  - {base: 0B, size: 8MiB, ratio: 0.6, ways: 8}  # a residency window
//	  - {kind: weight, ways: 4, pin: true}
//	  - {cores: [0, 1], ways: 2}
//	  - {kind: output, bypass: true}
//	  - {kind: activation, stream: true}
//
// With ways, the lines have ways of their own, and the policy anew in them: a
// cache apart. Lines of a pinned region never go; those that find no room live
// with the rest. Lines of a streaming region go before all others, until an
// access of another kind uses them. A hit is a hit wherever the line is. A window
// with a hit ratio keeps a part of what is too large to be kept, as the persisting
// accesses of current GPUs do.
//
// # Control
//
// A memory.ControlReq at the upper port cleans, flushes or invalidates the lines of
// a range of addresses, after all requests that came before it; a timed cache lets
// them finish first, and holds up what comes later. It is answered when memory has
// what was dirty. Core.Control does the same without time.
//
// flush: {op: clean} does it by itself when the run has come to its end, so that all
// that was written is written below and counted there; {op: flush, at: 50us} at a
// time. A cache above others begins first: what it writes back is then theirs.
//
// # Prefetch and measurements
//
// prefetch: {name: next_line, degree: 2} brings the lines after one that missed,
// or after a prefetched one that is used for the first time (tagged prefetch). The
// prefetchers and their keys are in package prefetch (causeway list prefetchers). Nothing
// is brought from after the end of a tensor that a hint describes. A prefetch
// takes its way at once, and at fidelity timed an MSHR but no time of a bank; it is
// dropped where MSHRs or the write buffer are full. stream and next_tile take at most three
// quarters of the MSHRs, and call for what found none again. berti measures the time of
// lines and wants fidelity timed.
//
// prefetches = useful_prefetches + useless_prefetches + those still there. late_prefetches
// are useful ones whose line had not come when the access did.
//
// unused_evictions are lines that went without a hit. detail counts
// accesses by kind of tensor, tensor, core and slice. reuse_distance measures LRU
// stack distances, and from them what a fully associative LRU cache of the same
// size would hit: what that one hits more are conflicts.
//
// # Fidelity functional
//
// No time passes in the cache. All requests of a cycle are taken, in the order of
// arrival; their accesses take effect at once. A request whose lines hit, and a
// write, is answered in the same cycle; a request that misses when the last byte
// from below has come. There is no limit to what is under way, and a line counts
// as there from the access that missed it.
//
// # Fidelity timed
//
// A line goes to a bank of its slice and waits there for those before it. In a cycle a
// bank looks up one line and is then busy for as long as the bytes take at its
// width. A hit is done latency after the lookup. A miss takes an MSHR of its
// slice and goes below tag_latency after the lookup, together with fetches that
// follow it in address and wait too; it is done latency - tag_latency after the
// answer, and so are all accesses that have come for the line meanwhile. A miss that
// finds no MSHR, an access to a line that merges accesses wait for, and one that
// may need a full write buffer, wait and hold up their bank: this keeps accesses
// to a line in order. Hits after a miss that has an MSHR go on.
//
// Reads go below before writes, except where a read wants bytes that are still to
// be written, and from three quarters of the write buffer on. A write leaves the
// buffer when it is answered.
//
// allocate: miss gives a line its way at the lookup. State and counts are then
// those of the functional cache for the same order of accesses, however long
// things take: hits are equal (delayed_hits are those that had to wait for a line
// under way), and misses and merges together are the functional misses. Merges
// are misses that find their line under way although it has no way: it was
// bypassed, or has gone again. allocate: fill asks the policy when the data have
// come, and the accesses that waited meanwhile count in their order.
//
// A request is answered when its last line is done. A posted write is done
// latency after its lookup, unless its line is under way. Answers of one cycle
// leave in the order of the requests. Requests stay on the wire while queue lines
// per bank wait.
//
// A throughput of misses is thus at most MSHRs / (tag_latency + 2 + memory) lines
// per cycle and slice, 2 being the links.
//
// # Left out
//
// Data; coherence: other caches do not learn of evictions. Fills do not take a bank's time.
// A line that is evicted while it is under way still comes, for requests that wait.
//
// # Deviations
//
//  1. GPUs lend the set-aside part of their cache to normal accesses while it is
//     not in use; only accesses to a region use its ways here.
//
// # Sources
//
// Smith, Cache memories, ACM Computing Surveys 1982 (tagged prefetch). Mattson et
// al., Evaluation techniques for storage hierarchies, IBM Systems Journal 1970.
// NVIDIA, CUDA C++ Programming Guide, L2 access management (windows, hit ratio).
// Rau, Pseudo-randomly interleaved memory, ISCA 1991 (ipoly). The policies have
// theirs. Kroft, Lockup-free instruction fetch/prefetch cache organization, ISCA
// 1981.
package cache
