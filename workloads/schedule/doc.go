// Package schedule schedules requests of several models on heterogeneous executors: which operator
// runs on which executor, in which order. It has no clock and no ports; the node
// workloads/player/schedule calls it with the time (units.Time).
//
// A Model is a workload for a scheduler: operators, their dependencies, and their costs on each
// executor. A Request is one execution of a model, made by its Arrivals. A State holds what has
// been issued and done; a Policy chooses the next operator of an executor. An invalid model is an
// error of New, and a wrong report of an executor an error of Done and Revoked.
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
// An executor has up to Ahead unfinished operators and executes them in the order of issue. An
// operator may be issued when all operators whose results it reads are done, or were issued to the
// same executor before it. Thus an executor begins the next operator in the cycle in which the
// last one ends; only results of other executors cost a message.
//
// A Concurrent executor (a network interface) begins every operator at once: an operator is issued
// to it when all its dependencies are done.
//
// # Grain
//
// With grain model all operators of a request run on the executor of its first operator; with
// grain operator the policy chooses an executor for each operator.
//
// # Preemption
//
// An operator that has begun runs to its end. A preempting policy revokes operators that were
// issued and have not begun, in favour of a more urgent request. They are issued again later, and
// no work is lost.
//
// # Batching
//
// With Options.Batching requests of one model are executed together and share its weights. The
// policy chooses the model; the rule of batching chooses its operator and the number of requests.
// A static batch keeps its size. With rule cascaded each operator takes as many requests as fit,
// floor((free - W) / (I + O)): a batch is split at an operator that takes fewer, and its parts run
// in turn. With rule adaptive the parts also merge at an operator that takes more. A stack per
// model and executor holds the parts, the most advanced first. After Ranawaka and Stenstroem,
// BATCH-DNN, Euro-Par 2025, whose rules are known from its abstract.
//
// The memory of an executor never overflows and never deadlocks: an operator is issued only if all
// requests in progress can still complete, one after the other (the banker's algorithm).
//
// # Left out
//
// Preemption of a running operator; batching together with preemption, or with operators of one
// request on several executors.
package schedule
