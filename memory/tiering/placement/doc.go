// Package placement has the policies that place pages in the tiers of a tiered memory.
//
// A Policy is plain state, without clock and ports. At the end of every interval the node
// (memory/tiering) passes it a View of page counts and tier loads, and carries out the moves that
// it returns. All lists the policies; New makes one, or returns an error for an unknown name or a
// wrong spec:
//
//	p, err := placement.New("colloid", nil)
//	moves = p.Plan(view, moves[:0])
//
// Tier 0 is the default tier. Latencies and lengths of intervals are in cycles of the node.
//
// # The policies
//
//	static      where a page is touched first it stays; shares of ranges of pages go
//	            to the default tier
//	interleave  pages take turns over the tiers, by weights; nothing moves
//	hemem       packing: hot pages go to the default tier until it is full of them.
//	            A page is hot from `hot` accesses on; when one has `cool`, the counts
//	            of all are halved
//	lru         what was accessed in an interval goes to the default tier, in exchange
//	            for what was accessed least recently
//	tpp         packing by recency: a page used in two intervals running is promoted
//	            where the default tier has room, and pages unused for `age` intervals
//	            are demoted to keep a share of it free
//	colloid     balances latencies. The mean latency of a tier's reads is what is
//	            under way over what begins per cycle (Little), both smoothed. While
//	            the latencies differ by more than `delta`, pages are moved from the
//	            slower tier to the faster one, or exchanged, whose shares of all
//	            accesses add up to the step of a bisection
//
// # Colloid
//
// p is the share of the reads that the lower-numbered tier of a pair serves. If that tier is the
// faster one, p is too small, and the lower end of the bracket moves up to p; otherwise the upper
// end moves down. The target is the middle of the bracket. If a bracket narrower than `epsilon`
// does not balance, the load has changed, and the end that prevents balance is opened again. With
// dynamic_limit the bytes moved per interval are at most those of the accesses to shift.
//
// With more than two tiers the pair is the slowest and the fastest of them.
//
// Left out: pages of several sizes; MEMTIS; fairness between applications.
//
// # Sources
//
// Vuppalapati and Agarwal, Tiered Memory Management: Access Latency is the Key!,
// SOSP 2024 (Little's law, bisection, limit), and the authors' published artifact
// for delta 0.05 and epsilon 0.01. Raybuck et al., HeMem, SOSP 2021 (thresholds 8
// and 18). Al Maruf et al., TPP, ASPLOS 2023.
//
// # Deviations
//
//  1. HeMem counts reads and writes apart, by processor samples; here every access counts, or
//     every n-th (key sample of the node).
//  2. TPP learns of accesses by faults on pages that it unmaps; here the node counts accesses.
//     The time of a fault is the node's key fault, 0 by default. A page is promoted at the end of
//     an interval, not in the fault.
//  3. Pages are exchanged in place if the other tier is full; the published systems keep spare
//     frames. The traffic is the same: two reads, two writes.
//  4. Of two pages the hotter one is the one whose count is larger by more than three
//     times the standard deviation of the difference, sqrt(a+b). Without that, equal
//     pages would be exchanged for ever because their counts differ by chance.
package placement
