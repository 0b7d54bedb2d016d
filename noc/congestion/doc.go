// Package congestion holds congestion control algorithms: how fast an endpoint of a packet network
// sends, given what acknowledgements and switches report. It knows no clock, port or packet;
// noc/transport calls it.
//
//	a, _ := congestion.New("swift", nil)
//	c := a.Start(congestion.Path{Rate: 12.5, RTT: 9000, Farthest: 9000, Packet: 4160, Payload: 4096, Hops: 4})
//	window, rate := c.Allow(0)
//
// Times are nanoseconds, sizes are bytes, rates are bytes per nanosecond (GB/s).
//
// An algorithm is one file: its parameters, their defaults and sources, and a Control. It registers
// itself in All; TestContract runs over the registry.
//
// # Deviations
//
//  1. DCQCN, Zhu et al., SIGCOMM 2015: timers are evaluated when a packet is sent and when a
//     notification arrives, not at the moment they expire. The rate of each packet is the same. With monitor the reaction point is that of cards, as the public
//     simulator of HPCC has it.
//  2. Swift, Kumar et al., SIGCOMM 2020: an endpoint has no delay of its own, so the window of the
//     endpoint (section 3.4) is left out, and the delay is that of the fabric.
//  3. HPCC, Li et al., SIGCOMM 2019: acknowledgements carry the telemetry of the packet that
//     they answer, in full precision.
//  4. NSCC: Ultra Ethernet 1.0, section 3.6.13, without the penalty of the receiver's window and
//     the probes of the loss recovery.
package congestion
