// Package packet is a network whose packets wait in queues: kind network,
// fidelity packet, the default.
//
//	{name: Net, kind: network, clock: 1GHz, width: 16B, packet: 16,
//	  topology: {name: dragonfly, p: 2, a: 4, h: 2}, routing: {name: ugal_l},
//	  local: {bandwidth: 25GB/s, latency: 30ns}, global: {bandwidth: 25GB/s, latency: 300ns}}
//
// Messages are cut into packets, each routed on its own, adaptively if the
// algorithm is. noc/channel describes how a packet moves. With a buffer packets wait
// for room, routers feel congestion elsewhere, as local adaptive routing wants it
// (ugal_l), and the classes of virtual channels are checked for cycles before the
// run. With buffer: 0 queues have no end and nothing blocks. Left out, buffers cover
// the longest round trip where the routing looks at queues and its classes are free
// of cycles, and have no end elsewhere. In an empty network a message of one packet
// takes as long as at fidelities flit and flow.
package packet
