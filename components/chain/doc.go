// Package chain finds why one item of a run took as long as it did: the chain of causes that
// leads back from its end to its begin. An item is a span of time, such as a layer, a request
// or a message. Spans have children, which they have caused, and causes: intervals in which a
// span waited for another one, or for something with a name.
//
// Explain walks backwards from the end of an interval of a span:
//
//   - An interval with a cause belongs to the cause, and is explained by the span that it
//     names, as far as that one goes back. Before that span began, the one that ended last
//     before it in the same line held it up (Log.Queue).
//   - In every other interval, the child that ended last is what was waited for; the walk
//     goes on where that child began.
//   - Where nothing is known, the time is the span's own.
//
// The parts of an interval are disjoint and cover it, so their times sum to its length to
// the picosecond, on every level. A test compares the walk with a second implementation that
// decides about every instant on its own.
//
// What is left out: a child that goes on beyond the instant at which the walk has arrived
// cannot have been waited for, also where only its first bytes were.
package chain
