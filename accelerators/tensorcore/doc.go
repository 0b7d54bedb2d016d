// Package tensorcore computes the time of an operator that a compiler has turned into one kernel,
// on a core with matrix units, a vector unit and one on-chip memory, like a core of a TPU. It has
// no clock and no ports; accelerators/systolic (timing: kernel) uses its times. Times are
// seconds, sizes bytes. No function returns an error; sizes must be positive.
//
//	m := tensorcore.Machine{Rows: 256, Cols: 256, Arrays: 4, Clock: 1.75e9, VMEM: 128 << 20, Memory: 1640e9}
//	f := m.Flow(g, ops)      // traffic between operators that stays on the chip
//	c := m.Time(g, op, f[i]) // seconds: launch, copies, array, vector unit, memory
//
// # A kernel
//
//   - Streams. Operands arrive in stripes of as many columns as the array has. The array waits
//     for the first stripe; then memory and array overlap, and the longer of the two counts. With
//     copies (Added) results leave at the end.
//   - Residents. If copies are added, or operands are converted first, a kernel of up to Resident
//     bytes copies its operands in, computes, and copies its results out, without overlap. If
//     several cores share the operator, each holds its part of the larger operand and all of the
//     smaller one. A kernel that needs more than one tile per core takes longer. A product may be
//     cut into slices of its rows, each a kernel.
//   - The array. A stationary tile takes a cycle per row that streams through it, and with
//     Preload at least the cycles that loading the next tile takes. Without Preload each tile of
//     each run of accumulators adds the array's rows.
//   - Groups of a convolution are computed one by one, packed (Packed), or, if they have one
//     channel each, on the vector unit, whichever is fastest.
//   - The vector unit takes operations / lanes cycles, or elements / rate if a rate of the
//     function or type is known and that is longer. Operators below a grain keep only one of its
//     units busy. Memory traffic overlaps.
//   - Attention loops over blocks of queries and keys. The softmax of a block does not overlap
//     its two products. Every block of queries reads keys and values again. Attention of one
//     query per head (decode) is bound by memory, at the Efficiency of its kernel; with Apart,
//     query heads that share keys and values each read them.
//
// Flow finds the traffic that does not reach memory; with Hot that is also what fits into VMEM.
// All other bytes take at least bytes / Memory.
//
// # Two rules, held by property tests
//
// A whole operator takes no longer than its two halves together, and more of a resource makes no
// operator slower. Resident and Tile describe libraries that break these rules.
//
// The first TPU has a model of its own: a queue of weight tiles before the array (FIFO).
//
// # Left out
//
// The compiler's choice of tiles: on one machine, shapes a few percent apart can differ in time
// by a third. Results that stay in VMEM between two products.
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
