// Package operator reads lists of single operators, such as microbenchmarks with measured times,
// and makes a graph of a list: one operator per row, with separate tensors.
//
//	name,op,m,n,k,rows,cols,dtype
//	up,gemm,4096,22016,4096,,,fp16
//	act,gelu,,,,4096,11008,fp16
//
// Columns may have any order. A row fills the size columns of its operator and leaves others
// empty. Sizes count elements. The other columns are
//
//	name   of the row; left out: the operator's, with a number. No two are equal.
//	op     the operator
//	dtype  element type of all its tensors; left out: that of the workload
//	weight_dtype, kv_dtype  element types of its weights, of its cached keys and values
//	tags   words for readers of the file; they change nothing
//	measured_ns  a measured time, to be compared with; it changes nothing
//
// In a configuration the same rows may stand as mappings:
//
//	workload: {ops: [{op: gemm, m: 4096, n: 4096, k: 4096, dtype: fp16}]}
//
// An unknown word, and a size that the operator does not have, are errors with line and column.
//
// Left out: operators that read results of other rows (use a model), and sparse operators.
package operator
