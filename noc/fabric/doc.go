// Package fabric moves flits through a network of input-queued virtual-channel
// routers, cycle by cycle. All routers, channels and terminals are flat arrays
// of one Network; there is no object per flit or router, and no allocation per
// flit once buffers and pools have grown. What is hot lies together: a packet in a line of
// a processor's cache, two lanes in one, the flit at the front of a lane in the lane.
//
//	net, err := fabric.New(setting.BookSim(dragonfly, alg))
//	net.Send(src, dst, flits, false)
//	net.Step()
//
// Package noc/flit makes a node of a Network. Package measure drives one with synthetic traffic and applies the
// rules by which BookSim warms up, samples, converges and drains.
//
// # A cycle
//
// Terminals first take what has come to them, then inject at most one flit each.
// Then every router that holds a flit takes Speedup steps, each of them: virtual
// channel allocation, routing, switch allocation. A flit that won the switch
// crosses it in the next step and leaves when the output is free, one flit per
// cycle. A channel of latency L is read L+1 cycles after the flit left: one
// cycle stands for the register at its end. So a hop takes
//
//	lookahead routing, speedup 2:  latency + 2
//	routing stage, speedup 1:      latency + 4
//
// Virtual channels and switch are allocated by an entry of noc/allocator: iSLIP, or
// separable round-robin arbiters, inputs first, whose pointers move on with a grant; or
// by the age of packets. Channels of a class may take several cycles per flit, not only whole
// ones; a flit has come when all of it has. An output channel is held from its allocation until the tail of the packet wins the switch, and can be
// allocated again in the next step. Output queues are endless, but bounded by
// the credits after them. A credit goes back when a flit wins the switch, one
// per cycle and input, and counts CreditDelay cycles after it was received.
//
// Every router and every terminal draws from a random stream of its own, and lookahead
// routing decides once all routers have worked: a run does not depend on the order in
// which the routers and terminals of a cycle are simulated. Only ugal_g, which reads the
// queues of other routers while they work, keeps to the order of their numbers.
//
// # Shortcuts
//
// Most heads find their lane empty and have no competitor for their output. Where a router
// takes two steps per cycle, such a head would be granted its virtual channel in the first
// and the switch in the second: it passes the router as it comes, without a request, and its
// lane stays empty. A head whose further ways are settled at its source (routing.SourceRouted)
// carries the next four of them, so that routers on its way do not fetch the packet from
// memory; where the routing neither asks nor draws for it, they are found once for all packets
// between two routers. Heads that do compete mostly ask for one thing each: then only the
// pointers of outputs decide, without an allocator (contend). A credit counts when it leaves,
// if its sender has so much room that this changes nothing (refundAhead). None of this changes
// when a flit moves; a test compares runs with and without.
//
// # Parts
//
// Where traffic drives all terminals by value (network.ByValue), a topology with groups far
// from each other, a dragonfly, is divided into a part per group: routers, terminals, time
// wheel, packets that are free, counts. What a part sends to another takes at least the
// lookahead, latency plus one cycle, so each simulates that many cycles for itself, out of
// its core's cache, and what it sends waits in posts until the window ends. Parts are shared
// among workers. Results are those of one part: nothing that routers of a cycle do depends
// on their order, and a part reads no state of another one. That the routing asks for none
// is part of the proof that it is free of deadlock (deadlock.Proof, Ahead and Beyond): par,
// olm and their kin look at the first router of another group before the packet is there,
// unless routing has a stage of its own, and keep the network whole. So do routers of
// queueing input_output and routings that ask for rates or what is on a channel.
//
// Left out: windows between nodes. A system of several chips has one queue of events
// whatever --workers is; docs/model-network.md says what stands in the way.
//
// With simulation.quantum windows are longer than the lookahead, and what comes late comes
// at their end.
//
// # Failures
//
// Channels may fail during the run (Config.Outages), and be repaired. See the type outage:
// what a channel carries is lost, with the whole packet, in two pieces that end by
// themselves; other packets go around by routing.Detour, in virtual channels of their own.
// Lost is called for each packet that is lost. A network with failures is one part, and heads carry no source routes.
// Sources: InfiniBand Architecture Specification, volume 1 (end of a bad packet, packets
// for ports that are down are discarded, retry count); Gaughan and Yalamanchili, IEEE TPDS
// 1995 (packets that faults interrupt are taken out and sent again).
//
// FOGSim is another router, which moves whole packets between queues before and
// after the switch; see its Config and the type ioq. Its adaptive routing is asked
// again while a packet waits. What FOGSim sets besides its routers is
// noc/peers/fogsim.
//
// An input port may have a part of its buffer that its virtual channels share, beyond
// the depth that each keeps for itself. A flit, or with virtual cut-through a packet,
// always finds that own room once the one before it has left, so what Check proves of
// private buffers holds. Virtual networks split the virtual channels between requests
// and answers: no answer waits for a request within the network. A terminal and
// its link remain first in, first out. A node that sends requests and answers through one
// terminal must therefore take requests without waiting for its own.
//
// Left out: speculative allocation, channels wider than a flit per cycle.
//
// # Sources
//
//   - Dally and Towles, "Principles and Practices of Interconnection Networks",
//     2004, chapters 16 to 19.
//   - McKeown, "The iSLIP scheduling algorithm for input-queued switches",
//     IEEE/ACM Transactions on Networking 1999.
//   - Jiang et al., "A detailed and flexible cycle-accurate network-on-chip
//     simulator", ISPASS 2013; BookSim 2.0, revision 28f4329: router timing and
//     rules of measurement.
//   - FOGSim 2021 (github.com/fuentesp/fogsim): the input-output-queued router.
//
// # Deviations
//
//  1. A source queue is drawn by gaps between packets in place of one coin per
//     cycle; the distribution is the same, the numbers are not.
//  2. Packets of different lengths may follow each other through the
//     input-output-queued router; FOGSim's are all alike. Times of the switch are
//     rounded up to cycles.
//  3. FOGSim's UN leaves out the source terminal only, not its router, whatever the
//     comment beside it says: 2.338 channels on the shortest ways of 72 terminals, which
//     its runs have. An output of its switch is free after S/Speedup cycles even if the
//     packet comes in slower, as it asks for the packet's time when that is cleared
//     already; so does ours. Without the two, OLM at half load diverted 2.9 times as
//     often as FOGSim's (59,445 blocked decisions against 21,790).
//  4. Virtual channels beyond the classes of the routing are used. BookSim's dragonfly
//     names one channel per phase and leaves the others empty: with num_vcs 4 in place
//     of 2 its MIN, 72 nodes, uniform, still saturates at 0.845, ours at 0.996. Below,
//     latencies agree (114.3 and 113.9 at 0.5).
//  5. A routing stage of more than a cycle is pipelined: heads of all virtual channels
//     are in it at a time. In BookSim a head that comes while another is routed begins
//     when that is done, whatever its input (_RouteEvaluate stops at the first busy
//     entry): 8 x 8 mesh at 0.1, routing_delay 2: 44.0, ours 40.8; 3: 55.9 and 48.0.
package fabric
