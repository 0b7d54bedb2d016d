// Package graph represents a model: tensors, operators and their order.
//
// A Graph is a list of operators in topological order over a list of tensors. Shapes are concrete:
// batch, sequence and context are bound when a graph is built. The package models no hardware and
// no time. Accelerators use the matrix view of an operator (Op.Matrix), its reads and writes
// (Graph.Footprint) and its vector work (Op.VectorOps). Graph.Lifetimes computes the steps of an
// order in which each tensor is live. Sizes are in elements, or in bytes where the name says so.
//
// A Builder builds graphs; it infers shapes and reports all errors at once:
//
//	b := graph.NewBuilder("tiny")
//	x := b.Input("input", 1, 3, 224, 224)
//	x = b.Conv("conv1", x, graph.SquareConv(64, 7, 2, 3), graph.WithBias)
//	x = b.Elementwise("relu1", "relu", x)
//	b.Output(b.Pool("pool1", x, graph.SquarePool(3, 2, 1)))
//	g, err := b.Graph()
//	g.SetDTypes(graph.Uniform(graph.Int8))
//
// # Rules
//
// Every tensor has at most one producer. A tensor without a producer exists before the model runs:
// an input, a weight, or a cache. Gradients of weights and states of an optimiser also exist
// before, and several operators may read and write them in place.
//
// A Move of no elements is a view: its outputs share the storage of its only operand or of parts
// of it (reshape, slice, head split, transpose that the reader's strides undo).
//
// A key or value cache is written by a Move "append" with the cache as output, which writes
// Elements of it in place; the other entries are from earlier steps. The products of attention
// read the whole cache.
//
// A product's operands are checked by element count, not by layout, so that
// K x N and N x K weights are both fine. A fused bias is operand 2.
//
// # Left out
//
// Values, control flow, dynamic shapes, sparsity, and layouts in memory. Convolutions have two
// spatial dimensions; one-dimensional ones are written with a height of 1. Masks of attention have
// no operator: a softmax records its mask and computes all scores, an Attention skips masked
// scores.
//
// # Sources
//
// Output sizes of convolutions and poolings: Dumoulin and Visin, "A guide to
// convolution arithmetic for deep learning", arXiv 1603.07285, relations 6, 14
// and 15 (dilation) with asymmetric padding; ceil mode as in ONNX MaxPool-22.
// Operation counts of the vector unit are assumptions, written where they stand
// (func.go, vector.go).
package graph
