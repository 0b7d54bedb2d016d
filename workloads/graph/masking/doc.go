// Package masking describes attention masks: causal masks, windows, chunks, and the keys of one of
// several ranks. It counts the visible pairs of queries and keys without a matrix.
//
//	m := masking.Mask{Causal: true, Window: 4096}
//	n := m.Pairs(0, q, q, k) // visible pairs of q queries and k keys
//
// # Left out
//
// Masks that depend on data, such as block-sparse ones, and the cost of a pair (workloads/graph).
// Check returns the errors; the other methods do not check.
package masking
