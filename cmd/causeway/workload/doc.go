// Package workload is the command `causeway workload`, which shows what a model or a
// communication trace holds (info, layers), and makes or converts communication traces (gen,
// convert).
//
// # Left out
//
// Traces of memory accesses (cmd/causeway/trace).
package workload
