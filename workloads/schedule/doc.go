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
// # Batching
//
// With Options.Batching requests of one model are carried out together and share its
// weights. The policy says which model goes on, the batching which operator of it and for
// how many requests. A static batch keeps its size. With rule cascaded each operator takes
// as many requests as fit, floor((free - W) / (I + O)): a batch is split where an operator
// takes fewer, and its parts go on one after the other. With rule adaptive they also wait
// for each other where an operator takes more, and merge. A stack per model and executor keeps the parts, those that
// are furthest first. After Ranawaka and Stenstroem, BATCH-DNN, Euro-Par 2025, whose rules
// are known from its abstract.
//
// The memory of an executor never holds more than it has, and nothing gets stuck in it: an
// operator is issued only if all that is under way can still come to its end, one request
// after the other (the banker's algorithm).
//
// # Left out
//
// Operators that are cut off in the middle; batching together with preemption, or with
// operators of one request on several executors.
package schedule
