// Package dumpi reads DUMPI traces: every MPI call of a real run with its arguments and times,
// in a binary file per rank. It adds the format dumpi to comm.All.
//
// It reads files of libraries from version 0.5 on that recorded the sizes of data types. The time
// between two calls that communicate is computation, calls of other kinds included. The time
// inside a call is dropped, because the player computes it. Wall time is taken, else CPU time.
// Ranks begin when MPI_Init returned.
//
// Communicators made by dup, split, create of a group by Group_incl, and Cartesian grids are
// supported; the use of others is an error. Collectives with a count per rank, and scans, are
// expanded into messages. Errors are *comm.Error with the byte.
//
// # Left out
//
// One-sided communication, files, and cancelled sends. Unsuccessful tests of requests: the player
// waits where the trace found the request complete.
//
// # Sources
//
// SST DUMPI, traceformat.dox and dumpiio.c.
//
// # Deviations
//
//  1. Allgatherv becomes an all_gather of the mean of its counts.
package dumpi
