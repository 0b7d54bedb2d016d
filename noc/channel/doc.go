// Package channel moves packets over channels that are first-in first-out
// queues with a bandwidth and a latency: a network without flits. It is the
// core of noc/packet and noc/flow, which differ in what a packet is: a part of a
// message, or a whole one.
//
//	net, err := channel.New(channel.Config{Topology: t, Routing: a, Terminal: c, Local: c, Global: c, Width: 16})
//	net.Send(channel.Message{ID: 1, Src: 0, Dst: 5, Bytes: 4096}, 0)
//	next, err := net.Advance(0, arrived)
//
// # A packet
//
// A terminal cuts a message into packets of Packet bytes. Messages that wait at
// one terminal take turns, packet by packet. A packet that comes to a router is
// routed at once, by a routing.Algorithm that sees how much waits for each port
// (View), and joins the queue of its port. It leaves Router cycles after it came,
// or later, when all before it have left; that takes its bytes over the
// bandwidth; its head is at the other end a latency after it left.
//
// With cut-through it goes on there at once, its tail after it: it may not be
// sent faster than it comes. A faster channel it passes while it comes, and keeps it busy for
// its own time only; a terminal takes packets one after the other. With Buffer it waits there until its tail is near, and takes its time on the slow
// channel once more where a slow one follows: through terminals of 2 GB/s and channels of
// 16 GB/s 512 B in packets of 256 B take 379 cycles, without Buffer 267, as at fidelity flow;
// at flit 274. With store-and-forward it goes on when it is there as a whole.
//
// A message has arrived when the tail of its last packet has. In an empty network
// that takes, over h channels between routers of one bandwidth,
//
//	latencies of all h+2 channels + (h+1) Router + bytes / bandwidth
//
// if it is one packet and cut-through; with store-and-forward bytes / bandwidth
// counts on every channel.
//
// # Time
//
// Times are in units of 2^-16 cycles, rounded down, so that a channel that
// carries 2.56 bytes per cycle loses nothing to rounding. Whole rounds the time a
// packet takes on a channel down to whole cycles, as ASTRA-sim does. Messages
// arrive in whole cycles, rounded up.
//
// # Buffers
//
// With Buffer, a router holds so many flits per channel and class. A packet that
// has been routed waits at its port, in the lane of its class, until there is room
// for all of it at the other end; it keeps the room it has until its tail has left,
// and the sender learns of that a latency later. Classes of a port take turns. At
// ADV+1 on a dragonfly of 72 terminals MIN then accepts 0.125 flits per cycle and
// terminal, Valiant 0.437, ugal_l 0.45: the bounds that are known, and what
// noc/fabric has.
//
// Without Buffer queues are endless, nothing blocks, and deadlock cannot occur. One
// event per packet and hop suffices: the time at which a packet leaves is known
// when it joins the queue. Beyond saturation flits in transit wait for all that
// was injected before (MIN above: 0.116), and without back-pressure a router does
// not feel congestion elsewhere: ugal_l accepts 0.18 at ADV+1, where ugal_g, which
// looks at the other router, accepts what is offered.
//
// Packets.Cover, the default of noc/packet, therefore gives buffers an end where the
// routing looks at queues: one size for all channels, the longest round trip and a
// packet (Config.Cover). Local channels need far less for their own rate, but with 28
// flits there and 208 on global channels ugal_l accepts 0.29 at ADV+1 (FOGSim's
// router, 32 and 256: 0.27), with 208 everywhere 0.43. Other routings keep endless
// queues: back-pressure tells them nothing, and finite buffers can block requests and
// answers that share a network.
//
// # Failures
//
// A channel that fails during the run (Config.Outages) loses nothing: packets whose tails have
// not left it go on whole from the router before, as out of a link's replay buffer
// (Slingshot and PCI Express repeat what was not acknowledged). Without Buffer all packets take shortest
// ways of what is left while a channel is down (routing.Around), and to the end of their way when it is up again; with Buffer, where such ways
// could close a circle, only those that would go into it leave the routing, by routing.Detour.
//
// # Left out
//
// Flits: a packet has its channel for itself until its tail has left, and waits for
// room as a whole. Conflicts inside a router. Piggybacked notices (Notice) arrive at
// once; Rate counts what has come to the other end.
package channel
