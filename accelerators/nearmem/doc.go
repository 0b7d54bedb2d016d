// Package nearmem is a host that offloads kernels to a device near CXL memory:
// kind nearmem. One component holds both sides, the link and the ring, in the
// manner of asynchronous back-streaming (KAI, later AXLE) and of what it is
// compared with.
//
//	{name: Near, kind: nearmem, protocol: async, work: {name: knn, dim: 2048, rows: 128}}
//
// # Model
//
// A program (package offload) is a sequence of phases. Each phase launches a kernel of
// device tasks; host tasks consume the results. A side has units that do a task
// each, at so many operations a cycle, and a memory whose bandwidth they share;
// a task ends when both its operations and its bytes are through. Memory latency
// is hidden on both sides (microthreads, prefetching), bandwidth is not.
//
//   - rp: the host stores arguments, rings by CXL.io, firmware starts the
//     kernel. Polls leave every microsecond and are answered one CXL.io round trip
//     later; the first that comes to the device after the kernel's end says so.
//     The host then loads all results by CXL.mem and starts its tasks.
//   - bs: launch by a CXL.mem store, a load that is answered at the kernel's end,
//     results and host tasks as before.
//   - async: results that are done wait until the streaming factor is reached or
//     the kernel is at its end; one DMA request at a time is prepared and takes all
//     that waits and finds room; payload in whole slots, then metadata, by
//     posted CXL.io writes. The host looks at the metadata's tail in its own memory
//     every local_polling, counted from time 0, and takes all that has come. A host
//     task starts when the results of its group are there, and frees their slots at
//     its end, in any order (package ring). Heads go back by CXL.mem stores, one at a
//     time, so the device's head is old by half a round trip or more.
//   - interrupt: as async, but results are known a fixed time after they came.
//
// out_of_order: false sends results in the order of tasks: one that is done waits
// until all before it are sent.
//
// Time is integer picoseconds. No event costs an allocation. The idle times of
// each side add up to the run, which is checked.
//
// A host task that needs more results at once than the ring has slots for stops the
// run: the error names the circle (exit code 5).
//
// # The link
//
// By default it is round trips of CXL.mem and CXL.io and one bandwidth for payload, as
// published. With link.flit it is a CXL link (memory/cxl/link): flits, credits, Acks,
// replays under bit errors, and CXL.io and CXL.mem that take turns.
//
//	link: {flit: 68B, rate: 32, lanes: 16}
//
// Arguments, launches and heads are then stores, a line each (M2S RwD, answered by NDR);
// results of rp and bs are loaded line by line (M2S Req, S2M DRS); results that stream
// back are posted writes of CXL.io of 256 B at most, payload first, then metadata;
// doorbell, polls and their answers are packets of 4 B. With rp the host rings when
// its stores are completed, since CXL.io does not wait for CXL.mem. mem and io are what
// the protocol layers of both ends take, half of it after the last flit of a message.
//
// # Left out
//
// Switches and nodes of kind cxl_root: host, link and device are one component. Writing results to the device's memory, the cores
// that poll (a free one is assumed), queueing of interrupts, DRAM banks,
// several devices, several kernels at once.
//
// # Sources
//
// Lee et al., arXiv 2512.04449: version 1 calls the system KAI, later ones AXLE,
// with other figures. Defaults are its table III. PCIe 5.0 x16 has 63 GB/s after
// 128b/130b.
//
// # Deviations
//
//  1. The publication ran M2NDP (arXiv 2404.19381), which executes kernels; here
//     tasks have counts of operations and bytes. What is fitted stands in
//     offload's doc, and firmware: 5000cycle is.
//  2. The published interrupt of 50 us delays every notice and holds up nothing
//     else. With one that occupied the host, KNN would take several times as
//     long as published, because it has tens of DMA requests.
//  3. How the units are given tasks is not public ("round-robin"); here a graph or
//     table lies in one block per unit, and KNN's vectors across the units. The
//     cost of order depends on it: with tasks dealt one by one, order costs nothing.
//  4. For LLM the published split is not public. Here the prompt of 1024 tokens is
//     read, attention is offloaded by blocks of 32 queries, and the host needs all
//     heads of a block at once: 10,240 slots, more than an eighth of 50,000 and
//     less than a quarter. Embedding and vocabulary are left out.
//  5. A kernel's device tasks never wait for the ring: results are in the device's
//     memory already. Back-pressure delays their way to the host only.
package nearmem
