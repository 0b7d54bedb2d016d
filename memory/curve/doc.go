// Package curve is a memory whose latency depends on its load: kind memory,
// fidelity curve. It takes measured curves of latency over bandwidth, one per
// share of reads, in place of a model of banks and rows.
//
//	{name: Mem, kind: memory, fidelity: curve, curve: ddr5_4800_graviton3}
//	{name: Mem, kind: memory, fidelity: curve, curve: hbm2_a64fx, bandwidth: 256GB/s, latency: 60ns, size: 8GiB}
//	{name: Mem, kind: memory, fidelity: curve, bandwidth: 44.8GB/s, curve: [{reads: 0.9, file: r90.csv}, {reads: 0.58, file: r58.csv}]}
//	{name: Mem, kind: memory, fidelity: curve, bandwidth: 38.4GB/s, curve: [{reads: 1, points: [{load: 0, latency: 80ns}, {load: 0.9, latency: 200ns}]}]}
//
// # The rule
//
// The load is the bytes of the last eight full eighths of the window, read and
// written, over what the memory can move in that time at their share of reads;
// above 1 it is 1. A request accepted in cycle a is answered in the latest of
//
//   - a + latency(load, share of reads), from the curves,
//   - done + unloaded latency - time of 64 B, where done is when the channel of
//     limited bandwidth has passed the bytes of this and all earlier requests,
//   - the cycle of the answer before.
//
// The first is the measured curve; the second makes large bursts take their
// time and keeps more traffic than the memory can carry waiting, however it
// comes; the third makes answers leave in the order of arrival. The channel is
// as fast as the end of the curve, not as the pins. At equal share of reads,
// more load never makes an answer earlier.
//
// Between measured points latency is linear in the load, and between curves
// linear in the share of reads, at equal load relative to the end of each
// curve. Below the first point and beyond the outermost shares of reads it is
// constant. All is kept in integers: 16 shares of reads, loads in 2^-20, latencies in
// 1/256 cycle.
//
// # Curves of another memory
//
// Derive makes curves of closed-loop runs, of a bank-accurate memory for example.
// On curves derived from one channel of HBM2E, layers of ResNet-50 and VGG-16 that
// move at least 3/4 of the peak for 4,000 cycles or more (36 of 109) take as long
// as on that memory, within 4.1%; others wait for banks or for latency, by their
// pattern, and are off by up to 45%. The shipped curves are of whole servers and
// agree less. See the test in components/std.
//
// # What is left out
//
// Address patterns: all traffic is as the benchmark's, which streams and chases
// pointers at once; banks are not there to conflict. Refresh and turnaround are
// in the curves as far as they were in the measurement. No data.
//
// # Sources
//
// The idea, and the curves of servers: P. Esmaili-Dokht et al., "A Mess of
// Memory System Benchmarking, Simulation and Application Profiling", MICRO
// 2024. The points are a selection of the figures published with it, and for
// DDR4 of a report of Intel's Memory Latency Checker, see shape.go. The curves were measured from a core, so that their unloaded
// latency has the way through a processor in it; the key latency replaces that
// part and keeps what the load adds.
//
// # Deviations
//
//  1. The paper steers bandwidth towards a point on the curve by a
//     proportional-integral controller once per 1,000 requests; here load is
//     measured over a window and the channel limits it. At a steady load both
//     end at the curve; the test TestCurveIsReproduced holds that to 1 %.
//  2. Measured curves bend back beyond saturation: more offered load gives less
//     bandwidth. Points are ordered by bandwidth and latency made to rise with
//     it, so that this part becomes a vertical line at the largest bandwidth.
package curve
