// Package fuse marks the operators of a graph that run inside the kernel of another operator:
// epilogues of convolutions and products, and prologues of fused attentions. It changes no sizes
// and models no time; accelerators that fuse (work.Fuser, work.Preparer) read the marks.
//
//	g, n := fuse.Epilogues(g) // n operators are applied by the kernels before them
//	op, ops := fuse.Epilogue(g, i)
//
// Left out: fusion over a scratchpad (workloads/fusion), and attentions as one operator
// (graph.FuseAttention).
package fuse
