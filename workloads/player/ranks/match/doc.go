// Package match decides which receive gets which message, by the rules of MPI.
//
// Messages match receives by source, tag and communicator, in the order of the sends
// of a pair (Order) and of the receives of a rank (Matcher). Receives may leave source
// and tag open. What a message or a receive is, is the caller's: both are type
// parameters.
//
//	x := match.New[*Message, int](ranks)
//	x.Post(match.Key{To: 3, From: comm.AnySource, Tag: 7}, 1)
//	receive, ok := x.Arrive(match.Key{To: 3, From: 1, Tag: 7}, m) // 1, true
//
// Nothing is allocated per message once the lists have grown. Source: MPI 4.0,
// section 3.5.
package match
