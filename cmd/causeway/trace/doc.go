// Package trace is the command `causeway trace`, which analyses traces of memory accesses: size
// and reuse, and the miss ratio by cache size (mrc). Command makes it; the errors of a command
// have an exit code (package command).
//
// # Left out
//
// Traces of communication (cmd/causeway/workload), and the reading of traces (workloads/trace).
package trace
