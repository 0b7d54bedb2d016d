// Package comm holds communication programs: the computations, sends and receives of each rank of
// a parallel program, with their dependencies. It reads the traces and schedules of other tools.
// workloads/player/ranks executes programs.
//
//	p, format, err := comm.Open("traces/all_reduce.%d.et", comm.Options{})
//
// # Programs
//
// A rank is a list of operations. An operation waits for the end (After) or only for the start
// (With) of others of the same rank. The operation after a non-blocking send waits for its start;
// an MPI wait is a Join that waits for its end. A message matches a receive by source, tag and
// communicator (Group), in the order in which both were started. Times are units.Time, sizes in
// bytes.
//
// # Files
//
// Open takes a file of all ranks (goal), a name with %d or %04d in place of the rank, a folder, or
// a tar archive. Folder and archive hold a file per rank, whose number is the last one in its
// name; other files are ignored. Files and archives may be compressed by gzip. A file is read once
// from front to back. A program takes 64 bytes per operation and 4 per dependency. One file of an
// archive at a time is in memory. Errors are *Error with file and line, or byte. No input makes a
// reader panic.
//
// The formats are packages of their own, comm/goal, comm/dumpi, comm/pmpi and comm/chakra,
// which add themselves to All when they are imported. components/std imports them all.
//
// # Patterns, schedules and sizes
//
// comm/motif makes programs from patterns. FromSchedule writes a schedule of noc/collective
// out as messages. comm/chakra writes a rank as a Chakra execution trace. Resize changes the
// number of ranks. Decode reads a file that is in memory.
//
// # Left out
//
// One-sided communication, files, and the time of messages, which the player computes.
package comm
