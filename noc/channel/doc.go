// Package channel simulates a network without flits: packets move over channels that are FIFO
// queues with a bandwidth and a latency. It is the core of noc/packet, where a packet is a part
// of a message, and of noc/flow, where it is a whole one.
//
//	net, err := channel.New(channel.Config{Topology: t, Routing: a, Terminal: c, Local: c, Global: c, Width: 16})
//	net.Send(channel.Message{ID: 1, Src: 0, Dst: 5, Bytes: 4096}, 0)
//	next := net.Advance(0, arrived)
//
// # A packet
//
// A terminal cuts a message into packets of Packet bytes. Messages at one terminal alternate by
// packets. A packet that arrives at a router is routed at once, by a routing.Algorithm that sees
// the queue of each port (View), and joins the queue of its port. It leaves at least Router
// cycles after its arrival, and after all packets before it. It occupies the channel for bytes /
// bandwidth, and its head arrives a latency after it left.
//
// With cut-through a packet is forwarded when its head arrives, and sent no faster than it
// arrives; it occupies a faster channel only for its own bytes / bandwidth. A terminal takes
// packets one after the other. With Buffer a packet waits until its tail is near, so that a
// second slow channel takes its time again: through terminals of 2 GB/s and channels of 16 GB/s,
// 512 B in packets of 256 B take 379 cycles, without Buffer 267, as at fidelity flow; at flit
// 274. With store-and-forward a packet is forwarded when its tail has arrived.
//
// A message has arrived when the tail of its last packet has. In an empty network with h channels
// of one bandwidth between routers that takes
//
//	latencies of all h+2 channels + (h+1) Router + bytes / bandwidth
//
// if it is one packet with cut-through; with store-and-forward bytes / bandwidth counts on every
// channel.
//
// # Time
//
// Inside, times are in units of 2^-16 cycles, rounded down, so that rates such as 2.56 bytes per
// cycle are nearly exact. Whole rounds the time of a packet on a channel down to whole cycles, as
// ASTRA-sim does. Messages arrive in whole cycles, rounded up. New returns an error for an
// impossible Config.
//
// # Buffers
//
// With Buffer, a router holds so many flits per channel and class. A routed packet waits at its
// port, in the lane of its class, until there is room for all of it at the other end. It frees
// its own room when its tail has left, and the sender learns of that a latency later. Classes of
// a port alternate. At ADV+1 on a dragonfly of 72 terminals MIN then accepts 0.125 flits per
// cycle and terminal, Valiant 0.437, ugal_l 0.45, which are the known bounds and the values of
// noc/fabric.
//
// Without Buffer queues are unbounded, no packet blocks, and deadlock cannot occur. A packet
// takes one event per hop, since its departure is known when it joins the queue. Beyond
// saturation packets in transit wait for all packets injected before (MIN above: 0.116). Without
// back-pressure a router does not sense congestion elsewhere: ugal_l accepts 0.18 at ADV+1, while
// ugal_g, which senses the other router, accepts the offered load.
//
// Packets.Cover, the default of noc/packet, therefore bounds buffers if the routing senses
// queues: all channels get the longest round trip and a packet (Config.Cover). Local channels
// need far less for their own rate, but with 28 flits there and 208 on global channels ugal_l
// accepts 0.29 at ADV+1 (FOGSim's router, 32 and 256: 0.27), with 208 everywhere 0.43. Other
// routings keep unbounded queues: they do not use back-pressure, and finite buffers can block
// requests and answers that share a network.
//
// # Failures
//
// A channel that fails during the run (Config.Outages) loses no packet: packets whose tails have
// not left it are sent again from the router before it, as from a link's replay buffer (Slingshot
// and PCI Express). Without Buffer all packets take shortest routes without the failed channels
// (routing.Around), also to the end of their route when the channel is up again. With Buffer,
// where such routes could deadlock, only packets that would enter a failed channel leave the
// routing, by routing.Detour.
//
// # Left out
//
// Flits: a packet occupies its channel until its tail has left, and waits for room as a whole.
// Conflicts inside a router. Delays of piggybacked notices (Notice). Rate counts packets that
// have arrived at the other end.
package channel
