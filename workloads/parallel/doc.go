// Package parallel partitions a model into the graphs of several ranks: tensor, pipeline, data,
// expert and context parallelism. It transforms graphs only: operators, parameters and bytes are
// conserved, and data from one rank to another are a graph.Transfer at both. Sizes are in elements
// unless they say bytes.
//
//	stages, err := parallel.Pipeline(g, 4)
//	shard, err := parallel.Tensor(g, parallel.Tensors{Ranks: 8})
//	step, err := parallel.Train(g, parallel.Grid{Tensor: 8, Data: 2, Pipeline: 4}, training)
//
// Context divides the tokens of each request among ranks; Tensors.Keys divides keys and values by
// tokens in decode (Helix). Expert divides the experts of mixtures among ranks with their own
// tokens. Train makes a step of training: forward and backward passes of microbatches in the order
// of a schedule, reduction of gradients over replicas, and the update of the weights. A model that cannot be
// divided is an error, or a *KeyError if one key is the cause.
//
// # Left out
//
// Tensor parallelism and training of convolutions, and the rearrangement in memory of a gather
// along another axis than the first.
package parallel
