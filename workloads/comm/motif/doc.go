// Package motif makes communication programs from patterns: motifs of applications (halo3d,
// sweep3d, fft, lammps, milc, amr), a ping-pong, exchanges, and each collective on its own.
// All holds them by name, and Make makes the program of one.
//
//	p, err := motif.Make("halo3d", 27, nil)
//
// # Left out
//
// The applications themselves: a pattern has the communication structure of an application, with
// sizes as parameters. A wrong parameter or number of ranks is an error of Make.
package motif
