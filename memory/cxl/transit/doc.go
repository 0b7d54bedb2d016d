// Package transit moves lines over the links of a CXL fabric: pure state in picoseconds,
// without ports and without nodes.
//
// A Line is one transaction of 64 B, or one coherence message. Its route (memory/cxl/route)
// leads over Hops, which are links (memory/cxl/link) with a number and what lies beyond
// their ends. A Network has the hops, the lines and the Schedule of what is to happen to
// them. A node implements Sink: the network tells it what its first link has sent, what
// has arrived at the end of a route, and hands it the events that the node has scheduled
// for itself.
//
//	n.Depart(line, pair.Down, now) // a line sets out
//	err := n.Run(now)              // everything up to and including now
//
// # Order
//
// Everything happens in order of time. At equal times links come first, in the order of
// their numbers, then events, in the order in which they were scheduled. Losses of links
// come before all else of their time, timeouts after it; both are added to a network from
// outside (Interruption).
//
// # Time
//
// What happens inside is done when something outside may see it, not when it is due, which
// saves most events of the engine and changes nothing. Tail is the least time from
// anything inside to an effect outside. Links put off flits that no message waits for
// (memory/cxl/link). Once no line is to go anywhere they settle, so that a run ends when it
// would have.
//
// # Breakdown
//
// A line notes where it spends its time. The parts add up to its latency to the
// picosecond; the node that counts them checks that.
package transit
