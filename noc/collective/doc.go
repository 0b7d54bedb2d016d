// Package collective makes the schedules of collective operations: all-reduce,
// reduce-scatter, all-gather, all-to-all, broadcast, reduce. A Schedule is pure
// data: for each rank what it sends, receives, adds and copies, and what waits
// for what. Any network can run it; time is none of its business.
//
//	s, err := collective.New("ring", collective.Request{
//		Operation: collective.AllReduce, Ranks: 8, Bytes: 1 << 20,
//	}, nil)
//	t := collective.NewTracker(s)   // says which operations may start
//
// # Playing a schedule
//
// A player starts what Tracker reports, gives each Send to the network, and
// calls Done. A Recv or Reduce is done when it has started and its message, the
// one from Peer with the same Tag, has arrived (and, for a Reduce, the sum is
// made). Messages of a pair of ranks may overtake each other. Copies are local.
// Among operations that compete, the smaller index goes first.
//
// # Correctness
//
// Execute runs a schedule on real vectors, in any order that the dependencies
// allow, and CheckResult compares each byte of each rank with what the operation
// promises. The tests do so for every algorithm and operation, with any number
// of ranks, bytes and chunks.
//
// Left out: vectors of different length per rank, several roots, groups of
// ranks (number the members from 0), sums in the network.
package collective
