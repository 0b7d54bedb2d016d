// Package tsim4cxl is a CXL memory by the rules of time of TSim4CXL, to be compared
// with its own runs: node kind cxl_tsim4cxl. For anything else take cxl_root and
// cxl_type3, which have pipelines, credits, retry and switches.
//
//	nodes:
//	  - {name: Hosts, kind: hosts, trace: "r%d.txt", hosts: 2, outstanding: 1, posted: true, overhead: 45ns, cut: start}
//	  - {name: Path, kind: cxl_tsim4cxl, hosts: 2}
//	  - {name: Mem, kind: memory, preset: ddr5_4800}
//	links:
//	  - Hosts.mem -> Path.host
//	  - Path.mem -> Mem
//
// # The rules
//
// A request is padded to packets of 16 lines. Each host has an upstream port (USP);
// all share a controller. Each of them has a thread for the way there and one for
// the way back, which takes one step after the other and waits in between:
//
//	USP there   two reads a flit: port + link every 8th flit, else a clock;
//	            four writes in five flits: port + link every 20th flit, else a clock
//	controller  port + interconnect for each 16th read, and each 16th write; else link
//	back        port + interconnect + link for up to 3 reads (a clock each), 2 writes,
//	            or 2 writes and a read
//	USP back    port for each 8th read, and each 8th write; else link
//
// A thread that finds nothing looks again a clock later. Packets are done in order:
// every 16 answers of reads, or of writes, are the oldest packet's, whosever lines
// they were.
//
// # Deviations
//
//  1. The wrapper of the DRAM passes a line on at once, not at its next clock.
//  2. Their memory answers a write when its command is issued, ours when its data
//     have passed.
//
// # Source
//
// TSim4CXL (Euro-Par 2025), the rules of its published program.
package tsim4cxl
