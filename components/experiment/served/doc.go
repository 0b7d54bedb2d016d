// Package served makes the batches of a model whose requests a server answers: their graphs, their
// mapping onto executors, where their tensors lie, and their time where a server takes it from
// prices.
//
// [New] gives a server ([work.Server]) its requests with the functions that it calls while the run
// goes on ([work.Service]). A [Fabric] times transfers on an idle copy of the network, by the same
// schedules of messages as in the run.
//
// Times are in picoseconds, sizes in bytes, entries in tokens. Which batch runs when is decided by
// the server (workloads/service), not here.
package served
