// Package parallel cuts a model into the graphs of several ranks. It is a pure
// transformation: operators, parameters and bytes are conserved, and what one rank makes
// for another is a graph.Transfer at both.
//
//	stages, err := parallel.Pipeline(g, 4)
//	shard, err := parallel.Tensor(g, parallel.Tensors{Ranks: 8})
//
// Shift is for the cores of one chip: every operator is shared by all of them.
//
// # Left out
//
// Data, expert and context parallelism, training; tensors of convolutions. Gathering along
// another axis than the first costs no rearrangement in memory.
package parallel
