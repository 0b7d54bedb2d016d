// Package service makes memory-access programs of inference services whose data exceed a device's
// memory: the bytes that each step reads, and its operations. It has no clock; node kind steps
// executes the programs.
//
//	p, err := service.New("rag", nil, seed)
//
// # Model
//
// A program is a sequence of steps. A step reads, then computes. The addresses of a free step are
// known in advance; those of other steps depend on the step before. Reads go to named regions,
// which node kind steps places in memory. Sizes are in bytes.
//
// Each program is one file that registers itself in All, with the published model of its sizes.
// Operations are those of the arithmetic, two per multiply-accumulate. An unknown name, a wrong
// Spec and more than MaxSteps steps are errors of New.
//
// # Left out
//
// Writes (keys and values of one token, results), caches, and other work of a service (network,
// tokenizer, sampling).
package service
