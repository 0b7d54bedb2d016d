// Package transit moves lines over the links of a CXL fabric. It is state without ports; times
// are picoseconds. Left out: hosts, devices and memories, which are its Sinks. Run returns the
// error of a Sink, an Interruption or Fail.
//
// A Line is one transaction of 64 B, or one coherence message. Its route (memory/cxl/route) is
// over Hops: links (memory/cxl/link) with a number and the switches at their ends. A Network has
// the hops, the lines and a Schedule of events. A node implements Sink: the network calls it when
// the first link of a route has sent a line, when a line arrives at the end of its route, and for
// events that the node has scheduled.
//
//	n.Depart(line, pair.Down, now) // a line starts its route
//	err := n.Run(now)              // everything up to and including now
//
// # Order
//
// Run works in order of time. At equal times links come first, by number, then events, in the
// order of scheduling. Losses of links precede all other work of their time, timeouts follow it;
// both are Interruptions.
//
// # Time
//
// The network computes its inside when a component outside may see it, which saves most engine
// events and changes no result. Tail is the least time from an inside event to an effect outside.
// Links postpone flits that no message waits for (memory/cxl/link). When no line is in flight the
// links settle, so that the end of a run does not change.
//
// # Breakdown
//
// A line divides its latency into parts, which add up to the picosecond; the node that counts
// them checks that.
package transit
