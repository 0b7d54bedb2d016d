// Package routing has the routing algorithms of networks. An Algorithm gets a View of the state
// of a packet's router, and a few words of memory in the packet, and returns a port and a class
// of virtual channels. It has no clock and no state of its own, so that functional and timed
// models share it and noc/routing/deadlock can follow every decision. Queues are in flits, times
// in cycles.
//
//	alg, err := routing.New("ugal_l", dragonfly, routing.UGALSpec{Threshold: 30})
//	hop := alg.Next(view, &packet)
//
// # Classes
//
// An algorithm numbers its virtual-channel classes from 0. A router with more virtual channels
// than classes gives each class an equal share of them. A network is free of deadlock if the
// steps from one (channel, class) to the next form no cycle; deadlock.Check builds the graph of
// these steps and looks for one.
//
// The dragonfly algorithms min, val_* and ugal_* have four phases. In these maps letters are the
// kind of channel, numbers the class:
//
//	phase   where                                    router  group  min
//	0       source group, and the global hop         l0 g0   l0 g0
//	1       intermediate group, to the intermediate  l1
//	2       intermediate (or source) group           l2      l1     l0
//	3       the last global hop, and after it        g3 l3   g2 l2  g1 l1
//
// A minimal packet starts in phase 2, one within its group in phase 3.
//
// The others use a ladder: a sequence of kinds of channels. Each hop takes the next rung of its
// kind, whose class is the number of lower rungs of that kind:
//
//	pb, ladder via group    l g l g l        l0 g0 l1 g1 l2 (ladder: vc_map of ugal_l and val_*)
//	ladder via router       l g l l g l      l0 g0 l1 l2 g1 l3
//	par, par_ph, piar       l l g l l g l    l0 l1 g0 l2 l3 g1 l4
//	acor                    l g l l g l
//	rlm                     l g l g l        and a second local hop on each l
//	olm                     l g l g l        and optional local hops on the l before
//
// # Any network
//
// up_down and shortest route on any connected network, also with failed channels; table reads the
// routes from a file (ReadTable). The algorithms of a dragonfly, mesh or tree return an error on
// a topology with failures.
//
// # Left out
//
// Proofs that a routing is free of deadlock (noc/routing/deadlock). New returns an error for an
// unknown name, a topology that the algorithm does not support (*TopologyError), and impossible
// parameters.
//
// # Sources
//
//   - min, val_group, ugal_l, ugal_g: Kim, Dally, Scott, Abts, ISCA 2008,
//     section 4; the rule and constants of ugal_l as BookSim 2.0 has them
//     (networks/dragonfly.cpp, revision 28f4329).
//   - val_router: García et al., "On-the-fly adaptive routing in high-radix
//     hierarchical networks", ICPP 2012, section II.
//   - dor: Dally and Seitz, "Deadlock-free message routing in multiprocessor
//     interconnection networks", IEEE ToC 1987.
//   - o1turn: Seo, Ali, Lim, Rafique, Thottethodi, ISCA 2005, section 3.
//   - odd_even: Chiu, "The odd-even turn model for adaptive routing", IEEE TPDS
//     2000, section 4 (the function ROUTE).
//   - nca: Petrini and Vanneschi, "k-ary n-trees", IPPS 1997, section 3.
//   - up_down: Schroeder et al., "Autonet", IEEE JSAC 1991; shortest: classes by
//     hops, Gunther, "Prevention of deadlocks in packet-switched data transport
//     systems", IEEE Transactions on Communications 1981.
//   - pb, par: Jiang, Kim, Dally, "Indirect adaptive routing on large scale
//     interconnection networks", ISCA 2009; the rules and constants as FOGSim 2021
//     has them (github.com/fuentesp/fogsim).
//   - olm, rlm: García et al., "Efficient routing mechanisms for dragonfly
//     networks", ICPP 2013; the rules of FOGSim 2021.
//   - phantom: Won, Kim, Kim, Jiang, Lakshmanamurthy, "Overcoming far-end
//     congestion in large-scale networks", HPCA 2015.
//
// # Deviations
//
//  1. BookSim gives one class to the first global hop of a non-minimal packet, the local hop in
//     the source group and the local hop to the intermediate router. deadlock.Check finds a
//     cycle. ugal_l uses one class more; `vc_map: booksim` selects BookSim's map. The deadlock is
//     real: at ADV+1 with load 0.5 and 1,056 terminals BookSim accepts 0.089 (samples of 500
//     cycles); ours accepts 0.088 with its map and then deadlocks in a ring of 20 virtual
//     channels, and 0.203 with the safe map. At 342 terminals, and at 72 with load 0.7, BookSim
//     itself warns of deadlock, and some runs do not drain. Below that both accept the same
//     (TestBookSimsMapBeyondSaturation, within 1.1%). So use the published map only to repeat
//     figures.
//  2. dor on a torus fixes the class of a dimension when the packet turns into it: 1 if its way
//     crosses the wrap-around channel, else 0. The paper changes the class at the crossing. Both
//     are free of cycles; BookSim fixes the class too.
//  3. With parallel global channels a packet draws one of them at the source
//     and uses the channel of this number in every group. The sources have one
//     channel per pair.
//  4. ugal_g counts the flits that wait in the router of the global channel in addition to those
//     without credit. Credits alone saturate at the round trip of the channel: at ADV+1 and 72
//     terminals an overloaded network then accepts 0.296, less than Valiant, in place of 0.515.
//  5. phantom: drop subtracts exactly what is on the channel. The paper estimates
//     it by a window of history.
//  6. rlm orders four kinds of local channels; FOGSim declares such a rule (rlm::strictRoute) and
//     does not call it. Ours is another order of the same kinds, and deadlock.Check proves it.
//  7. FOGSim counts the channels of a path as if its arrangement were absolute,
//     also where it is a palm tree, and leaves the last local hop of the first leg
//     out. hops: absolute does so; hops: actual counts the channels that are there.
//     UGAL under ADV+1 then accepts 0.283 in place of 0.265.
//  8. The defaults of pb are a coefficient of 100 and queues of virtual channels.
//     With FOGSim's default of 200 pb differs little from ugal_l: 0.272 of ADV+1
//     against 0.527.
package routing
