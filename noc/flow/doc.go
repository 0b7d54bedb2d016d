// Package flow models a network that moves whole messages: node kind network, fidelity flow.
//
//	{name: Net, kind: network, fidelity: flow, topology: {name: ring, size: 8},
//	  local: {bandwidth: 50GB/s, latency: 500ns}}
//
// Every channel carries one message after the other, in order of arrival. A message is one packet
// of noc/channel: it is routed as a whole and takes one event per hop, whatever its size. In an
// empty network it takes as long as at fidelities packet and flit. Under load short messages wait
// for whole long ones, which they do not with packets; with express, messages up to that size do
// not wait.
//
// Left out: what noc/channel leaves out.
//
// With
//
//	switching: store_and_forward, rounding: down
//	clock: 1GHz, router: {latency: 0ns}
//
// and bandwidths in multiples of 2^30 B/s it equals the congestion-aware back end of ASTRA-sim
// 2.0: FIFO links, store-and-forward of whole messages, times rounded down to nanoseconds. Units
// are in the values; errors of a configuration are at their places.
package flow
