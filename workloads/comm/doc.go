// Package comm holds communication programs: what each rank of a parallel
// program computes, sends and receives, and what waits for what. It reads them
// from the traces and schedules of other tools, makes them from patterns, and
// writes them as Chakra execution traces. workloads/player/ranks plays them.
//
//	p, format, err := comm.Open("traces/all_reduce.%d.et", comm.Options{})
//
// # Programs
//
// A rank is a list of operations. Each waits for others of the same rank, for
// their end (After) or only for their start (With): a program that goes on after
// a non-blocking send waits for its start, a wait is a Join that waits for its
// end. A message matches a receive by source, tag and communicator (Group), in
// the order in which both were started.
//
// # Files
//
// Open takes a file of all ranks (goal), a name with %d or %04d in place of the
// rank, a folder, or a tar archive; the last two hold a file per rank, whose
// number is the last in its name, and whatever else, which is passed over. Files
// and archives may be compressed by gzip. A file is read from front to back; what
// is kept of it is 64 bytes per operation and 4 per dependency. Of archives one
// file at a time is in memory. Errors are *Error: file and line, or byte. No input
// makes a reader panic.
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
// One-sided communication and files. How long an operation takes is up to the player.
package comm
