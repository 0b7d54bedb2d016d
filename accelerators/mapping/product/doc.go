// Package product is a matrix product as one core carries it out: its Shape, the Share of the
// operator that the core has, and the Place of its tensors in memory. A convolution is seen as a
// product (graph.Op.Matrix). The loading and storing functions list the transfers of a Box, a
// part of the product: which bytes of inputs, weights, biases and results it needs, halo rows,
// strides, padding and block formats included. What is cut where is decided by package tile.
package product
