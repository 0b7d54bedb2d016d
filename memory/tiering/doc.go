// Package tiering is several memories as one: kind tiering, with the port top for
// requests and a port bottom[i] for each tier.
//
//	nodes:
//	  - {name: Host, kind: driver, generate: {name: hot_set}, mode: "closed:64", until: 1ms}
//	  - {name: Tier, kind: tiering, policy: {name: colloid}, capacity: [32MiB]}
//	  - {name: Near, kind: memory, preset: ddr4_3200}
//	  - {name: Far, kind: memory, fidelity: ideal, latency: 135ns, bandwidth: 10GB/s}
//	links:
//	  - Host -> Tier.top
//	  - Tier.bottom[0] -> Near
//	  - Tier.bottom[1] -> Far
//	memory:
//	  - {tier: near, node: Near, base: 0GiB, size: 64MiB}
//	  - {tier: far, node: Far, base: 64MiB, size: 128MiB}
//
// # Pages
//
// Requesters use the addresses of all ranges; they are names of pages. A page gets
// a frame, anywhere, when it is touched first, from the tier that the policy wants
// or else the next with a free one. Only the lowest capacity bytes of a tier are
// frames; others may use the rest (an antagonist, linked to the memory beside).
// A request is cut by page. A run whose pages find no frame ends with an error.
//
// # Decisions and moves
//
// Every interval the policy (memory/tiering/placement) sees the counts of pages and
// the load of the tiers, and says which pages are to move. A move reads the page
// from its tier and writes it to the other, in requests of burst bytes that compete
// with all others; an exchange does so with two pages. No more begins per interval
// than bandwidth allows, and parallel moves are under way at once. While its page
// is moved a request waits; a move waits for the requests to its page that are under
// way. What was not begun when the policy decides anew is dropped.
//
// # Load of a tier
//
// Occupancy is the number of reads under way, arrivals their bytes per time, both of
// requests and not of moves. A read is under way from when its page is known until
// its answer is here, with the time that it waits for the wire. At the end of a run
// the occupancy added up over time is the sum of the latencies, or the run fails.
//
// # Host
//
// outstanding bounds the requests accepted and not answered; the driver's mode
// bounds those of each core. tlb has the translations that are at hand, in sets of
// four; others take walk, and a moved page is to be looked up again. With reads a walk
// also reads the page table, a line for each level one after the other: a tree of 512
// entries of 8 B to a node, which takes frames of the tier that it lives in. Its reads
// compete with all others, and are not in a tier's load; accesses to a page whose walk
// is under way wait for it.
//
// With fault the first access in an interval to a page outside the default tier takes
// that time before it goes on, and others to it meanwhile wait: the policy learns of accesses by faults, as TPP does,
// from pages that the interval has made inaccessible.
//
// Metrics of phase measure leave out what was answered before warmup, in which pages
// are touched first and policies settle.
//
// # Left out
//
// Data; pages of several sizes; the processor time of policies and copies; caches in
// front (a cache node may stand there), and caches of the upper levels of page tables:
// reads may be lower instead. The number of walks at once.
//
// # Sources
//
// Those of the policies; Little, A Proof for the Queuing Formula L = λW, Operations
// Research 1961.
//
// # Deviations
//
//  1. Systems with write protection let reads of a page go on while it is copied
//     (HeMem); here, as in Linux, a page that moves takes no requests.
//  2. Colloid reads counters of the whole socket, in which copies and other
//     applications are; here the load is that of the node's own reads.
package tiering
