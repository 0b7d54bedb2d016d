// Package work is the protocol between issuers and executors: an issuer issues operators, and
// an executor carries them out and reports their ends. The package holds no model.
//
// An Executor (systolic, gpu, roofline, lanes, profile, spatial, nic) receives a Share of a
// workload by Prepare before the run: the graph, its jobs with their mappings, and the
// addresses of tensors. Jobs of a share are then issued
//
//   - ahead: with Share.Ahead all jobs are issued before the run, each with the jobs of other
//     executors that it waits for. The executor starts the next job in the cycle in which one
//     ends, and may compute or prefetch ahead. It sends a Done to the issuer of the share for
//     each job that another executor waits for. The issuer counts the jobs of each join
//     (mapping.Join) and sends a Ready to each waiting executor when the last one is done. Done
//     and Ready take a cycle of the link each (workloads/player/issue Ahead).
//   - during the run: a scheduler (kinds schedule and serve) sends an Issue to the port Ops, and
//     receives a Done. Until the job begins, a Revoke takes it back.
//   - by call: a player that acts in the events of its nodes calls Direct.Issue, as for the ranks
//     of a communication trace. The Done is returned at once with the end in the future, so that
//     a computation needs no messages.
//
// A Queue holds the issued jobs of an executor and its reports. Package inorder is the frame of
// executors that carry out one operator after the other and know its cycles beforehand.
//
// A share precedes its operators because memory requests carry hints of how often all executors
// together will still read a tensor (Tensors.Expect), and because room for tensors is checked
// and planned before the first request.
//
// Cycles are those of the executor's clock. Prepare, Schedule and Serve return errors for work
// that the node cannot carry out; an unexpected message is an error of Queue.Receive, which ends
// the run. An executor implements optional interfaces (Keeper, Fuser, Sparse, ...) to declare
// what else it can do.
package work
