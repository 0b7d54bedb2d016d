// Package traffic has synthetic traffic: patterns of destinations by name, and processes of
// injection. Patterns have no state except tables (and turns of all_to_all) and draw from the
// caller's generator, so that equal seeds give equal traffic in any order of terminals. Gaps are
// in cycles, rates in packets per cycle.
//
//	p, err := traffic.New("adv+1", dragonfly, seed)
//	dst := p.Dst(src, rng)
//
// Left out: transients and request-reply, which the node in workloads/player/traffic has. New,
// NewSpec, Find and Permutation return errors: an unknown name, a topology or parameters that do
// not fit.
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
//  1. Grid patterns keep a terminal's number within its router. The sources have one terminal per
//     router.
package traffic
