// Package roofline models an accelerator by its peak rates alone: node kind roofline. An operator
// takes
//
//	max(FLOPs / (compute x efficiency), bytes / memory) + overhead
//
// rounded up to cycles of the key clock. Operators run one after the other. FLOPs are two per
// multiply-accumulate and one per vector operation (graph.Op.VectorOps); bytes are its footprint,
// every element read or written once (graph.Footprint). The layer table names the roof that
// bounds each operator.
//
// The key power is drawn while an operator runs.
//
//	{name: Rank, kind: roofline, compute: 90TFLOP/s, memory: 2TB/s, overhead: 5us, efficiency: {gemm: 0.7}}
//
// Source: Williams, Waterman, Patterson, Roofline: an insightful visual
// performance model for multicore architectures, CACM 52(4), 2009.
//
// With prefetch: N memory and compute are two queues, both in order. The memory loads an
// operator's bytes when it is free and fewer than N earlier operators are unfinished. The
// operator computes when its bytes have arrived and the operator before it has ended. Its time is
// its wait for bytes plus FLOPs / (compute x efficiency) + overhead.
//
// Left out: caches and reuse between operators (except a schedule's batching.memory), overlapping
// computations, links to other memories (the bandwidth is the node's own), and sharing one model
// with other nodes.
//
// # Ranks
//
// With a nic the node is one rank of a parallel program, whose communication trace is the
// workload. mapping.ranks assigns ranks to nodes.
//
//	workload: {file: "traces/all_reduce.%d.et", ranks: 72}
//	collectives: {all_reduce: {name: ring, chunks: 4}}
//	nodes:
//	  - {name: Rank, kind: roofline, count: 72, compute: 90TFLOP/s, memory: 2TB/s, nic: {bandwidth: 25GB/s, overhead: 500ns, eager: 8KiB}}
//	  - {name: Net, kind: network, topology: {name: dragonfly, p: 2, a: 4, h: 2}}
//	links:
//	  - Rank -> Net
//
// A computation with operations or bytes in the trace takes max(operations / compute, bytes /
// memory) + overhead, any other its recorded time; computations run one at a time. Loads, stores,
// and sums and copies of collectives take bytes / memory each and overlap with everything else. A
// host's computations (is_cpu_op of Chakra) run beside the node, by the same roofs, and are in no
// metric. Dependencies, messages, matching and collectives are those of kind ranks: see
// workloads/player/ranks.
//
// # Deviations
//
//  1. Of a computation with operations and a recorded time this node uses the operations, since
//     the time is that of another machine. Kind ranks uses the time.
package roofline
