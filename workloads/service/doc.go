// Package service makes programs of inference services whose data are larger than a
// device's memory: which bytes they read, in which steps, and what they compute. It is
// pure; node kind steps plays them.
//
//	p, err := service.New("rag", nil, seed)
//
// # Model
//
// A program is a sequence of steps. A step reads, then computes. A step that is
// free knows its addresses beforehand, others need what the step before computed. Reads
// go to named regions, which the player of the program places in memory.
//
// A program is one file that registers itself. Sizes are those of published models, which each file names. Operations are those of the
// arithmetic alone, two per multiply-accumulate.
//
// # Left out
//
// Writes (keys and values of one token, results), caches, what a service does around
// (network, tokens, sampling).
package service
