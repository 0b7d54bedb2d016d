// Package topology has the topologies of networks: it numbers routers and ports, and computes
// which port faces which. It has no state and no time. A topology computes from its parameters,
// so that a network of a million terminals takes no memory.
//
// Ports of a router are numbered from 0: terminals first, then local, then global channels. Every
// channel has both directions: the port that sends to a neighbour receives from it.
//
//	t, err := topology.New("dragonfly", topology.DragonflySpec{P: 2, A: 4, H: 2})
//	router, port, ok := t.Peer(0, 5)
//
// A List is a network in tables: Read reads one from a file, and Without makes one of a topology
// with failed channels.
//
// Left out: latency and bandwidth, which belong to the model of the network. Errors of New, Read,
// Without and the New functions name every wrong parameter; router and port numbers out of range
// are bugs of the caller.
//
// # Sources
//
//   - dragonfly: Kim, Dally, Scott, Abts, "Technology-Driven, Highly-Scalable
//     Dragonfly Topology", ISCA 2008, section 3.
//   - arrangements of global channels: Hastings et al., "Comparing global link
//     arrangements for dragonfly networks", CLUSTER 2015 (absolute, relative);
//     Camarero, Vallejo, Beivide, "Topological characterization of Hamming and
//     dragonfly networks", TACO 2014 (palm tree).
//   - pod: Jouppi et al., "TPU v4: An Optically Reconfigurable Supercomputer", ISCA
//     2023, section 2; Zu et al., "Resiliency at Scale", NSDI 2024, section 3.
//   - dragonfly+: Shpiner et al., "Dragonfly+: low cost topology for scaling
//     datacenters", HiPINEB 2017.
//   - HyperX: Ahn et al., "HyperX: topology, routing, and packaging of
//     efficient large-scale networks", SC 2009, section 3.
//   - fat tree: Petrini and Vanneschi, "k-ary n-trees", IPPS 1997.
//   - mesh, torus, ring: Dally and Towles, "Principles and Practices of
//     Interconnection Networks", 2004, chapter 5.
//
// # Deviations
//
//  1. A dragonfly with fewer than a*h+1 groups joins each pair of groups by the same number of
//     channels; remaining global ports are unused. The sources leave this case open.
package topology
