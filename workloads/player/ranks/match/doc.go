// Package match matches messages and receives by the rules of MPI.
//
// Messages match receives by source, tag and communicator, in the order of the sends of a pair
// (Order) and of the receives of a rank (Matcher). Receives may have wildcards for source and tag.
// The types of messages and receives are type parameters.
//
//	x := match.New[*Message, int](ranks)
//	x.Post(match.Key{To: 3, From: comm.AnySource, Tag: 7}, 1)
//	receive, ok := x.Arrive(match.Key{To: 3, From: 1, Tag: 7}, m) // 1, true
//
// It allocates only while its lists grow. A rank outside of New's number panics. Left out: time,
// and cancelling a receive. Source: MPI 4.0, section 3.5.
package match
