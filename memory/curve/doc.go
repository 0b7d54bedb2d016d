// Package curve models a memory whose latency depends on its load: node kind memory, fidelity
// curve. Measured curves of latency over bandwidth, one per share of reads, replace a model of
// banks and rows.
//
//	{name: Mem, kind: memory, fidelity: curve, curve: ddr5_4800_graviton3}
//	{name: Mem, kind: memory, fidelity: curve, curve: hbm2_a64fx, bandwidth: 256GB/s, latency: 60ns, size: 8GiB}
//	{name: Mem, kind: memory, fidelity: curve, bandwidth: 44.8GB/s, curve: [{reads: 0.9, file: r90.csv}, {reads: 0.58, file: r58.csv}]}
//	{name: Mem, kind: memory, fidelity: curve, bandwidth: 38.4GB/s, curve: [{reads: 1, points: [{load: 0, latency: 80ns}, {load: 0.9, latency: 200ns}]}]}
//
// # The rule
//
// The load is the bytes read and written in the last eight full eighths of the window, over the
// bytes that the memory can move in that time at their share of reads, at most 1. A request
// accepted in cycle a is answered in the latest of
//
//   - a + latency(load, share of reads), from the curves,
//   - done + unloaded latency - time of 64 B, where done is when the channel of
//     limited bandwidth has passed the bytes of this and all earlier requests,
//   - the cycle of the answer before.
//
// The first is the measured curve. The second serialises large bursts, and delays traffic above
// the memory's bandwidth. The third keeps answers in the order of arrival. The channel has the
// bandwidth at the end of the curve, not that of the pins. At equal share of reads, more load
// never makes an answer earlier.
//
// Between measured points latency is linear in the load, and between curves linear in the share
// of reads, at equal load relative to the end of each curve. Below the first point and beyond the
// outermost shares of reads it is constant. All values are integers: 16 shares of reads, loads in
// 2^-20, latencies in 1/256 cycle.
//
// # Curves of another memory
//
// Derive makes curves from closed-loop runs of, for example, a bank-accurate memory. On curves
// derived from one channel of HBM2E, layers of ResNet-50 and VGG-16 that move at least 3/4 of the
// peak for 4,000 cycles or more (36 of 109) take as long as on that memory, within 4.1%; other
// layers are bound by banks or latency and differ by up to 45%. The shipped curves are of whole
// servers and agree less. See the test in components/std.
//
// # What is left out
//
// Address patterns and bank conflicts: all traffic counts as the benchmark's, which streams and
// chases pointers at once. Refresh and turnaround are in the curves as far as they were measured.
// Data.
//
// # Sources
//
// The idea, and the curves of servers: P. Esmaili-Dokht et al., "A Mess of
// Memory System Benchmarking, Simulation and Application Profiling", MICRO
// 2024. The points are a selection of the figures published with it, and for
// DDR4 of a report of Intel's Memory Latency Checker, see shape.go. The curves were measured from
// a core, so their unloaded latency includes the processor; the key latency replaces the unloaded
// latency and keeps the increase by load.
//
// # Deviations
//
//  1. The paper's proportional-integral controller moves bandwidth towards a point on the curve
//     once per 1,000 requests; here load is measured over a window and the channel limits it. At
//     a steady load both reach the curve; TestCurveIsReproduced holds that to 1 %.
//  2. Measured curves bend back beyond saturation: more offered load gives less bandwidth. Points
//     are sorted by bandwidth with rising latency, so that this part becomes a vertical line at
//     the largest bandwidth.
package curve
