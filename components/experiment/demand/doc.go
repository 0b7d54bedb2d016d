// Package demand reads the sections workload and workloads of a configuration: the graphs to
// execute, and how chips share them.
//
// [Decode] makes a [Workload] of each section: from a built-in model, a file, a list of operators
// or a communication trace. A Workload computes what follows from its section: the graph of each
// rank ([Workload.Ranks]), arrival times of requests ([Workload.Arrivals]), the requests that
// probability leaves ([Workload.Draw]), and attention as one operator ([Workload.FuseAttention]).
//
// Errors have the place of their key. Times are units.Time (femtoseconds), sizes are in bytes.
//
// Left out: nodes. Package plan decides which node executes what, and package served makes the
// batches of a server, because they depend on the run.
package demand
