// Package ranks plays parallel programs: node kind ranks. It reads a trace of
// communication (workloads/comm) or makes a pattern, places its ranks on the
// terminals of a network, and carries out what each rank does when its
// dependencies allow.
//
//	nodes:
//	  - {name: Ranks, kind: ranks, trace: "traces/all_reduce.%d.et", placement: group, nic: {overhead: 500ns, eager: 8KiB},
//	     collectives: {all_reduce: {name: ring, chunks: 4}}}
//	  - {name: Net, kind: network, topology: {name: dragonfly, p: 2, a: 4, h: 2}}
//	links:
//	  - Ranks -> Net
//
// Without a trace or a pattern it plays the communication trace that is the
// workload of the configuration; mapping.ranks and the section collectives then
// stand for placement and collectives.
//
// Port nic is an array with an element for each terminal it is linked to, which
// may be more than there are ranks. placement says which ranks get which: in
// order (linear), any (random), routers or groups in random order with
// consecutive ranks (router, group), consecutive ranks in consecutive groups
// (spread). Random choices follow from simulation.seed and the node's name.
//
// # Operations
//
// A computation keeps a unit of its rank busy; those of one unit take turns in
// the order they became ready. It takes the time of the trace times scale, or,
// where the trace has operations and bytes only, the longer of operations over
// compute and bytes over memory. Loads, stores and the sums of collectives take
// bytes over memory at the same time as everything else.
//
// A message passes the interface of its sender, the link and the network, and the
// interface of its receiver at once (nic.switching: cut_through): the least of
// nic.bandwidth and the rates of the link and of the channels on its way sets its rate;
// latencies add, and nic.overhead at each interface. An interface begins a message an
// overhead after the one before. So an interface with a rate is one without on a slower wire:
// the channel between the network and an interface that is alone at its terminal has the
// lower rate of both, each way (system.Limiter), and what does not pass waits in the network,
// with the queues and the back-pressure of its fidelity. At a terminal that others share,
// and on a link without a network, the interface itself has bytes wait, as many as come.
//
// With store_and_forward each interface passes a message on when it has all of it:
// one after the other for overhead and bytes over nic.bandwidth.
//
// A send of up to nic.eager bytes ends when the link has taken it. A longer one, and a
// synchronous one of any size, first announces itself; when its receive is there
// the receiver grants it, and it ends when the link has taken its data. Both
// control messages have nic.control bytes. A message of a rank to itself takes a
// cycle.
//
// Messages match receives by source, tag and communicator in the order of the
// sends of a pair and of the receives of a rank, whatever ways they took through
// the network.
//
// # Collectives
//
// A collective becomes a schedule of noc/collective by the algorithm that
// collectives: names; the k-th of each rank on a communicator belong together.
// Ranks that disagree about it end the run with an error. Messages of schedules
// are not announced. A sum takes three times its bytes over memory, a copy twice
// (rounding: down rounds each time down to cycles).
// With nic.feed a message goes to the link in pieces of nic.piece, at equal times of that
// curve: an interface that is slower than the link, between whose pieces the link carries
// other messages. With nic.stream those that a rank sends while its former ones are being
// fed take the time of that curve together: a connection that gets up to its rate. A rank
// begins a collective start after it may. Besides, a message takes nic.cost, and a
// send of more than nic.inject bytes ends when the receiver's interface has answered.
// Barriers go by dissemination, gather and scatter directly to and from the root.
// One of no bytes, or of one rank, takes no time.
//
// # Deadlock
//
// A program that cannot go on ends the run (exit code 5) with what each rank
// waits for, and a circle of ranks if there is one.
//
// # Left out
//
// The time that a processor spends on matching; contention between computation
// and communication; progress that needs the processor. Gather and scatter by
// trees.
//
// # Deviations
//
//  1. MPI lets a blocking send of any size end late; here the limit is nic.eager, to
//     the byte, for all.
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
