// Package served makes the batches of a served model during a run: their graphs, their mapping
// onto executors, the addresses of their tensors, and their time if the server takes it from
// planned costs.
//
// [New] passes a server ([work.Server]) its requests and the functions that it calls during the
// run ([work.Service]). A [Fabric] measures transfers on an idle copy of the network, by the same
// schedules of messages as in the run.
//
// Times are units.Time (femtoseconds), sizes are in bytes, entries in tokens. Errors have the
// place of their key. Left out: which batch runs when, which the server decides
// (workloads/serving).
package served
