// Package streamed carries out operators in order, each as one kernel whose bytes go as bursts over a
// port to the memory, where they meet those of others. A node embeds an Executor; accelerators/work/inorder
// is its counterpart for nodes whose times are known ahead.
//
//	x := streamed.New(node, name, engine, spec, streamed.Model[layer]{Plan: ..., End: ...})
//
// # A kernel
//
// A node describes a Kernel by its launch, by the operators whose operands and results move, and by its
// time as a function of how slow the memory is (accelerators/curve). It is the rule that the node has
// at fidelity analytic, evaluated at several bandwidths.
//
// The bytes are cut into up to 64 pieces. Operands are fetched ahead as far as two latencies of the
// memory ask. A piece is worked on when its operands are here and the piece before it has ended; its
// results leave then. The kernel ends when all but a latency's worth of them has been answered.
// Piece i of n ends at
//
//	max( launch + i/n of the time at the memory's slowness , its start + 1/n of the time without memory )
//
// The slowness is measured: the time in which the memory had a request whose latency had passed, over
// the time of the bytes answered at the nominal bandwidth. The latency is the least that a memory has
// shown, without the time of the bytes. So on a memory of fixed latency and bandwidth a kernel takes what its rule says, and on another
// one what the rule says of the bandwidth that it has got. A rule holds the latency of its first operands,
// which are asked for so much earlier.
//
// # Kernels without a rule
//
// A kernel of Steps is paced instead: a step begins when its operands are here, fetched Ahead steps
// ahead, and takes its part of Work; results leave with their round. With neither Steps nor Time bytes go
// as fast as the memory answers. Both end with their last answer.
//
// # Left out
//
// Kernels at the same time, and sharing an operator with other nodes.
package streamed
