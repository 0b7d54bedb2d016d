// Package pool shares one memory device among its logical devices (LDs), and throttles their
// hosts. It is plain state, without ports and lines. Left out: latency and bandwidth of the
// memory. Times are picoseconds; there are no errors.
//
//	d := pool.NewDevice(256, pool.Split([]float64{0.5, 0}))
//	d.Queue(0)
//	ld, later := d.Next(now) // 0, and nothing that waits for its limit
//	d.Start(ld, now)
//	load := d.Load(ld) // what the device reports in its answer
//	d.Done(ld)
//
// A Device has places at its memory and counts, by LD, the lines that wait for them. Next
// arbitrates by start-time fair queueing: waiting LDs get lines in proportion to their shares,
// and at most their limits. Load is the load that an answer reports (DevLoad). A host's Throttle
// derives from it the lines that the host may have in flight at one LD.
//
// Sources: Compute Express Link 3.1, section 3.3.4 (QoS telemetry for memory) and
// 3.3.4.1 (an LD has an allocated fraction of the bandwidth under overload, and a limit);
// Goyal, Vin and Cheng, Start-time Fair Queueing, SIGCOMM 1996.
//
// assumption: the specification leaves the arbiter, the thresholds of load and the steps
// of a host to the implementer; those here are ours. Fractions are not rounded to 1/256.
package pool
