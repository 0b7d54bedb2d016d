// Package masking says which entries a query of attention sees: causal masks, windows, chunks,
// and the keys of one rank among others. It counts pairs of queries and keys without a matrix.
//
// # Left out
//
// Masks that depend on data, such as block-sparse ones. What a pair costs (workloads/graph).
package masking
