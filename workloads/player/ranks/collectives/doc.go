// Package collectives tracks the collectives of a parallel program in progress: it matches the
// calls of ranks, checks that they agree, and finds the parts of the schedule that a member may
// start.
//
//	s := collectives.New(program, schedule)
//	in, member, err := s.Enter(rank, op)
//	for _, part := range in.First(member) { ... }
//	if in.Done(member, part, ready) {
//		s.Leave(in)
//	}
//
// The k-th collectives of the ranks of a communicator belong together. The caller provides the
// schedules (noc/collective), one for all collectives of equal kind and size. Instances are
// reused, so a collective allocates only the first time. Ranks that disagree are a *Disagreement.
// Left out: time and messages.
package collectives
