// Package tsim4cxl models a CXL memory by the timing rules of TSim4CXL, for comparison with its
// runs: node kind cxl_tsim4cxl. Left out are pipelines, credits, retry and switches, which kinds
// cxl_root and cxl_type3 have.
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
// A request is padded to packets of 16 lines. Each host has an upstream port (USP); all hosts
// share a controller. A USP and the controller have one thread for requests (there) and one for
// answers (back). A thread takes one step after the other, and each step takes:
//
//	USP there   two reads a flit: port + link every 8th flit, else a clock;
//	            four writes in five flits: port + link every 20th flit, else a clock
//	controller  port + interconnect for each 16th read, and each 16th write; else link
//	back        port + interconnect + link for up to 3 reads (a clock each), 2 writes,
//	            or 2 writes and a read
//	USP back    port for each 8th read, and each 8th write; else link
//
// An idle thread polls every clock. Packets end in order: every 16 answers of reads, or of
// writes, end the oldest packet, whichever lines they were for.
//
// # Deviations
//
//  1. The DRAM wrapper forwards a line at once, not at its next clock.
//  2. TSim4CXL's memory answers a write when its command is issued, ours when its data have
//     passed.
//
// # Source
//
// TSim4CXL (Euro-Par 2025), the rules of its published program.
package tsim4cxl
