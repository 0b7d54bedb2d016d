// Package traffic drives every terminal of a network with synthetic traffic and
// measures what comes of it: node kind traffic, one array of ports that gets as
// many elements as the network has terminals.
//
//	nodes:
//	  - {name: Net, kind: network, fidelity: flit, topology: {name: dragonfly, p: 2, a: 4, h: 2}}
//	  - {name: Traffic, kind: traffic, pattern: adv+1, load: 0.2}
//	links:
//	  - Traffic -> Net
//
// # Packets
//
// A packet is a message of its own, with a destination among the other ports of
// the node. Terminals create packets by a process, whatever the network does; a
// packet that cannot leave waits at its source in a queue without end, and this
// time is part of its latency. The queue needs no memory: a terminal draws its
// next packet when the one before has gone, with the cycle that it was due in.
// With queue: none a terminal that cannot send loses what is due, as in FOGSim.
// With reply, every packet that has come is answered by another, which goes
// before new ones.
//
// # Time
//
// Cycle 0 is the network's cycle 1, the first that can see a packet. The node acts
// a picosecond after each cycle of the network: it then knows all that has
// come in that cycle, and what it creates is there in the next. So it adds no
// time of its own: a packet created in cycle c is taken by the network in c, if
// none is in front of it. Latency is from creation to the arrival of the last
// flit, network latency from the entry of the first flit on.
//
// Packets are handed over by value where the network takes them so (fidelity flit), links
// are plain and no packet is answered. Results are the same, and the run takes less time.
// Between two of its events the node then simulates as many cycles as no other event and no
// change of rules falls into. It simulates the network part by part, on as many cores as
// --workers says. Each part has its terminals and counts for itself; counts are joined where
// rules ask for them.
//
// # Measurement
//
// The rules are those of BookSim 2.0. Samples of sample cycles each: warmup of
// them are thrown away (the sums are cleared before every other of them). Then
// samples add up until three of them in a row have changed mean latency and
// accepted load by less than change, or there are samples of them. Then traffic
// goes on until every packet that was created while measuring has come; the means
// are over these packets. If the mean latency exceeds limit, packets under way
// counted as if they came now, the network is saturated: from then on only the
// accepted load has to settle, the run waits for no packet, and the latency is that
// of the packets that have come, which grows with the length of the measurement.
// Then nothing is created any more, and the network runs empty.
//
// With count: arrived the means are over the packets that have come in the measured
// cycles, and the run waits for no packet; FOGSim counts so.
//
// A search bisects the load, between 0 and the most that the process can offer, for
// the least that saturates the network, by its latency or by accepting less than is
// offered (2 % and three standard deviations), with fresh random numbers for each
// trial and each of repeats searches. Reported are the mean of the searches and the
// 95 % interval of Student's t, widened by half the precision; what is accepted at
// that load, which is nearer to the truth where a network keeps its throughput (MIN
// at ADV+1, 1/(a p) = 0.125: 0.128 and 0.125), and down to which the interval goes.
//
// # Left out
//
// Sources with a limited number of packets outstanding.
//
// # Deviations
//
//  1. Packets that wait at the terminal of the network, at most two of each
//     terminal, count as under way. BookSim counts one. It matters for the limit
//     only.
//  2. Flits count as accepted when their packet has come.
//  3. Where BookSim gives up on a saturated network, the accepted load is
//     measured on.
package traffic
