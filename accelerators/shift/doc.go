// Package shift plans matrix products on a chip of many cores, each with a memory of its
// own and no shared one, as compute and shift: every core keeps windows of its operands,
// computes with them, and passes slabs on to its neighbours in rings until all have seen
// all. It is arithmetic alone.
//
//	plans := shift.Plans(product, machine)  // the fastest for each memory per core
//	chip, err := shift.Choose(products, machine, shift.Rotate)
//
// A Plan partitions the product over Pb x Pm x Pn x Pk cores. The Pn cores that share a
// sub-matrix of A keep it in Fa windows along K, replicated Pn/Fa times, and rotate it in
// rings of Fa cores. The Pm cores that share a sub-matrix of B keep it in Fb windows in the
// same way. Both rotate by the same pace: K's part over the least common multiple of Fa and
// Fb. Core (i, j) begins at i/Fb + j/Fa of the way, so that at each step both windows begin
// with the same slab (Cannon's skew is Fa = Fb). More windows take less memory and more shifts.
// Partial sums of the Pk cores of a result are exchanged once at the end.
//
// # Left out
//
// Rotation along M or N, which takes the same bytes in other tiles; operators that are no
// products (they are spread evenly); partitions that leave more than a part of the cores
// idle are not searched for. Halos of convolutions: they are products after im2col.
//
// Sources: Liu et al., T10, SOSP 2024, arXiv 2408.04808, sections 4.1 (rTensor) and 4.3
// (trade of memory against time); Liu et al., Elk, MICRO 2025, arXiv 2507.11506 (loading
// ahead against the memory of execution); Cannon, 1969.
package shift
