// Package nearmem models a host that offloads kernels to a device near CXL memory: node kind
// nearmem. One component holds host, device, link and ring. It has asynchronous back-streaming
// (KAI, later AXLE) and the protocols that AXLE is compared with.
//
//	{name: Near, kind: nearmem, protocol: async, work: {name: knn, dim: 2048, rows: 128}}
//
// # Model
//
// A program (package offload) is a sequence of phases. Each phase launches a kernel of device
// tasks; host tasks consume the results. Host and device each have units and a memory. A unit
// runs one task at a time, rate operations per cycle, and the units share the memory's bandwidth.
// A task ends when both its operations and its bytes are done. Memory latency is hidden on both
// sides (microthreads, prefetching), bandwidth is not.
//
//   - rp: the host stores arguments and rings a doorbell by CXL.io, and firmware starts the
//     kernel. The host polls every remote_polling; a poll takes a CXL.io round trip. The first
//     poll that reaches the device after the kernel's end reports it. The host then loads all
//     results by CXL.mem and starts its tasks.
//   - bs: the host launches by a CXL.mem store, then issues a load that the device answers at the
//     kernel's end. Results and host tasks are as with rp.
//   - async: finished results wait until their bytes reach the streaming factor or the kernel
//     ends. The device prepares one DMA request at a time; it carries all waiting results that
//     fit the ring, payload in whole slots, then metadata, as posted CXL.io writes. The host
//     polls the metadata's tail in its own memory every local_polling, from time 0, and takes all
//     results that have arrived. A host task starts when all results of its group have arrived,
//     and frees their slots when it ends, in any order (package ring). The host returns ring
//     heads by CXL.mem stores, one at a time, so the device's copy of the head is at least half a
//     round trip old.
//   - interrupt: as async, but the host learns of results a fixed time after their arrival.
//
// out_of_order: false sends results in the order of tasks: a finished result waits until all
// earlier ones are sent.
//
// Time is integer picoseconds. Busy and idle times of each side add up to the run, which is
// checked.
//
// A host task that needs more results than the ring has slots deadlocks the run; the error names
// the circular wait (exit code 5).
//
// # The link
//
// By default the link has a round trip of CXL.mem, one of CXL.io, and one bandwidth for payload,
// as published. With link.flit it is a CXL link (memory/cxl/link) with flits, credits, Acks,
// replays under bit errors, and arbitration between CXL.io and CXL.mem.
//
//	link: {flit: 68B, rate: 32, lanes: 16}
//
// Arguments, launches and heads are then stores of a line each (M2S RwD, answered by NDR).
// Results of rp and bs are loads of a line each (M2S Req, S2M DRS). Results of async and
// interrupt are posted CXL.io writes of at most 256 B, payload first, then metadata. Doorbell,
// polls and their answers are packets of 4 B. With rp the host rings after its stores have
// completed, since CXL.io is not ordered with CXL.mem. The keys mem and io are then the latency
// of the protocol layers of both ends; half of it follows the last flit of a message.
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
//  1. The publication ran M2NDP (arXiv 2404.19381), which executes kernels; here tasks have
//     counts of operations and bytes. Fitted numbers are listed in the doc of offload; firmware:
//     5000cycle is fitted too.
//  2. The interrupt of 50 us delays every notice but does not occupy the host. If it did, KNN
//     would take several times as long as published, since it has tens of DMA requests.
//  3. The assignment of tasks to units is published only as "round-robin". Here a unit gets one
//     block of a graph or table, and KNN's vectors go across the units. The cost of in-order
//     results depends on it: with tasks dealt one by one it is 0.
//  4. The split of LLM is not published. Here the prompt of 1024 tokens is read, attention is
//     offloaded by blocks of 32 queries, and the host needs all heads of a block at once: 10,240
//     slots, more than an eighth of 50,000 and less than a quarter. Embedding and vocabulary are
//     left out.
//  5. A kernel's device tasks never wait for the ring: results are in the device's memory
//     already. Back-pressure delays only their transfer to the host.
package nearmem
