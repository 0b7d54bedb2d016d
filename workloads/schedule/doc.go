// Package schedule decides which operator runs where, and when: several models that
// are asked for again and again, on executors that may differ. It has no clock and no
// ports; the node workloads/player/schedule gives it its time.
//
// A Model is a workload as a scheduler sees it: operators, which of them wait for
// which, and what each costs on each executor. A Request is one run of a model, made
// by its Arrivals. State keeps what has been issued and done; a Policy picks what an
// executor gets next.
//
//	s, err := schedule.New(models, []string{"Big", "Small"}, policy, schedule.DefaultOptions())
//	r := s.Arrive(now, 0)
//	for {
//		issue, ok := s.Next(now)
//		...
//	}
//	s.Done(issue.Ref, begin, end)
//
// # Issued ahead
//
// An executor gets up to Ahead operators that it has not finished, and carries them out
// in the order in which it got them. An operator may be issued when all whose results
// it reads are done, or were issued to the same executor before it. So an executor goes
// on to the next operator in the cycle in which the last one ends, and only what other
// executors make costs the way of a message.
//
// A Concurrent executor (a network interface) begins with all it gets at once: it gets
// an operator when those before it are done.
//
// # Grain
//
// With grain model all operators of a request go to the executor that got its first;
// with grain operator each goes where the policy says.
//
// # Preemption
//
// Operators that have begun run to their end. A policy that preempts takes back those
// that were issued and have not begun, in favour of a request that is more urgent;
// they are issued again later, and no work is lost.
//
// # Left out
//
// Requests of one model in one batch, and operators that are cut off in the middle.
package schedule
