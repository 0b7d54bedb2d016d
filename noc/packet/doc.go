// Package packet is a network whose packets wait in queues: kind network,
// fidelity packet, the default.
//
//	{name: Net, kind: network, clock: 1GHz, width: 16B, packet: 16,
//	  topology: {name: dragonfly, p: 2, a: 4, h: 2}, routing: {name: ugal_l},
//	  local: {bandwidth: 25GB/s, latency: 30ns}, global: {bandwidth: 25GB/s, latency: 300ns}}
//
// Messages are cut into packets, each routed on its own, adaptively if the
// algorithm is. How a packet moves is told in noc/channel, which also says what is
// left out: queues have no end, and nothing blocks. In an empty network a message
// of one packet takes as long as at fidelities flit and flow.
package packet
