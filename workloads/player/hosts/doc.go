// Package hosts executes traces of hosts that compute, write and read a shared memory: node kind
// hosts, one port mem per host.
//
//	nodes:
//	  - {name: Hosts, kind: hosts, trace: "inputs:tsim4cxl/lmps/r%d.txt", hosts: 2}
//	  - {name: Mem, kind: memory, fidelity: ideal, latency: 50ns, size: 1GiB}
//	links:
//	  - Hosts.mem -> Mem
//
// # A host
//
// A host executes its trace in order. Before a request it waits for all earlier reads, then
// computes for the request's delta time. A request is cut into packets, one memory request each.
// At most Outstanding packets are in flight, and the host's thread takes Overhead for each. Posted
// writes do not count as outstanding. Delta times are differences of consecutive times of the
// trace; a trace without times computes nothing.
//
// # Signals
//
// Hosts exchange data through the memory. With sync, the n-th read of a packet, in the order of
// time, waits for the end of its n-th write, or of the last write if there are fewer, and for none
// if no host writes the packet. A cycle of waits ends the run with an error that names the waiting
// hosts.
//
// # Graphs
//
// With format: chakra (or chakra_json) the hosts are the ranks of Chakra execution traces: their
// nodes of memory are the requests, in an order that the graph allows and in one thread,
// computations in front of them. Such graphs have sizes and no addresses: each node gets separate
// consecutive addresses, so no written data are read. Messages and collectives are an error: use
// kind ranks.
//
// # Derived traces
//
// If there are more hosts than files, the files are reused in turn. The addresses of each turn are
// moved by stride, by default the span of all files in whole MiB, so each group of hosts shares
// its part of the memory.
//
// # Counts
//
// Lines and flits of 68 B by the rule of TSim4CXL do not depend on what is below the
// port: a request is cut into packets from its own start, a packet of n bytes
// has n/64 lines, rounded up; two reads share a flit, four writes take five flits,
// rounded up per packet. Lines by address are the aligned 64 B that a request
// touches.
//
// # In front of the memory
//
// Core and caches are host_latency of a cxl_root. Translations and page tables are a
// node of kind tiering, whose walks read the table where it lives; local memory is
// another of its tiers, and a NUMA hop the latency of the link to it.
//
// # Left out
//
// The data. Dependencies within a request.
//
// # Deviations
//
//  1. TSim4CXL pads a request to whole packets; here the last packet is as long as
//     what is left.
//  2. Its host waits for each packet of a read; here that is outstanding: 1.
//  3. cut: line, the default, cuts packets at boundaries of lines by address, so
//     that no line is carried twice; TSim4CXL cuts from the request's start.
//
// # Source
//
// TSim4CXL (Euro-Par 2025), the rules of its host process and its trace files.
package hosts
