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
//	{name: Rank, kind: roofline, compute: 90TFLOP/s, memory: 2TB/s, overhead: 5us, efficiency: {gemm: 0.7}}
//
// Source: Williams, Waterman, Patterson, Roofline: an insightful visual
// performance model for multicore architectures, CACM 52(4), 2009.
//
// Left out: caches and what stays in them between operators, overlap of
// operators, links to other memories (the bandwidth is the node's own), and
// sharing one workload with other nodes. A network interface comes with the
// network; until then there is no key for it, because it would have no effect.
package roofline
