// Package traffic says who sends to whom, and when: synthetic patterns of
// destinations by name, and processes of arrivals. It holds no state beyond its
// tables (all_to_all counts its turns) and draws from the generator that it is
// handed, so equal seeds give equal traffic whatever the order of terminals.
//
//	p, err := traffic.New("adv+1", dragonfly, seed)
//	dst := p.Dst(src, rng)
//
// Left out: transients and request-reply, which need a clock: the node in
// workloads/player/traffic has them.
//
// # Sources
//
//   - uniform, transpose, tornado, bitcomp, bitrev, shuffle, neighbor: Dally and
//     Towles, "Principles and Practices of Interconnection Networks", 2004,
//     section 3.2 and table 3.1; details as BookSim 2.0 (traffic.cpp, revision
//     28f4329) has them.
//   - adv+i, adv_local+i: García et al., "On-the-fly adaptive routing in
//     high-radix hierarchical networks", ICPP 2012, section V.
//   - advc: Fuentes et al., "Throughput unfairness in dragonfly networks under
//     realistic traffic patterns", CLUSTER 2015.
//   - hotspot: Pfister and Norton, IEEE ToC 1985. stencil: Jain et al., SC 2014.
//   - on-off: Dally and Towles, section 24.2.
//
// # Deviations
//
//  1. Grid patterns keep a terminal's number within its router. The sources have
//     one terminal per router.
package traffic
