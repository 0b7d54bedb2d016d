// Package tensorcore computes how long an operator takes that a compiler has turned into one
// kernel. The kernel is for a core with matrix units, a vector unit and one memory on the
// chip, as the cores of TPUs are. The package has no clock and no ports:
// accelerators/systolic (timing: kernel) gives the times to the run.
//
//	m := tensorcore.Machine{Rows: 256, Cols: 256, Arrays: 4, Clock: 1.75e9, VMEM: 128 << 20, Memory: 1640e9}
//	f := m.Flow(g, ops)      // what one operator hands to the next on the chip
//	c := m.Time(g, op, f[i]) // seconds: launch, copies, array, vector unit, memory
//
// # A kernel
//
//   - Streams. Operands come in stripes of as many columns as the array has. The first stripe
//     is waited for; then memory and array work at the same time, and the longer of the two counts.
//     With copies added the results leave at the end.
//   - Residents. Where copies are added, or a data type is converted first, operands and
//     results of up to Resident bytes are copied in whole, the array works, the results are
//     copied out, one after the other. Where several cores share the operator, each holds its
//     part of the larger operand and all of the smaller one. What does not fit into one tile
//     per core takes longer. A product may be taken in slices of its rows, each a kernel.
//   - The array. A stationary tile takes as many cycles as rows stream through it, and
//     with Preload at least as many as the next tile needs to be loaded. A stream without
//     Preload adds the array's rows per tile and per run of accumulators.
//   - Groups of a convolution go one by one, packed (Packed), or, of one channel each, on the
//     vector unit: the least time counts.
//   - The vector unit takes its operations over its lanes, and no more elements per cycle
//     than the rate known of a function or type. Operators below a grain keep only one of its
//     units busy. The memory works at the same time.
//   - Attention goes over blocks of queries and keys. The softmax of a block works in
//     series with the two products. Keys and values are read again by every block of
//     queries. One query per head (decode) is bound by the memory, at the share of it that its
//     kernel reaches; Apart, query heads that share keys and values each read them.
//
// Traffic that never reaches memory is what Flow says, and with Hot what fits into VMEM. No byte
// comes faster than the memory's rate.
//
// # Two rules, held by property tests
//
// An operator whole takes no longer than in two halves; more of a resource makes none slower.
// What breaks them on a real chip is the library's: Resident, Tile.
//
// The first machine was different: a queue of weight tiles in front of the array (FIFO).
//
// # Left out
//
// How a compiler chooses tiles: times of one machine and shapes a few percent apart can
// differ by a third. Results that stay in VMEM between two products.
//
// # Sources
//
// Jouppi et al., In-Datacenter Performance Analysis of a Tensor Processing Unit, ISCA
// 2017; Norrie et al., The Design Process for Google's Training Chips, IEEE Micro 2021;
// Jouppi et al., TPU v4, ISCA 2023; Li et al., Searching for Fast Model Families on Datacenter
// Accelerators, CVPR 2021 (depthwise convolutions work on vector units, not matrix units); XLA,
// convolution_group_converter (groups as one convolution with zeros), fusion of elementwise
// operators into the one before; measured times: configs/studies/hardware.
package tensorcore
