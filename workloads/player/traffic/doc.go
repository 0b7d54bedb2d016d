// Package traffic drives every terminal of a network with synthetic traffic and measures latency
// and throughput: node kind traffic, with an array of ports, one per terminal of the network.
//
//	nodes:
//	  - {name: Net, kind: network, fidelity: flit, topology: {name: dragonfly, p: 2, a: 4, h: 2}}
//	  - {name: Traffic, kind: traffic, pattern: adv+1, load: 0.2}
//	links:
//	  - Traffic -> Net
//
// # Packets
//
// A packet is one message to another port of the node. Terminals create packets by a random
// process that does not depend on the network (open loop). A packet that cannot leave waits in an
// infinite queue at its source, and this time is part of its latency. The queue takes no memory: a
// terminal draws its next packet when the one before has left, with the cycle in which it was due.
// With queue: none a terminal that cannot send creates no packet, as in FOGSim. With reply, every
// received packet is answered by another, which has priority over new ones.
//
// # Time
//
// Cycle 0 is the network's cycle 1, the first that can see a packet. The node acts a picosecond
// after each cycle of the network: it sees all packets that arrived in that cycle, and the network
// sees new packets in the next. Thus the node adds no time: the network takes a packet created in
// cycle c in c, unless another is waiting. Latency counts from creation to the arrival of the last
// flit, network latency from the entry of the first flit.
//
// If the network has fidelity flit, links are plain and there are no replies, packets are passed
// by value without messages. Results are equal, and the run is faster. In each of its events the
// node then simulates all cycles up to the next other event or change of rules. It simulates parts
// of the network in parallel on as many host cores as --workers says. Each part counts its
// terminals separately; counts are merged when rules need them.
//
// # Measurement
//
// The rules are those of BookSim 2.0. A sample has sample cycles. The first warmup samples are
// discarded (the sums are cleared before every second of them). Then samples accumulate until
// three in a row change mean latency and accepted load by less than change, or until there are
// samples of them. Traffic continues until every packet created during the measurement has
// arrived; the means are over these packets. If the mean latency exceeds limit, with packets in
// flight counted as arriving now, the network is saturated: then only the accepted load has to
// converge, the run waits for no packet, and the latency is that of arrived packets, which grows
// with the length of the measurement. In the end no packets are created, and the network drains.
//
// With count: arrived the means are over the packets that arrive in the measured cycles, and the
// run waits for no packet, as in FOGSim.
//
// A search bisects the load, between 0 and the greatest load of the process, for the least that
// saturates the network: its latency exceeds the limit, or it accepts less than is offered (by 2 %
// and three standard deviations). Each trial and each of repeats searches has new random numbers.
// The result is the mean of the searches with the 95 % interval of Student's t, widened by half
// the precision. The accepted load at that point is also reported; it is more accurate if a
// network keeps its throughput (MIN at ADV+1, 1/(a p) = 0.125: 0.128 and 0.125), and the interval
// extends down to it.
//
// # Left out
//
// Sources with a limited number of outstanding packets (closed loop).
//
// # Deviations
//
//  1. Packets that wait at a terminal of the network, at most two each, count as in flight.
//     BookSim counts one. This affects the limit only.
//  2. Flits count as accepted when their packet has arrived.
//  3. BookSim stops at a saturated network; here the measurement of the accepted load continues.
package traffic
