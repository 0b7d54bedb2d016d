// Package coherence has the state machines that keep lines of CXL memory coherent:
// a host with its cache and home agent, and a device with its coherence engine
// (DCOH), snoop filter and cache; the home agent of a host's own memory, and the
// caches of devices for it. They are pure: messages go in and come out, time
// and links are the caller's.
//
//	d := coherence.NewDevice(coherence.HDMDB, coherence.NewFilter(1024, 8), 64, 8, sink)
//	h := coherence.NewHost(0, 1024, 16, sink)
//	h.Access(0x40, coherence.Store, ref, value) // sends MemInv; Done tells the end
//
// # Models
//
// HDM-DB: several hosts, and an accelerator of the device. The filter is inclusive
// and bounded: a line that a host holds has an entry, and a full set gives up its
// least recently used entry by BISnpInv. Requests for a line that has something
// under way wait at the device; MemWr never waits.
//
// HDM-D: one host and the accelerator. The state of a line in the host is kept for
// every line of the memory, as in its metadata: I is device bias, others host bias.
// The device asks the host over CXL.cache (RdAny for a load, RdOwnNoData for a whole
// line, RdOwn for part of one) and is answered by MemRdFwd on CXL.mem. Bias is that
// of a line, not of a page.
//
// HDM-H needs no machine: only the host caches.
//
// # What a host does
//
// A load that misses is MemRd,SnpData,S, a store of part of a line MemRd,SnpInv,A, one
// of a whole line MemInv,SnpInv,A. A dirty line goes by MemWr,I, a clean one by
// MemClnEvct. A host without a cache reads by MemRd,SnpCur,I, and writes by MemInv
// and MemWr. A modified line that a snoop asks for is written by MemWr, and the
// snoop is answered when its Cmp has come.
//
// # Conflicts
//
// A BISnp that meets an own request of the host whose Cmp has not come could be the
// earlier or the later of the two. The host asks by BIConflict; the device answers
// BI-ConflictAck, which stays behind a Cmp that was sent before. If the Ack comes
// first, the conflict is early: the device has not served the request, and the host
// answers the snoop from what it held. Otherwise it is late: the host uses what it
// is granted, then answers. The transcripts in testdata show both, and all the other
// flows.
//
// What may pass what: nothing is in order, but that BI-ConflictAck stays behind Cmp
// of its line, and that M2S requests of a line of HDM-D stay in order with MemRdFwd
// and MemWrFwd. The tests explore every order of small systems, and random ones of
// larger systems: at most one writer, loads read the last store, every access ends,
// the filter knows every holder.
//
// # Caches of devices for the host's memory
//
// An Agent is such a cache, a Home the home agent that orders what agents and cores
// want (CXL.cache). A load that misses is RdAny, a store of a whole line RdOwnNoData,
// one of part of it RdOwn; where there is no place in the cache, RdCurr (whose data
// come without GO) and WrInv (WritePull, data, GO-I). Lines go out by DirtyEvict
// (GO_WritePull, data), CleanEvict (GO_WritePull_Drop) and CleanEvictNoData (GO-I). The
// home agent snoops who holds a line in a state that does not go with the request, one
// snoop at a time per line and device, and sends no GO for the line to that device
// meanwhile. A snoop stays behind a GO that was sent before, and waits for its data. A
// snoop that meets an eviction takes the data; those that are pulled later are bogus.
// ItoMWr, CLFlush and RdShared are answered, but no agent sends them.
//
// # Left out
//
// BISnp of several lines (Blk), speculative reads, poison, TEE opcodes, extended
// metadata, MemWr of a host without ownership (a weakly ordered write, SnpInv); of
// CXL.cache WOWrInv and its Fast_GO, WrCur, errors, CacheFlushed.
//
// # Deviations
//
//  1. The device answers Cmp and MemData together, when it has the data; the
//     specification lets Cmp go earlier.
//  2. A shared read of a line that no cache holds is granted E.
//
// # Sources
//
// Compute Express Link 3.1, sections 3.2 (CXL.cache), 3.3 (CXL.mem: 3.3.3 back
// invalidation, 3.3.5 to 3.3.10 messages), 3.4 (order), 3.5 (flows).
package coherence
