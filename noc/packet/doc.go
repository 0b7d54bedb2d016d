// Package packet models a network whose packets wait in queues: node kind network, fidelity
// packet, the default.
//
//	{name: Net, kind: network, clock: 1GHz, width: 16B, packet: 16,
//	  topology: {name: dragonfly, p: 2, a: 4, h: 2}, routing: {name: ugal_l},
//	  local: {bandwidth: 25GB/s, latency: 30ns}, global: {bandwidth: 25GB/s, latency: 300ns}}
//
// Messages are cut into packets, each routed on its own. noc/channel describes how a packet
// moves, and what is left out. With a buffer packets wait for room, so that routers sense
// congestion elsewhere, as ugal_l needs, and classes of virtual channels that may deadlock are an
// error before the run. With buffer: 0 queues are unbounded. Without the key, buffers cover the
// longest round trip if the routing senses queues and its classes are free of cycles, and are
// unbounded otherwise. In an empty network a message of one packet takes as long as at fidelities
// flit and flow. Units are in the values.
package packet
