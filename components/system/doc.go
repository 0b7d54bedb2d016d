// Package system makes a wired Akita system out of a configuration.
//
// A node kind registers itself (Register) with the keys it accepts; Build makes
// the nodes of a document, joins their ports with wires, and gives every
// requester its address map. All that is wrong with a document is reported at
// once. testdata/good.txt and testdata/bad.txt show what configurations come to.
//
// # Nodes and groups
//
// count: n makes Name[0] to Name[n-1], each with its own overrides. A node that
// names a group stands for the nodes inside: Tile[1].Core[0]. The entries of
// Kinds are named "kind/fidelity"; a key that only another fidelity has is an
// error. Nodes are made in canonical order, by name with numbers by value, and
// nothing depends on the order of the file.
//
// # Links
//
// A link joins two ports of equal protocol, one that sends requests and one
// that answers them, or a symmetric one and any. Which is on the left does not
// matter. A side that names several nodes, or several elements of an array
// port, pairs with one of equal length, or with a single port that takes many.
//
// Ports left out are chosen after all those that are named, in canonical order
// of the links: the only free one that fits. Of an array port, which a network
// has, a single node's link takes as many free elements as it needs, lowest
// first.
//
// Ports that links connect, directly or through a port that takes many, are one
// engine.Wire; it is called Link and the first port's name. Each end receives
// with the latency of its link, in cycles of its own clock, at least one. Links
// that meet in a port have to agree on latency and bandwidth, because the port
// is one end of the wire, which they share; a network is the way to have them
// differ.
//
// # Addresses
//
// The memory section gives ranges of addresses (tiers) to memories. Several
// memories of one range take turns every interleave bytes. Without the section
// one memory, or one array, has all addresses from 0.
//
// The map of a requesting port is found by walking from it: through Transparent
// nodes, to the first ports that answer. Such a port is a Home, or a Relay
// whose homes are what its own requesting ports reach. A range over several
// homes keeps its interleave where different ports reach them. Where a
// memory is reached in several ways, the one through most relays counts: with
// cores, a cache and memories on one network, cores ask the cache and the cache
// the memories. Two ways through equally many are an error, as it is if a port
// reaches only a part of a range, a memory without addresses, or none, and if
// tensors may be placed where a requester does not reach.
//
// memory.Path holds the nominal cycles of the way for analytic models, and the
// least bandwidth on it.
//
// # Nodes that run as one
//
// Ports that are Fused are linked like any others, but the link is no wire: what
// such links join is handed to the first of the nodes as a Fusion, with the links
// and the ranges of addresses, and it makes one component of them. A node may also
// make another inside itself, with Env.Inside.
//
// # Writing a node
//
// See Example. A node has its own ports, made with engine.NewPort (any sim.Port
// will do), and lists them in PortSpecs. If it sends mem requests it is a
// Requester, if it answers them a Home or a Relay. One that implements
// engine.Waiter is watched.
//
// # Left out
//
// Functional systems: nothing here says whether data are carried. Two caches
// that share the addresses of one memory for one requester (the requester would
// reach the memory in two ways): slices are inside one cache node.
package system
