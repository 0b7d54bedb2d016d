// Package ideal is a memory of fixed latency and, if wanted, limited bandwidth:
// kind memory, fidelity ideal. It is the yardstick that other models are held
// against, because its timing can be recomputed by hand.
//
// A request taken from the port in memory cycle a has passed the channel in
// cycle done = Serializer.Transfer(a, bytes), in the order of arrival; its
// answer is sent in cycle done + latency. Reads and writes share the channel
// and are treated alike. With latency 0 and no bandwidth limit the answer
// leaves in the cycle in which the request arrived, and all that is left is the
// cycles on the links.
//
// The memory has a metric energy where the key energy gives a figure per byte: a kind
// of DRAM with a published one, {dram: ddr4}, or {byte: 31pJ}.
//
// Left out: banks, rows, refresh, turnaround between reads and writes, a limit
// on requests in flight, data. See memory/curve for a load-dependent latency.
//
// The example runs it in a plain Akita program; in a configuration it is
//
//	{name: Mem, kind: memory, fidelity: ideal, latency: 80ns, bandwidth: 25.6GB/s, size: 16GiB}
package ideal
