// Package nic models the network interface of a chip as an executor: node kind nic. A schedule
// issues the transfers of a graph to it (graph.Transfer: send, recv, collectives). It executes
// them through its network port as one rank of a parallel program.
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
// A transfer begins when it is issued, in parallel with others. Messages, matching, the rendezvous
// of long messages, and collectives are those of kind ranks (workloads/player/ranks). All
// interfaces of a system share one such player, which is the node Program in results. Rank i is
// the i-th interface by name.
//
// If port mem is linked to the chip's cache or memory, transfers access their tensors there: data
// are read before they are sent, received data are written before the operation ends, and a sum
// reads the rank's operand and writes the result (the interface adds). A request has up to Burst
// bytes; at most one is sent per cycle, and at most Outstanding are unanswered. A message leaves
// when it has been read completely. Without that link memory accesses take no time, except by key
// memory.
//
// # Left out
//
// Overlap of reading and sending within a message; more chunks of a collective (collectives:
// {all_reduce: {chunks: 4}}) overlap them. Wrong keys are errors of the configuration; New does
// not check the Spec.
package nic
