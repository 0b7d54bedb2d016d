// Package torchexport reads graphs of PyTorch: the operators of ATen that torch.export.export (or make_fx,
// before 2.1) makes of a model, written as JSON by the module causeway.export of the Python package in
// cmd/python. Import it to register the format, torch, in format.All.
//
// A file has a list of nodes in order: arguments (placeholder, with kind input or parameter), operators
// with arguments, shapes and element types of results, and the output. Package program turns them into
// operators and says how they are fused. Gradients of products, sums and elementwise functions are read,
// so that a graph of make_fx with training is a pass forward and one back.
//
// Errors are *format.Error with the line and column of the node. An operator without a rule is an error
// that lists all of the file.
//
// # Left out
//
// Dynamic shapes, values of weights, gradients of convolutions, norms and poolings, sub-graphs
// (cond, while_loop), operators of other libraries than ATen.
//
// # Source
//
// PyTorch, aten/src/ATen/native/native_functions.yaml.
package torchexport
