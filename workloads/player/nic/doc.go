// Package nic is the network interface of a chip as an executor: node kind nic. A
// schedule issues it the transfers of a graph (graph.Transfer: send, recv, collectives);
// it carries them out over its network port as one rank of a parallel program.
//
//	workload: {model: resnet18, parallel: {pipeline: 2}, frames: 8}
//	nodes:
//	  - {name: Schedule, kind: schedule, grain: operator}
//	  - {name: Core, kind: systolic, count: 2}
//	  - {name: Nic, kind: nic, count: 2, bandwidth: 25GB/s, overhead: 500ns}
//	  - {name: Net, kind: network, topology: {name: crossbar, terminals: 2}}
//	links:
//	  - Schedule -> Core
//	  - Schedule -> Nic
//	  - Nic -> Net
//
// # Model
//
// Transfers begin as they come, at the same time as those under way. Messages, their matching, long
// ones that wait for their receive, and collectives are those of kind ranks
// (workloads/player/ranks), whose player all interfaces of a system share; the player is
// the node Program of the results. Rank i is the i-th interface by name.
//
// With port mem linked, to the chip's cache or memory, transfers work on their tensors
// there: what is sent is read before it leaves, what comes is written before its operation
// ends, and a sum reads the rank's own operand and writes the result (the interface adds).
// Requests have up to Burst bytes; at most one goes out in a cycle, and at most Outstanding
// are without an answer. A message leaves when all of it has been read. Without the link
// data cost nothing, but for key memory.
//
// # Left out
//
// Messages that leave while they are still being read: more chunks of a collective
// (collectives: {all_reduce: {chunks: 4}}) overlap reading with sending.
package nic
