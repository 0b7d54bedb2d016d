// Package workload is the command `causeway workload`, which describes a model or a communication
// trace (info, layers), and makes or converts communication traces (gen, convert). Command makes
// it; the errors of a command have an exit code (package command).
//
// # Left out
//
// Traces of memory accesses (cmd/causeway/trace).
package workload
