// Package tracetest generates address traces of known shape, for tests of replacement
// policies: cycles, scans, IRM streams (zipf, uniform), mixes, attention and matrix products.
// Most of them have a closed form for the hits.
//
// A trace is a sequence of accesses to lines of 64 bytes, computed while it is read and equal on
// every machine. It may have descriptors of tensors, which lie consecutively from line 0. Only
// Tiled checks its arguments.
//
//	t := tracetest.FlashAttention(tracetest.Attention{Cores: 4, Lines: 8192, Blocks: 16})
//	for a := range t.All() { ... }
//
// The traces of Reference are byte for byte (WriteRecords) those of the reference figures of the
// caches.
//
// Left out: time between accesses, data.
//
// Sources: Vigna, An experimental exploration of Marsaglia's xorshift
// generators, ACM TOMS 2016 (xorshift64*); Dao et al., FlashAttention, NeurIPS
// 2022, algorithm 1; Ainslie et al., GQA, EMNLP 2023.
package tracetest
