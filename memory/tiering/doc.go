// Package tiering models tiered memory with page placement and migration: node kind tiering, with
// port top for requests and a port bottom[i] per tier.
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
// Requesters use the addresses of all ranges as virtual addresses. A page gets a frame at its
// first access, from the tier that the policy selects, or from the next tier with a free frame.
// Only the lowest capacity bytes of a tier are frames; other requesters that are linked to the
// memory may use the rest. A request is cut at page boundaries. If no frame is free, the run ends
// with an error.
//
// # Decisions and moves
//
// Every interval the policy (memory/tiering/placement) receives the access counts of pages and
// the load of tiers, and returns moves. A move reads the page from its tier and writes it to the
// other, in requests of burst bytes that compete with all others; an exchange does so for two
// pages. The moves of an interval are limited by bandwidth, and at most parallel moves are in
// flight. A request waits while its page moves; a move waits for requests in flight to its page.
// At the next decision moves that have not begun are dropped.
//
// # Load of a tier
//
// Occupancy is the reads in flight, arrivals their bytes per time; both leave out moves. A read
// is in flight from its translation to its answer, waiting for the wire included. At the end of a
// run the integral of occupancy must equal the sum of latencies, which is checked.
//
// # Host
//
// outstanding bounds the requests accepted and not answered; the driver's mode bounds those of
// each core. tlb holds translations in sets of four; a miss takes walk, and a move invalidates
// the page's translation. With reads a walk also reads the page table, a line per level, one
// after the other. The table is a tree with 512 entries of 8 B per node and takes frames of its
// tier. Its reads compete with all others but are not in a tier's load. Accesses to a page wait
// for a walk of that page.
//
// With fault the first access in an interval to a page outside the default tier is delayed by
// that time, and later ones wait for it: hinting faults, from which policies such as TPP learn of
// accesses.
//
// Metrics of phase measure leave out requests answered before warmup.
//
// # Left out
//
// Data; pages of several sizes; the processor time of policies and copies; caches in front (use a
// cache node); caches of the upper levels of page tables (lower reads instead); a limit of
// concurrent walks.
//
// # Sources
//
// Those of the policies; Little, A Proof for the Queuing Formula L = λW, Operations
// Research 1961.
//
// # Deviations
//
//  1. Systems with write protection serve reads of a page while it is copied (HeMem); here, as in
//     Linux, a moving page serves none.
//  2. Colloid reads counters of the whole socket, which include copies and other applications;
//     here the load is that of the node's own reads.
package tiering
