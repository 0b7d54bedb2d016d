// Package schedule is a node that shares executors out among workloads: node kind
// schedule. Requests of each workload arrive as its arrivals say; the policy decides
// which operator goes to which executor, and when.
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
// Executors are the nodes at the other end of its links that carry out operators. Each
// operator is a message to its executor, each end of one a message back; a link takes at
// least a cycle. An executor has up to ahead operators at once, so it goes on to the next
// without waiting for a message; what another executor made costs two messages. The
// decisions themselves take no time. What the policies are, and what they may see, is in
// workloads/schedule.
//
// The costs that policies know are those of an executor that does nothing else
// (work.Executor.Plan): what caches, memories and other executors add is not in them.
//
// # Batching
//
// With batching: several requests of a workload are carried out together, as one operator
// of a network built for that many; rules and the account of memory are those of
// workloads/schedule. Networks of different batches have weights at addresses of their own.
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
// An operator shared by several executors; a time for decisions.
// Requests of a workload use the same addresses: what one leaves in a cache the next
// finds there.
package schedule
