// Package collectives follows the collectives of a parallel program while they go on:
// which of them a rank means, whether its members agree, and which parts of its schedule
// a member may start.
//
//	s := collectives.New(program, schedule)
//	in, member, err := s.Enter(rank, op)
//	for _, part := range in.First(member) { ... }
//	if in.Done(member, part, ready) {
//		s.Leave(in)
//	}
//
// The k-th collective of each rank on a communicator belong together. Schedules come
// from noc/collective through the caller, one for collectives that are alike. The
// package knows neither time nor messages; instances are used again, so that a
// collective allocates only the first time.
package collectives
