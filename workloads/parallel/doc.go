// Package parallel cuts a model into the graphs of several ranks. It is a pure
// transformation: operators, parameters and bytes are conserved, and what one rank makes
// for another is a graph.Transfer at both.
//
//	stages, err := parallel.Pipeline(g, 4)
//	shard, err := parallel.Tensor(g, parallel.Tensors{Ranks: 8})
//	step, err := parallel.Train(g, parallel.Grid{Tensor: 8, Data: 2, Pipeline: 4}, training)
//
// Context has ranks share the tokens of each request; Tensors.Keys has them share keys and
// values by tokens in decode (Helix).
// Expert shares the experts of mixtures among ranks that have tokens of their own.
// Train makes a step of training: passes forward and back of microbatches in the order of a
// schedule, gradients of replicas added up, the update of the weights.
// Shift is for the cores of one chip: every operator is shared by all of them.
//
// # Left out
//
// Tensors of convolutions, and training of them. Gathering along another axis than the first costs no rearrangement
// in memory.
package parallel
