// Package pool shares one memory device among its logical devices and paces the hosts
// that use them: pure state, without ports and without lines.
//
//	d := pool.NewDevice(256, pool.Split([]float64{0.5, 0}))
//	d.Queue(0)
//	ld, later := d.Next(now) // 0, and nothing that waits for its limit
//	d.Start(ld, now)
//	load := d.Load(ld) // what the device reports in its answer
//	d.Done(ld)
//
// A Device has places at its memory and counts what waits for them, by logical device
// (LD). Next arbitrates by start-time fair queueing: while several LDs have lines
// waiting, each gets lines in proportion to its share, and none more than its limit.
// Load is the load that an answer reports (DevLoad), and a Throttle is what a host makes
// of it: how many lines it has under way at one LD.
//
// Sources: Compute Express Link 3.1, section 3.3.4 (QoS telemetry for memory) and
// 3.3.4.1 (an LD has an allocated fraction of the bandwidth under overload, and a limit);
// Goyal, Vin and Cheng, Start-time Fair Queueing, SIGCOMM 1996.
//
// assumption: the specification leaves the arbiter, the thresholds of load and the steps
// of a host to the implementer; those here are ours. Fractions are not rounded to 1/256.
package pool
