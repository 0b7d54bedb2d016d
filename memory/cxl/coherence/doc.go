// Package coherence has the state machines that keep lines of CXL memory coherent. For memory of
// devices: Host (a host's cache) and Device (coherence engine DCOH, snoop filter and cache). For
// memory of a host: Home (its home agent) and Agent (a device's cache). They take and send
// messages; time and links are the caller's. A message that the state does not allow panics;
// there are no errors.
//
//	d := coherence.NewDevice(coherence.HDMDB, coherence.NewFilter(1024, 8), 64, 8, sink)
//	h := coherence.NewHost(0, 1024, 16, sink)
//	h.Access(0x40, coherence.Store, ref, value) // sends MemInv; Done tells the end
//
// # Models
//
// HDM-DB: several hosts, and an accelerator of the device. The filter is inclusive and bounded: a
// line that a host holds has an entry, and a full set evicts its least recently used entry by
// BISnpInv. Requests for a busy line wait at the device; MemWr never waits.
//
// HDM-D: one host and the accelerator. The device keeps the host's state of every line, as in its
// metadata: I is device bias, others host bias. The device requests a line of the host over
// CXL.cache (RdAny for a load, RdOwnNoData to write a whole line, RdOwn to write part of one),
// and the host answers by MemRdFwd on CXL.mem. Bias is per line, not per page.
//
// HDM-H needs no state machine: only the host caches.
//
// # What a host does
//
// A load that misses is MemRd,SnpData,S, a store of part of a line MemRd,SnpInv,A, one of a whole
// line MemInv,SnpInv,A. A dirty line goes by MemWr,I, a clean one by MemClnEvct. A host without a
// cache reads by MemRd,SnpCur,I, and writes by MemInv and MemWr. A snoop of a modified line makes
// the host write it by MemWr, and is answered after the Cmp.
//
// # Conflicts
//
// A BISnp for a line with a request of the host in flight may precede or follow that request. The
// host sends BIConflict; the device answers BI-ConflictAck, which does not overtake a Cmp sent
// before. If the Ack arrives before the Cmp, the conflict is early: the device has not served the
// request, and the host answers the snoop from its present state. Otherwise it is late: the host
// uses the granted line, then answers. The transcripts in testdata show both and all other flows.
//
// Order: BI-ConflictAck does not overtake Cmp of its line, and M2S requests of a line of HDM-D
// stay in order with MemRdFwd and MemWrFwd; all other messages may overtake each other. The tests
// explore every order of small systems and random orders of larger ones, and check that there is
// at most one writer, loads read the last store, every access ends, and the filter has every
// sharer.
//
// # Caches of devices for the host's memory
//
// An Agent is such a cache, a Home the home agent that orders the requests of agents and cores
// (CXL.cache). A load that misses is RdAny, a store of a whole line RdOwnNoData, of part of it
// RdOwn; without a place in the cache RdCurr (data without GO) and WrInv (WritePull, data, GO-I).
// Evictions are DirtyEvict (GO_WritePull, data), CleanEvict (GO_WritePull_Drop) and
// CleanEvictNoData (GO-I). The home agent snoops sharers whose state conflicts with a request,
// one snoop at a time per line and device, and meanwhile sends that device no GO for the line. A
// snoop does not overtake a GO sent before, and waits for its data. A snoop of a line that is
// being evicted takes the data; data pulled later are bogus. A Home answers ItoMWr, CLFlush and
// RdShared, which no Agent sends.
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
