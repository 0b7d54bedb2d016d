// Package pmpi reads the text that liballprof writes: a line per MPI call with its arguments
// and times in us, in a file per rank. It adds the format pmpi to comm.All.
//
// # Left out
//
// Communicators other than that of all ranks are an error, because the trace does not say
// which ranks are in them: it has colour and key of a split, but not the handle that came of
// it, by which later calls go.
//
// # Sources
//
// liballprof and Schedgen of LogGOPSim.
//
// # Deviations
//
//  1. Schedgen drops collectives of sub-communicators; here they are an error.
package pmpi
