// Package flit is the network node that simulates every flit: kind network, fidelity flit.
//
//	{name: Net, kind: network, fidelity: flit, topology: {name: dragonfly, p: 2, a: 4, h: 2},
//	  routing: {name: ugal_l}, router: {preset: booksim}}
//
// The node takes messages of the shell noc/network, sends them as packets of a fabric.Network, and
// returns a message when all its packets have arrived. A terminal takes one message at a time. A
// message is one packet, or several with virtual cut-through or a limit of the packet length.
//
// Before the run the routing is proven free of cycles (deadlock.Check). While nothing is under way the
// node has no events. The run ends with an error when no flit has moved for a thousand cycles beyond
// the longest round trip, and no terminal is held by its link. The error names the virtual channels
// that wait for each other.
//
// A packet that a failed channel has cut is sent again after a timeout, or its message is lost.
//
// Traffic that drives all terminals hands packets over by value (network.ByValue), without messages.
//
// # Left out
//
// What routers do is package noc/fabric, and what they are like noc/fabric/setting.
package flit
