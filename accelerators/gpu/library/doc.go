// Package library says how long the kernels of a named library take on a chip: products,
// fused attention of a prompt (context) and of a decoded token (generation). It is
// arithmetic on sizes, without events, and one call takes about a microsecond.
//
//	l, _ := library.Get("trtllm", "sm90")
//	c := l.GEMM(&chip, library.Product{M: 4096, N: 4096, K: 4096, Type: library.BF16})
//	c.Total // seconds
//
// A Chip is what the data sheet and microbenchmarks say: SMs, clocks, rates, bandwidths,
// latency. A kernel is software: its tiles and how they are chosen, split sums, the copies
// that feed the matrix units, the launch and the end of a kernel, its share of a bandwidth.
// All fitted values belong to kernels and stand in trtllm.go, with the rows that they were
// fitted on. A library has kernels for some generations of SMs; a generation without kernels
// of its own takes those of an older one (Generations).
//
// # Products
//
// A product is cut into tiles, whose sums may be split. The chosen tile is the one of least
// time. Tiles go to SMs in waves. A wave takes as long as the matrix units need, or as the
// copies into shared memory take. An SM goes at the peak, whatever power allows all SMs together: the
// sums of all tiles take the sustained rate at the least, so that SMs without a tile in the last wave
// leave their power to the others. Loops, traffic of the L2 and bytes of memory overlap; the
// norm of exponent 4 joins them. A constant is the launch and the end of the kernel.
// With 8 bit operands the kernel's caller quantises the activations first, in kernels of
// their own, which are part of the time.
//
// # Attention of a prompt
//
// Blocks have 128 queries of one head, and go through their keys in steps of 128. A step is
// two products and the exponentials between them. Blocks go to SMs; the longest of them bounds the
// time from below. The library's preparation (bias, rotary embedding, write into the paged
// cache) takes its bytes, queries and keys at a rate of their own. On Ada what the kernels exchange
// stays in the L2 as far as it fits, and kernels of fp8 depend on the size of a head.
//
// # Loops
//
// Rows were timed in loops over the same operands, of products over up to five weights in turn. Rows
// of an L40S, and tokens of a GB200, show that operands stayed in the L2 (kept). Other rows show
// nothing of it.
//
// # Attention of a token
//
// Groups of 2 to 32 query heads that share keys take one block. Single heads and larger
// groups take a block for each query head, which reads the keys through the L2. Keys are split
// where SMs would stay empty.
//
// # Latent attention
//
// Prompts go as attention with keys longer than values. Of a token all heads of a request, 64
// or 128 to a block, read the latent vectors, which are keys and values; parts of them are
// shared among blocks where SMs would stay empty, but for Ampere's kernels. A block goes at
// the rate of its stream or of its products, the slower.
//
// # Fused experts
//
// Two grouped products, of all experts that have tokens: their tiles go to SMs as those of one
// product, and the weights of an expert without tokens stay in memory. Kernels before, between
// and after sort tokens by experts, activate, and sum up results; they go by their bytes. A
// constant is the router's choice and all that runs once.
//
// # Recurrences
//
// Causal convolutions and the gated delta rule of prompts take clocks of an SM for each sequence
// and head, and then go by the memory or by clocks for each token. Of one token they go by states.
//
// # Transfers
//
// Collectives of NCCL take the fastest of its protocols, each a constant, a time of each chip
// that parts pass, and a share of the link. TensorRT-LLM's all-reduce reads all others at once
// or in two steps, and leaves large ones to NCCL. DeepEP's dispatch and combine send each pick
// (low latency), or each token once to each chip with one of its experts (normal), whose SMs
// and links bound it.
//
// # Deviations
//
//  1. Every time falls, or stays, if SMs, a bandwidth or a clock grow: the tile of least time
//     is chosen, where a library's heuristic may choose a worse one.
//  2. A chip without a generation in the library is an error, and no other is assumed.
package library
