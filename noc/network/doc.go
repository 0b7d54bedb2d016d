// Package network is the shell of a network node: terminals that take any
// message, the table from ports to terminals, the order of requests, the
// metrics. How messages get from terminal to terminal is the business of a Core;
// noc/fabric, noc/packet and noc/flow have one each, as fidelities flit, packet
// and flow of kind network.
//
//	{name: Net, kind: network, fidelity: flit, clock: 1GHz, width: 16B,
//	  topology: {name: dragonfly, p: 2, a: 4, h: 2}, routing: {name: ugal_l}}
//
// # Terminals
//
// Port terminal is an array with an element for each terminal of the topology.
// All protocols go through it, links may leave elements free, and the requests of
// a core that is linked to one terminal reach every memory after the others.
// The network sends a message to the terminal that leads to its Dst; if there
// are several, to the nearest by networks on the way, then to the first. Messages
// are passed on as they are: Src, Dst, Info and all.
//
// A message is as many bytes as its TrafficBytes and the header key say, and
// takes at least one flit of width bytes.
//
// # Time
//
// In a cycle the node first passes on what had found no room on a link, then
// takes messages, lowest terminal first, as many as the core has room for, then
// lets the core work. A message that the core delivers is sent in the same cycle.
// Where a link does not take it the terminal is held: the core delivers nothing
// more there, and the messages after it wait in the network.
//
// # Order
//
// Requests to memory of one terminal to one port arrive in the order they were
// taken, whatever paths they took: one that overtakes waits at the far terminal.
// Other messages, answers among them, arrive as they come.
//
// # Left out
//
// Virtual networks for requests and answers: they share all channels. A memory
// that goes on taking requests while its answers wait, as those of this library
// do, needs none.
package network
