// Package network is the shell of a network node of any fidelity: terminals for messages of any
// protocol, the table from ports to terminals, the order of requests, the metrics. A Core moves
// messages between terminals; noc/fabric, noc/packet and noc/flow have one each, as fidelities
// flit, packet and flow of kind network.
//
//	{name: Net, kind: network, fidelity: flit, clock: 1GHz, width: 16B,
//	  topology: {name: dragonfly, p: 2, a: 4, h: 2}, routing: {name: ugal_l}}
//
// # Terminals
//
// Port terminal is an array with an element per terminal of the topology. It takes all protocols,
// and elements may stay unlinked. The requests of a core linked to a terminal reach every memory
// that is linked to another one. The network sends a message to the terminal that leads to its
// Dst; of several to the one with the fewest networks on the way, then to the first. Messages are
// forwarded unchanged.
//
// A message has its TrafficBytes plus the key header, and takes at least one flit of width bytes.
//
// # Time
//
// In a cycle the node first sends messages that a full link had refused, then takes messages,
// lowest terminal first, as many as the core has room for, then advances the core. A message that
// the core delivers is sent in the same cycle. If the link refuses it, the terminal is held: the
// core delivers no more there, and later messages wait in the network.
//
// # Order
//
// Memory requests from one terminal to one port are delivered in order: a request that overtakes
// another waits at the far terminal. Other messages, also answers, are delivered as they arrive.
//
// # Left out
//
// Virtual networks for requests and answers, which share all channels. A memory that accepts
// requests while its answers wait, as all of this library do, needs none.
//
// Times of a Core are cycles of the key clock. A Spec is checked by Check, Plan and Outages, with
// errors at their places in the configuration.
package network
