// Package goal reads GOAL schedules: the sends, receives and computations of all ranks with
// their dependencies, as text. It adds the format goal to comm.All.
//
// It reads send, recv, calc, requires, irequires, tag and cpu. calc counts nanoseconds.
//
// # Left out
//
// The key nic, which is read and has no effect. Errors are *comm.Error with the line.
//
// # Sources
//
// T. Hoefler, C. Siebert, A. Lumsdaine, Group Operation Assembly Language, ICPP 2009, and the
// grammar of LogGOPSim's txt2bin.
package goal
