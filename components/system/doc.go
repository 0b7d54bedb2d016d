// Package system builds a wired Akita system from a configuration: nodes, links and address maps.
//
// A node kind registers itself (Register) with the keys it accepts. Build makes the nodes of a
// document, connects their ports with wires, and gives every requester its address map. All errors
// of a document are reported at once, with their places. testdata/good.txt and testdata/bad.txt
// have configurations and what Build makes of them. Sizes are in bytes; Latency has its unit or
// counts cycles.
//
// # Nodes and groups
//
// count: n makes Name[0] to Name[n-1], each with its own overrides. A node that names a group
// expands to the nodes inside: Tile[1].Core[0]. The entries of Kinds are named "kind/fidelity"; a
// key of another fidelity is an error. Nodes are made in canonical order, by name with numbers by
// value; the order in the file has no effect.
//
// # Links
//
// A link joins two ports of equal protocol, one that sends requests and one
// that answers them, or a symmetric one and any. Which is on the left does not
// matter. A side that names several nodes, or several elements of an array
// port, pairs with one of equal length, or with a single port that takes many.
//
// A port that a link does not name is chosen after all named ones, in canonical order of the
// links: it is the only free port that fits. Of an array port, such as the terminals of a network,
// the link of a single node takes as many free elements as it needs, lowest first.
//
// Ports that links connect, directly or through a port that takes many, are one engine.Wire; it is
// called Link and the first port's name. Each end receives with the latency of its link, in cycles
// of its own clock, at least one. Links of one port must agree on latency and bandwidth, because
// the port is one end of their shared wire. If they must differ, use a network.
//
// # Addresses
//
// The memory section gives ranges of addresses (tiers) to memories. Several
// memories of one range take turns every interleave bytes. Without the section
// one memory, or one array, has all addresses from 0.
//
// The map of a requesting port follows from a search from it: through Transparent nodes, to the
// first responding ports. Such a port belongs to a Home, or to a Relay, whose homes are those that
// its own requesting ports reach. A range over several homes keeps its interleave if different
// ports reach them. If several paths reach a memory, the path through most relays counts: with
// cores, a cache and memories on one network, cores send requests to the cache and the cache sends
// them to the memories. It is an error if two paths have equally many relays, if a port reaches a
// part of a range, a memory without addresses or no memory, or if tensors may be placed where a
// requester cannot reach them.
//
// memory.Path has the nominal cycles and the least bandwidth of the path, for analytic models.
//
// # Nodes that run as one
//
// Fused ports are linked like others, but their links are not wires. Build passes the nodes that
// such links join to the first of them as a Fusion, with the links and the address ranges; that
// node makes one component of them. A node may also make a node inside itself, with Env.Inside.
//
// # Writing a node
//
// See Example. A node makes its own ports with engine.NewPort (any sim.Port is accepted) and lists
// them in PortSpecs. A node that sends mem requests is a Requester; one that answers them is a
// Home or a Relay. A node that implements engine.Waiter is watched. Contradictory ports panic, as
// errors of the program.
//
// # Left out
//
// Data: whether messages carry bytes is up to the nodes. Two caches that share the addresses of
// one memory for one requester, because the requester would reach the memory by two paths: slices
// are inside one cache node.
package system
