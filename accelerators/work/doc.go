// Package work is the protocol between issuers and executors: issuers issue operators, and
// executors carry them out and report those that are done.
//
// An executor (Executor: systolic, gpu, roofline, lanes, profile, spatial, nic) is given a
// Share of a workload by Prepare, before the run: the graph, its jobs with their mappings,
// and where tensors lie. Jobs of a share are then issued
//
//   - ahead, with the share (Share.Ahead): all of them, before the run, each with the jobs of
//     other executors that it comes after. What comes before it on its own executor costs
//     nothing: the executor goes on to the next job in the cycle in which one ends, and may
//     compute or prefetch ahead. A job that another executor waits for is reported by a Done to
//     the issuer of the share. The issuer counts the jobs of each join (mapping.Join), and sends
//     a Ready to each executor that waits when the last of them is done: a cycle of the link
//     each way (workloads/player/issue Ahead).
//   - while the run goes on, by an Issue to the port Ops, when a scheduler (kinds schedule and
//     serve) decides so. It ends with a Done to its scheduler; until it begins, a Revoke takes
//     it back.
//   - by call, by a player that acts in the events of its nodes: the ranks of a communication
//     trace (Direct). The Done comes back at once and tells the end ahead, so that a
//     computation costs no messages.
//
// A Queue keeps what was issued for an executor, and what it is to report; package inorder is
// the frame of those that do one operator after the other and know beforehand what each takes.
//
// Why a share is there before its operators: hints of requests say how often a tensor will
// still be read, by all executors together (Tensors.Expect), and room for tensors is checked
// and planned. All of that has to be known before the first request goes out, also of
// operators that wait.
//
// The package holds no model.
package work
