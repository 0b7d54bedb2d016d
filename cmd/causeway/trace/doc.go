// Package trace is the command `causeway trace`, which looks into traces of memory accesses:
// their size and reuse, and the miss ratio of caches of any size (mrc).
//
// # Left out
//
// Traces of communication (cmd/causeway/workload). How a trace is read (workloads/trace).
package trace
