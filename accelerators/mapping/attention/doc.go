// Package attention chooses the loop of a graph.Attention on a core: how many positions and
// entries a block has, whether keys and values stay on the chip, and in how many parts the query
// heads that share keys are. Scores stay on the chip; the softmax is online. Key says what the
// choice depends on, Result.Search makes it, and a Walk yields the steps of its Schedule.
package attention
