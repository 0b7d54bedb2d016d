// Package layout says how activations lie in memory: in rows, in blocks (Tiled) or with the
// channels last. Layouts.Arrange settles it for the tensors of a graph; tensors that an
// operator goes through element by element lie alike. Matrix.Region turns a part of a matrix
// into transfers. Weights are left out: they lie in the order in which the plan reads them.
package layout
