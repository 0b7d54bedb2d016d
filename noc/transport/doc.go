// Package transport simulates a packet network whose endpoints control congestion: switches with
// finite output queues that mark, pause, drop or trim packets, and endpoints that acknowledge,
// slow down and send again. It is the core of noc/packet if the key congestion is set.
//
//	{name: Net, kind: network, clock: 1GHz, width: 64B, packet: 64, packet_header: 64B,
//	  topology: {name: fat_tree, k: 4, n: 2}, congestion: {name: dcqcn},
//	  queue: {size: 400KB, ecn: {kmin: 20KB, kmax: 80KB, pmax: 0.1}}}
//
// # A flow
//
// The messages from one terminal to another are a flow: their packets are numbered, sent in order
// and acknowledged. A congestion.Control, which lives as long as the run, decides how many bytes
// are in flight and at what rate packets leave. Flows of a terminal that may send take turns by
// packets. A message has arrived when its receiver has all of its packets; it is complete when its
// sender has all acknowledgements. Flow completion time is from the moment at which the network
// takes a message to its completion.
//
// # A switch
//
// A packet that arrives is routed by a routing.Algorithm and joins the queue of its output port,
// Router cycles after its arrival. Acknowledgements, notifications and trimmed packets have a
// queue of their own, which is served first and has no end. A data packet that finds no room is
// lost, or trimmed to its header. A packet is marked when it leaves, by the bytes that wait behind
// it: never up to kmin, with a probability that grows to pmax at kmax, always above.
//
// With pfc a switch counts the bytes of data that arrived by each channel and have not left. Above
// pause it stops the sender at the other end of the channel, below resume it lets it go on; both
// take the latency of the channel, and end no packet. Acknowledgements are never stopped.
//
// # Losses
//
// With go_back_n a receiver takes packets in order only. At a gap it asks for the first missing
// packet, once, and the sender starts again from there. With selective it takes packets in any
// order and acknowledges each; the sender repeats what was trimmed, what timeout did not bring
// back, and without spray what `reorder` later packets have overtaken. A timeout doubles with each
// that follows.
//
// # Random choices and paths
//
// A random choice of the routing is a hash of the flow, of the packet's entropy and of the router,
// as in equal-cost multi-path. A flow has one entropy, so that its packets take one path; with
// spray it has several, which its packets take in turn.
//
// # Left out
//
// A host's delay and memory: a receiver takes every packet. Priorities of data. Headroom: with pfc
// a queue has no limit unless size is given. Preemption of a packet by another.
package transport
