// Package planner maps the products of a workload onto a machine that a loop nest
// describes: convolutions (grouped and depthwise ones too), matrix products, batched
// products, attention as one operator (attention.go). It is a mapping.Planner.
//
// Every product is a convolution of the design package: N rows or images, G products
// side by side or groups, M columns or filters, C the reduction. A mapping is searched
// for each shape once, with tiles that fit twice where memory fills them, since one is
// computed while the next is loaded. Steps come from package tile.
//
// Fixed factors of constraints that do not divide a size bound it instead: a machine's
// constraints are for layers of all shapes.
//
// # Left out
//
// Transposed convolutions. Block formats. Sparse tensors. Imperfect factors: a size with a
// large prime factor is rounded up where that is better, and computes on what is no data.
package planner
