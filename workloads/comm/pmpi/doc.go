// Package pmpi reads the text that liballprof writes: a line per MPI call with its arguments
// and times in us, in a file per rank. It adds the format pmpi to comm.All.
//
// # Left out
//
// Communicators other than that of all ranks, which are an error. The trace has the colour and key
// of a split but not the resulting handle, which later calls use.
//
// # Sources
//
// liballprof and Schedgen of LogGOPSim.
//
// # Deviations
//
//  1. Schedgen drops collectives of sub-communicators; here they are an error.
package pmpi
