// Package schedule is the node that schedules requests of workloads on executors: node kind
// schedule. Requests arrive by the key arrivals of their workload; the policy decides which
// operator runs on which executor, and when.
//
//	workloads:
//	  - {name: eyes, model: resnet18, arrivals: {name: periodic, period: 2ms}, frames: 10, deadline: 2ms}
//	  - {name: voice, model: alexnet, arrivals: {name: poisson, mean: 5ms}, frames: 4, deadline: 8ms}
//	nodes:
//	  - {name: Schedule, kind: schedule, policy: edf}
//	  - {name: Big, kind: systolic, rows: 64, cols: 64}
//	  - {name: Small, kind: systolic, rows: 32, cols: 32}
//	links:
//	  - Schedule -> Big
//	  - Schedule -> Small
//
// # Model
//
// Executors are the linked nodes that execute operators. Issuing an operator is a message to its
// executor, and its end is a message back; a link takes at least a cycle. An executor has up to
// ahead operators, so it begins the next one without waiting for a message; a result of another
// executor costs two messages. Decisions take no time. workloads/schedule has the policies.
//
// Policies use the costs of otherwise idle executors (work.Executor.Plan), without the effects of
// caches, memories and other executors.
//
// # Batching
//
// With the key batching several requests of a workload are executed together, as one operator of a
// network built for that batch; rules and the accounting of memory are in workloads/schedule.
// Networks of different batch sizes have separate weights in memory.
//
// # Results
//
// Times of requests run from their arrival to the end of their last operator, by the
// executor's clock. requests.csv has a row for each. Metrics of a workload have the phase
// workload:NAME. In the task stream a request is a task, and its layers are tasks below
// it.
//
// # Left out
//
// The time of decisions, and separate addresses per request: a request finds in a cache what the
// request before it left there. Wrong keys are errors of the configuration; New does not check the
// Spec.
package schedule
