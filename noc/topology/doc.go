// Package topology numbers routers and ports and says who faces whom. It is
// arithmetic only: no state, no time, no simulation type. A topology answers
// from its parameters, so a network of a million terminals costs nothing.
//
// Ports of a router are numbered from 0: terminals first, then local, then
// global channels. Every channel runs both ways: the port that sends to a
// neighbour receives from it.
//
//	t, err := topology.New("dragonfly", topology.DragonflySpec{P: 2, A: 4, H: 2})
//	router, port, ok := t.Peer(0, 5)
//
// A network that is no formula is a List: Read takes one from a file, and Without
// makes one of another topology whose channels failed.
//
// Left out: link latency and bandwidth, which belong to the model of the network.
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
//  1. A dragonfly with fewer than a*h+1 groups joins each pair of groups by the
//     same number of channels; global ports that are left over are unused. The
//     sources leave this case open.
package topology
