// Package memlink models a link of packets to a remote memory: node kind memlink. Accelerator
// links with load and store (UALink, NVLink), links between dies of a package (UCIe) and RDMA over a
// network card are presets. Requests
// arrive at port top and leave on the far side at port bottom.
//
//	nodes:
//	  - {name: GPU, kind: driver, trace: run.trc, mode: "closed:64"}
//	  - {name: XLink, kind: memlink, preset: ualink_x4}
//	  - {name: Peer, kind: memory, preset: hbm3}
//	links:
//	  - GPU -> XLink.top
//	  - XLink.bottom -> Peer
//
// # Operations and packets
//
// A request is widened to whole pages, if operation.page is set, and cut into operations at
// multiples of operation.size. An operation is cut into packets of packet bytes of data. A packet
// has a header, and is rounded up to granule and to at least least bytes. A read sends one packet
// without data and receives its data in packets; a write sends its data and receives one packet
// without.
//
// In each direction packets are packed into flits: flit.size bytes on the wire, of which
// flit.payload are packets. A flit leaves as soon as any packet bytes wait, filled or not. With
// enough packets waiting, data in packets of d bytes pass at
//
//	payload efficiency = d / (header + d, rounded) x flit.payload / flit.size
//
// With several links a packet takes the one on which it arrives first; packets leave the far end
// in order.
//
// # Credits
//
// With credits a packet also waits, in order, until its receiver has room for it. The far end frees a
// place when the packet goes to the memory, the requester when the packet arrives. The sender knows of
// it latency later. Credits return in the headers of flits and take no bytes here. Packets of d bytes in
// flits that take f then pass at most
//
//	credits x d / (f + 2 x latency)
//
// # The way of an operation
//
// Operations start in the order of arrival, at most outstanding at once:
//
//	software   a thread of the requester works on it (post and poll of RDMA)
//	issue      doorbell and descriptor on their way to the network card
//	interval   the card begins no more than one operation in that time
//	request    the link, and latency after the last bit
//	access     from the far end to its memory and back, besides the memory's time
//	memory     the node below port bottom, per packet
//	response   the link, and latency
//	complete   data and completion on their way to the requester
//
// Only software and the link are occupied; the other parts are delays that overlap with those of
// other operations. The parts of an operation, up to its last packet, add up to its latency,
// which is checked.
//
// # Left out
//
// Errors and retry, atomics,
// address translation, congestion between links, caches of pages.
//
// # Sources
//
// Those of the presets. UALink 200G 1.0: an RS(544,514) code word carries 5,140
// bits, which are 20 blocks of 257 for 256, so 640 B: one flit of its data link.
// UCIe 1.1, section 3.3: 68 B are 64 B of the protocol, a header and a CRC of 2 B; of a standard flit of
// 256 B 2 B are a header, 4 B CRC and 10 B reserved, of a latency-optimised one with optional bytes a
// header and CRC; in raw format the protocol fills all bytes.
// InfiniBand Architecture 1.4, volume 1, chapters 5 and 9: headers, sizes of packets.
//
// # Deviations
//
//  1. Packets of a flit are not aligned to sub-flits (64 B in UALink), and headers
//     have one size, uncompressed.
//  2. A flit is not padded to begin at a multiple of its time: an idle link begins
//     at once.
package memlink
