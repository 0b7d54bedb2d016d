// Package ranks executes parallel programs over a network: node kind ranks. It reads a
// communication trace (workloads/comm) or makes a pattern, places ranks on the terminals of a
// network, and executes each operation of a rank when its dependencies are met. See Example.
//
//	nodes:
//	  - {name: Ranks, kind: ranks, trace: "traces/all_reduce.%d.et", placement: group, nic: {overhead: 500ns, eager: 8KiB},
//	     collectives: {all_reduce: {name: ring, chunks: 4}}}
//	  - {name: Net, kind: network, topology: {name: dragonfly, p: 2, a: 4, h: 2}}
//	links:
//	  - Ranks -> Net
//
// Without a trace or a pattern it executes the communication trace that is the workload of the
// configuration; mapping.ranks and the section collectives then replace the keys placement and
// collectives.
//
// Port nic is an array with an element for each linked terminal; there may be more than ranks.
// placement assigns terminals to ranks: in order (linear), at random (random), consecutive ranks
// to the routers or groups in random order (router, group), consecutive ranks to consecutive
// groups (spread). Random choices follow from simulation.seed and the node's name.
//
// # Operations
//
// A computation occupies a unit of its rank; computations of one unit run in the order in which
// they became ready. It takes the time of the trace multiplied by scale. If the trace has only
// operations and bytes, it takes the longer of operations / compute and bytes / memory. Loads,
// stores and the sums of collectives take bytes / memory, in parallel with everything else.
//
// A message cuts through the interface of its sender, the link, the network and the interface of
// its receiver (nic.switching: cut_through). Its rate is the least of nic.bandwidth and the rates
// of the link and of the channels on its path. Its latency is the sum of their latencies and of
// nic.overhead at each interface. An interface begins a message an overhead after the one before.
// If an interface is alone at its terminal, the channel between it and the network has the lower
// rate of both, each way (system.Limiter), and messages wait in the network, with the queues and
// the back-pressure of its fidelity. At a shared terminal, and on a link without a network,
// messages wait in the interface, without a limit.
//
// With store_and_forward an interface forwards a message when it has all of it: messages take
// overhead + bytes / nic.bandwidth in turn.
//
// A send of up to nic.eager bytes ends when the link has taken it. A longer send, and a
// synchronous one of any size, uses rendezvous: it sends a request, the receiver grants it when
// its receive is posted, and the send ends when the link has taken its data. Both control messages
// have nic.control bytes. A message of a rank to itself takes a cycle.
//
// Messages match receives by source, tag and communicator, in the order of the sends of a pair and
// of the receives of a rank, independent of their paths through the network.
//
// # Collectives
//
// A collective is expanded into a schedule of noc/collective by the algorithm in the key
// collectives; the k-th collectives of the ranks of a communicator belong together. If their
// operations differ the run ends with an error. Messages of schedules use no rendezvous. A sum
// takes 3 * bytes / memory, a copy 2 * bytes / memory (rounding: down rounds each pass down to
// cycles). Barriers use dissemination; gather and scatter are direct to and from the root. A
// collective of no bytes, or of one rank, takes no time.
//
// With nic.feed an interface slower than the link sends a message in pieces of nic.piece, at equal
// times of that curve; the link carries other messages in between. With nic.stream the messages
// that a rank sends while earlier ones are being fed take the time of that curve for all their
// bytes: a connection that speeds up. A rank begins a collective after the time start. A message
// also takes nic.cost, and a send of more than nic.inject bytes ends when the receiver's interface
// has acknowledged it.
//
// # Deadlock
//
// A program that cannot go on ends the run (exit code 5) with the waits of each rank, and a cycle
// of ranks if there is one.
//
// # Left out
//
// The processor time of matching, contention between computation and communication, progress that
// needs the processor, and gather and scatter by trees.
//
// # Deviations
//
//  1. MPI allows a blocking send of any size to end late; here the limit is exactly nic.eager for
//     all sends.
//  2. LogGP has a gap per message besides the overhead; here nic.overhead is both.
//     It keeps the interface busy and not the processor. A measured gap per byte (G) is that
//     of the whole way, as nic.bandwidth is with cut_through: with store_and_forward it
//     would count at both interfaces and on the wire.
//  3. Messages of a pair match in the order they were sent even if their tags differ,
//     as MPI libraries keep the order of envelopes. A collective needs no such order:
//     one that is written out as messages (workload gen --algorithm) takes longer where
//     a short message overtakes a long one, ring_2d of nine ranks by 4 %; so it does
//     where messages are longer than nic.eager. All else takes the same time.
//  3. A written-out schedule (comm.FromSchedule) equals the collective under
//     rounding: up; rounding: down rounds its sums otherwise.
//
// # Sources
//
// Matching and protocols: MPI 4.0, sections 3.5 and 3.4. Overhead and bandwidth:
// Alexandrov, Ionescu, Schauser, Scheiman, LogGP, SPAA 1995. Barrier: Hensgen,
// Finkel, Manber, Two algorithms for barrier synchronization, IJPP 17(1), 1988.
package ranks
