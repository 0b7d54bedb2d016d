// Package roofline is a node that knows only its peaks: kind roofline. An
// operator takes
//
//	max(FLOPs / (compute x efficiency), bytes / memory) + overhead
//
// rounded up to cycles, one operator after the other. FLOPs are two per
// multiply-accumulate and one per vector operation (graph.Op.VectorOps); bytes
// are its footprint, every element read or written once (graph.Footprint). The
// layer table says which of the two roofs holds.
//
// Power, where it is given, is spent as long as an operator is under way.
//
//	{name: Rank, kind: roofline, compute: 90TFLOP/s, memory: 2TB/s, overhead: 5us, efficiency: {gemm: 0.7}}
//
// Source: Williams, Waterman, Patterson, Roofline: an insightful visual
// performance model for multicore architectures, CACM 52(4), 2009.
//
// With prefetch: N memory and compute are two queues, both in order. The memory works for an
// operator as soon as it is free and fewer than N operators before it have not ended; the
// operator computes when its bytes are there and the one before has ended. It then takes
// what it waits for its bytes, and FLOPs / (compute x efficiency) + overhead.
//
// Left out: caches and what stays in them between operators (but for a schedule's
// batching.memory), overlap of computations, links to other memories (the bandwidth is the node's own), and
// sharing one model with other nodes.
//
// # Ranks
//
// With a nic the node plays one rank of a parallel program: the communication
// trace that is the workload. mapping.ranks says which node gets which rank.
//
//	workload: {file: "traces/all_reduce.%d.et", ranks: 72}
//	collectives: {all_reduce: {name: ring, chunks: 4}}
//	nodes:
//	  - {name: Rank, kind: roofline, count: 72, compute: 90TFLOP/s, memory: 2TB/s, nic: {bandwidth: 25GB/s, overhead: 500ns, eager: 8KiB}}
//	  - {name: Net, kind: network, topology: {name: dragonfly, p: 2, a: 4, h: 2}}
//	links:
//	  - Rank -> Net
//
// A computation whose operations or bytes the trace counts takes
// max(operations / compute, bytes / memory) + overhead, else its recorded time;
// they take turns. Loads, stores and the sums and copies of collectives take their
// bytes over memory, at the same time as computations and each other. What a host computes
// (is_cpu_op of Chakra) goes on at the same time as the node, by the same roofs, and is in no
// count. Dependencies, messages, matching and collectives are those of kind ranks:
// see workloads/player/ranks.
//
// # Deviations
//
//  1. Where a trace has operations and a recorded time, the roofs hold: the time is
//     that of another machine. Kind ranks takes the time.
package roofline
