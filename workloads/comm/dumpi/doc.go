// Package dumpi reads DUMPI traces: every MPI call of a real run with its arguments and times,
// in a binary file per rank. It adds the format dumpi to comm.All.
//
// It reads files of libraries from version 0.5 on that recorded the sizes of data types. The
// time between two calls that communicate is computation, calls of other kinds included. The
// time inside a call is dropped, because a replay has its own. Wall time is taken, else CPU
// time. Ranks begin when MPI_Init returned.
//
// Communicators are followed through dup, split, create of a group by Group_incl, and
// Cartesian grids; the use of others is an error. Collectives with a count per rank, and
// scans, become messages.
//
// # Left out
//
// One-sided communication and files. Cancelled sends. Requests that the program tested and
// that were not done: a replay waits where the trace found them done.
//
// # Sources
//
// SST DUMPI, traceformat.dox and dumpiio.c.
//
// # Deviations
//
//  1. Allgatherv becomes an all_gather of the mean of its counts.
package dumpi
