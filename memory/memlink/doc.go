// Package memlink is memory at the far end of a link that carries packets: kind
// memlink. Accelerator links with load and store (UALink, NVLink) and RDMA over a
// network card are presets of it. Requests come to port top and go on from port
// bottom, on the other side.
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
// A request is cut into operations at multiples of operation.size (after it was
// widened to whole pages, if there is a page), and an operation into packets of
// packet bytes of data. A packet has a header, is rounded up to granule and is least bytes
// at least. A read sends one packet without data and gets its data in packets; a
// write sends its data and gets one packet without.
//
// The bytes of packets follow each other in flits, each way on its own: size bytes
// on the wire of which payload are theirs. A flit leaves when there is something to
// send, filled or not; what comes later waits for the next. Data in packets of d
// bytes, with enough of them waiting, pass at
//
//	payload efficiency = d / (header + d, rounded) x flit.payload / flit.size
//
// With several links a packet takes the one on which it arrives first; at the far end
// none overtakes another.
//
// # The way of an operation
//
// In order of their coming, and no more than outstanding at once:
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
// All but the link and software are delays that others do not wait for. The parts of an
// operation add up to its latency, or the run fails; of its packets the last counts.
//
// # Left out
//
// Errors and retry, credits of the receiver (outstanding stands for them), atomics,
// address translation, congestion between links, caches of pages.
//
// # Sources
//
// Those of the presets. UALink 200G 1.0: an RS(544,514) code word carries 5,140
// bits, which are 20 blocks of 257 for 256, so 640 B: one flit of its data link.
// InfiniBand Architecture 1.4, volume 1, chapters 5 and 9: headers, sizes of packets.
//
// # Deviations
//
//  1. Packets of a flit are not aligned to sub-flits (64 B in UALink), and headers
//     have one size, uncompressed.
//  2. A flit is not padded to begin at a multiple of its time: an idle link begins
//     at once.
package memlink
