// Package kernel says how long one kernel of a GPU takes: a matrix product, a stream
// of elements, a normalisation, a softmax, an attention. It is arithmetic on sizes and
// on a Machine, without events, and one call takes microseconds.
//
//	m := kernel.Machine{SMs: 108, Clock: 1.41e9, ...}
//	c := m.GEMM(kernel.Product{Batch: 1, M: 256, N: 4096, K: 4096, Bytes: 2})
//	c.Total // seconds
//
// # Matrix products
//
// A product is cut into thread-block tiles, with the sums over K in one or several
// parts. Tiles go to SMs in rounds: n tiles on p SMs take ceil(n/p) rounds, and the
// last one may leave SMs empty. The kernel takes fewer SMs where that is no slower: with as many
// rounds fewer results leave at once. A tile's main loop takes as long as the matrix units
// need, or shared memory for the warps' operands, over the share that the warps at hand
// can hide of the latency of instructions. A round takes as long as its loops or its
// bytes (from the L2, from memory), joined by a norm, for the two do not overlap
// perfectly; and no less than its steps wait for operands where few are under way. Around the loop
// the first operands come and the results leave, while bytes of other blocks move. Power
// bounds the whole chip: if all SMs work, the matrix units sustain only a share of
// their peak.
//
// The tile is the one of least cost by this model. The heuristic of a library computes
// differently, so tiles that are nearly as good weigh in (Tuning.Choice). A faster machine may
// bring a tile near the best one, and so lose up to Choice.
//
// # Streams
//
// Elementwise operators, norms, softmax, copies and gathers take their bytes over the
// memory's bandwidth, or over the L2's for what is there, or as long as the SMs that
// have work can load. Kernels with a thread block per row go in rounds of the blocks for
// which SMs have threads. Long rows of a norm are read again for each pass where the rows
// at hand do not fit into the L2. This is the one kernel that more SMs may make slower: with the
// same L2 they have more rows at hand, as measured on an A100.
//
// # Attention
//
// The kernel is FlashAttention-2's for a cache of pages (Machine.Attend). A thread block of four
// warps takes 64 queries of a head through its keys, 128 at a time: each warp reads the operands of
// its rows from shared memory, multiplies, and computes the softmax, one after the other, for each
// scheduler of an SM has one warp of it. Several blocks on an SM overlap. Blocks go in rounds.
// Heads come one after the other, so that those that share keys find them in the L2 if it holds one
// head of all requests.
//
// # Sources
//
// Tiles and warp tiles: NVIDIA, CUTLASS, efficient GEMM in CUDA. Rounds: NVIDIA, Matrix
// multiplication background user's guide (tile and wave quantization). Online softmax
// in attention: Dao et al., FlashAttention, NeurIPS 2022; its blocks: Dao-AILab/flash-attention,
// csrc/flash_attn. Passes of a norm: Welford,
// Technometrics 4(3), 1962, is one; mean, variance and result apart are three.
//
// # Left out
//
// Stream-K, clusters and multicast of thread blocks, bank conflicts, contention
// between kernels, and clocks that follow temperature.
package kernel
