// Package parallel cuts a model into the graphs of several ranks. It is a pure
// transformation: operators, parameters and bytes are conserved, and what one rank makes
// for another is a graph.Transfer at both.
//
//	stages, err := parallel.Pipeline(g, 4)
//
// # Left out
//
// Everything but pipelines: tensor, data, expert parallelism, training.
package parallel
