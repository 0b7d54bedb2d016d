// Package stablehlo reads programs in StableHLO as text: MLIR as JAX (as_text of a lowered function)
// and PyTorch/XLA print it. Import it to register the format in format.All; format.Open then reads
// such files.
//
// Both forms of an operation are read: the short one (stablehlo.add %0, %1 : tensor<4xf32>) and the
// generic one ("stablehlo.add"(%0, %1) : (...) -> ...). The program is the function main, or the only
// one that is not private. Calls and composites are replaced by their bodies, counted loops by as many
// bodies as they run, branches with a known index by the branch taken. Package program turns the
// instructions into operators and says how they are fused.
//
//	g, _, err := format.Open("model.mlir", format.Options{})
//
// Each operation is checked: operands, their number, and the shape of the result. Errors are
// *format.Error with line and column. Elements of literals are read up to 64 KiB of text each;
// longer ones, hexadecimal or elided, are weights and skipped. A program expands to 2^18 operations at
// most.
//
// An argument whose attribute argument_type says parameter, constant or input is that, and so is one
// called params, weights or variables; package program has the rule for the others.
//
// # Left out
//
// Dynamic shapes, bytecode, complex numbers and FFT, convolutions over three dimensions, windows of
// several arrays, jumps between blocks, loops and branches that depend on data: errors with a place.
// Collectives count as copies inside one device, and sharding annotations are not carried out: the
// graph is that of one device with the shapes of the file. Both are said in the notes of the graph.
// Locations and results' attributes are skipped.
//
// # Source
//
// OpenXLA, StableHLO specification, and the printed forms of its test data.
package stablehlo
