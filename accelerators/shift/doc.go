// Package shift plans matrix products on a chip of many cores with local memories and no shared
// one, by compute and shift: every core keeps windows of its operands, computes with them, and
// passes slabs to its neighbours in rings until every core has used all slabs. It is arithmetic
// without state. Sizes are bytes, times seconds.
//
//	plans := shift.Plans(product, machine, nil)                  // the fastest for each memory per core
//	choices, err := shift.Choose(products, machine, false, true) // operands are shifted, windows kept
//
// A Plan partitions the product over Pb x Pm x Pn x Pk cores. The Pn cores that share a
// sub-matrix of A keep it in Fa windows along K, replicated Pn/Fa times, and rotate it in rings
// of Fa cores. The Pm cores that share a sub-matrix of B keep it in Fb windows in the same way.
// Both rotate by the same step: K's part over the least common multiple of Fa and Fb. Core (i, j)
// starts at the fraction i/Fb + j/Fa of K's part, so that at each step both windows start with
// the same slab (Cannon's skew is Fa = Fb). More windows take less memory and more shifts.
// Partial sums of the Pk cores of a result are exchanged once at the end.
//
// # Left out
//
// Rotation along M or N, which moves the same bytes in other tiles; operators that are no
// products (they are spread evenly); partitions that use less than 85% of the cores where the
// product is large enough for more; halos of convolutions, which are products after im2col.
//
// Sources: Liu et al., T10, SOSP 2024, arXiv 2408.04808, sections 4.1 (rTensor) and 4.3
// (trade of memory against time); Liu et al., Elk, MICRO 2025, arXiv 2507.11506 (loading
// ahead against the memory of execution); Cannon, 1969.
package shift
