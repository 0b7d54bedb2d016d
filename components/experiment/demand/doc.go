// Package demand reads the sections workload and workloads of a configuration: what is to be
// carried out, as graphs, and how chips share it.
//
// [Decode] makes a [Workload] of each section: from a built-in model, a file, a list of operators
// or a communication trace. A [Workload] then answers what follows from the section alone: the
// graph of each rank ([Workload.Ranks]), when requests arrive ([Workload.Arrivals]), which of them
// chance makes ([Workload.Draw]), and whether attention is one operator
// ([Workload.FuseAttention]).
//
// Errors point at the key that they are about. Times are in picoseconds, sizes in bytes.
//
// The package knows no node: which core carries out what is decided in package experiment. The
// requests of a server are made there too, since their batches depend on the run.
package demand
