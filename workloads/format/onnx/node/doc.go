// Package node turns the nodes of an ONNX model into operators of a graph.
//
// A Model binds the symbolic dimensions of its inputs, expands functions and branches, and calls
// the Rule of each Node. A rule reads inputs (Value) and attributes of its node and makes results:
// Emit adds an operator to the graph, View and Move rearrange a value, and Set passes one on. What
// does not depend on the inputs of the model is a constant, whose few elements (Constant) are
// followed because shapes are computed with them.
//
//	g, err := node.Import("m.onnx", proto, format.Options{Batch: 8}, rules)
//
// Left out: the rules themselves, which package onnx has, and values of weights. Errors are
// *format.Error with the byte of the file.
package node
