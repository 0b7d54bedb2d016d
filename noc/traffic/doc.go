// Package traffic says who sends to whom, and when: synthetic patterns of
// destinations by name, and the Bernoulli process of arrivals. It holds no
// state beyond its tables and draws from the generator that it is handed, so
// equal seeds give equal traffic whatever the order of terminals.
//
//	p, err := traffic.New("adv+1", dragonfly, seed)
//	dst := p.Dst(src, rng)
//
// Left out: mixes of patterns, bursts (on-off), transients, request-reply,
// hotspots and weights.
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
//
// # Deviations
//
//  1. Grid patterns keep a terminal's number within its router. The sources have
//     one terminal per router.
package traffic
