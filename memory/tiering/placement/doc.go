// Package placement decides which tier of memory each page lives in.
//
// A Policy is plain state: no clock, no ports. The node (memory/tiering) counts
// accesses and reads under way, shows them in a View at the end of every interval,
// and carries out the moves that the policy asks for. All lists the policies; New
// makes one:
//
//	p, err := placement.New("colloid", nil)
//	moves = p.Plan(view, moves[:0])
//
// Tier 0 is the default tier: new pages go there while it has room.
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
// p is the share of the reads that the lower-numbered tier of a pair serves. Where
// it is the faster one p is too small, and the bracket's lower end moves up to p;
// where it is the slower one the upper end moves down. The aim is the middle of the
// bracket. A bracket narrower than `epsilon` that still does not balance is out of
// date, since the load has changed: the end that stands in the way is opened again.
// With dynamic_limit no more bytes are moved per interval than the bytes of the
// accesses that are to be shifted.
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
//  1. HeMem counts reads and writes apart, on processor samples; here every access
//     counts, or every n-th of the node.
//  2. TPP learns of accesses from faults on pages that it unmaps now and then; here
//     the node sees them. What a fault costs is the node's key fault; it costs nothing
//     by default. A page is promoted at the end of an interval, not in the fault.
//  3. Pages are exchanged in place where the other tier is full; the systems named
//     keep spare frames for it. The traffic is the same: two reads, two writes.
//  4. Of two pages the hotter one is the one whose count is larger by more than three
//     times the standard deviation of the difference, sqrt(a+b). Without that, equal
//     pages would be exchanged for ever because their counts differ by chance.
package placement
