// Package ideal models a memory of fixed latency and optionally limited bandwidth: node kind
// memory, fidelity ideal. Its timing can be recomputed by hand, so it serves as a reference for
// other models.
//
// A request taken from the port in memory cycle a leaves the channel in cycle done =
// Serializer.Transfer(a, bytes), in the order of arrival; its answer is sent in cycle done +
// latency. Reads and writes share the channel. With latency 0 and unlimited bandwidth the answer
// leaves in the cycle in which the request arrived.
//
// With the key energy the memory has a metric energy, per byte: {byte: 31pJ}, or a kind of DRAM
// with a published figure, {dram: ddr4}.
//
// Left out: banks, rows, refresh, turnaround between reads and writes, a limit on requests in
// flight. See memory/curve for a load-dependent latency.
//
// The example runs it in a plain Akita program; in a configuration it is
//
//	{name: Mem, kind: memory, fidelity: ideal, latency: 80ns, bandwidth: 25.6GB/s, size: 16GiB}
package ideal
