// Package tensorcore reckons how long an operator takes that a compiler has turned into
// one kernel for a core with matrix units, a vector unit and one memory on the chip, as
// the cores of TPUs are. It has no clock and no ports: accelerators/systolic (timing:
// kernel) gives the times to the run.
//
//	m := tensorcore.Machine{Rows: 256, Cols: 256, Arrays: 4, Clock: 1.75e9, VMEM: 128 << 20, Memory: 1640e9}
//	c := m.Time(g, op) // seconds: launch, copies, array, vector unit, memory
//
// # A kernel
//
//   - Residents. Where operands and results together fit into VMEM, and the operands are
//     not there yet (copies: added, or a data type that is converted first), they are
//     copied in, the array works, the results are copied out, one after the other. Where
//     several cores share the operator, each holds its part of the larger operand and
//     all of the smaller one. What does not fit into one tile per core takes longer.
//   - Streams. Else operands come in stripes of as many columns as the array has. The
//     first stripe is waited for; then the memory works beside the array, and the longer
//     of the two counts. With copies added the results still leave at the end.
//   - The array. A stationary tile takes as many cycles as rows stream through it, and
//     with Preload at least as many as the next tile needs to be loaded. A stream without
//     Preload adds the array's rows per tile and per run of accumulators.
//   - The vector unit takes its operations over its lanes, and no more elements per cycle
//     than the rate known of a function or type. Operators
//     below a grain keep only one of its units busy.
//   - Attention goes over blocks of queries and keys. The softmax of a block works in
//     series with the two products. Keys and values are read again by every block of
//     queries unless they are resident. One query per head (decode) is bound by the
//     memory, at the share of it that pages reach.
//
// The first machine was different: a queue of weight tiles in front of the array (FIFO).
//
// # Left out
//
// How a compiler chooses tiles: times of one machine and shapes a few percent apart can
// differ by a third. Other operators between two of a kernel. Fusion.
//
// # Sources
//
// Jouppi et al., In-Datacenter Performance Analysis of a Tensor Processing Unit, ISCA
// 2017; Norrie et al., The Design Process for Google's Training Chips, IEEE Micro 2021;
// Jouppi et al., TPU v4, ISCA 2023; measured times: configs/studies/hardware.
package tensorcore
