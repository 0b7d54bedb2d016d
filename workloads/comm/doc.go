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
// their end (After) or only for their start (With): a program that goes on behind
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
// goal: send, recv, calc, requires, irequires, tag and cpu; nic is read and has no
// effect. calc counts nanoseconds.
//
// dumpi: libraries from version 0.5 on that recorded the sizes of data types. The
// time between two calls that communicate is computation, calls of other kinds
// included; what went on inside a call is not, since the replay has its own. Wall
// time is taken, else CPU time. Ranks begin when MPI_Init returned. Communicators
// are followed through dup, split, create of a group by Group_incl, and Cartesian
// grids; others are an error where they are used. Collectives with a count per
// rank, and scans, become messages.
//
// pmpi: the text that liballprof writes. Communicators other than that of all
// ranks are an error, for the trace does not say who is in them: of a split it has
// colour and key, but not the handle that came of it, by which later calls go.
//
// chakra, chakra_json: schema 1.0.2-chakra.0.0.4; as protocol buffers, as
// workload_graph, or as the messages in JSON one after the other.
//
// # Patterns and writing
//
// Patterns has motifs of applications (halo3d, sweep3d, fft, lammps, milc, amr)
// and each collective on its own; Make makes their programs. They have the shape
// of the applications, and sizes as parameters; they are not their traces.
// FromSchedule writes a schedule of noc/collective out as messages. WriteChakra
// writes a rank as a Chakra execution trace. Resize changes the number of ranks.
//
// # Left out
//
// One-sided communication and files. Requests that a program tests and that are
// not done: a replay waits where the trace found them done. Cancelled sends.
// Memory operations of Chakra keep their size; whether they take time is up to
// the player.
//
// # Sources
//
// T. Hoefler, C. Siebert, A. Lumsdaine, Group Operation Assembly Language,
// ICPP 2009, and the grammar of LogGOPSim's txt2bin; SST DUMPI, traceformat.dox
// and dumpiio.c; liballprof and Schedgen of LogGOPSim; MLCommons Chakra,
// et_def.proto.
//
// # Deviations
//
//  1. Of a Chakra node only data_deps count. ctrl_deps of traces from PyTorch name
//     the operator that called this one, which need not have ended, or is not in
//     the file; ASTRA-sim ignores them too.
//  2. A Chakra collective or message without comm_type and comm_size is the host's
//     call of one that has a node of its own: it takes its time on the host.
//  3. pg_name and involved_dim of Chakra alone do not say which ranks take part, and
//     collectives are then of all ranks. WriteChakra lists them in an attribute of our
//     own, pg_ranks, and readers take what is there.
//  4. Allgatherv becomes an all_gather of the mean of its counts.
//  5. Schedgen drops collectives of sub-communicators; here they are an error
//     (pmpi) or carried out (dumpi).
package comm
