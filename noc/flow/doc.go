// Package flow is a network that moves whole messages: kind network, fidelity
// flow.
//
//	{name: Net, kind: network, fidelity: flow, topology: {name: ring, size: 8},
//	  local: {bandwidth: 50GB/s, latency: 500ns}}
//
// Every channel carries one message after the other, in the order they come to
// it. A message is one packet of noc/channel: it is routed as a whole, and one
// event per hop is all it costs, whatever its size. In an empty network it takes
// as long as at fidelities packet and flit. Under load a long message keeps short
// ones waiting for all of its length, which packets do not; with express, messages as
// short as control messages pass it.
//
// Left out: what noc/channel leaves out.
//
// With
//
//	switching: store_and_forward, rounding: down
//	clock: 1GHz, router: {latency: 0ns}
//
// and bandwidths in multiples of 2^30 B/s it follows the congestion-aware back end
// of ASTRA-sim 2.0: links in order, a message stored whole in each node, times cut
// to nanoseconds.
package flow
