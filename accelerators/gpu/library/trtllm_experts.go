package library

import "maps"

// Fused experts of TensorRT-LLM, of the same releases. Values were fitted as in trtllm.go: every
// other row from the first of a chip and a type, whatever the shape of experts and the distribution
// of tokens on them.
var tensorRTExperts = map[string]map[Type]*experts{
	"sm80": {
		BF16: {gemm: gemm{tiles: narrow, launch: 7 * us, tensor: 0.6642, edge: 1.1, memory: 0.9203, copies: 20.22, near: 0.672, wave: 2.909, turn: 0.02544, whole: true}, route: 33.09 * us, moves: 0.6439},
	},
	"sm89": {
		BF16: {gemm: gemm{tiles: narrow, launch: 3.085 * us, tensor: 0.8719, edge: 0.01295, memory: 0.7817, copies: 17.11, near: 0.8697, wave: 3.877, store: 0.00382, turn: 0.0000322, whole: true, kept: true}, route: 3.363 * us, moves: 1},
		FP8:  {gemm: gemm{tiles: narrow, launch: 2.719 * us, tensor: 0.7393, edge: 2.342, memory: 0.759, copies: 19.19, near: 26.76, wave: 0.000676, store: 0.2819, turn: 0.2118, whole: true, kept: true}, route: 17.08 * us, moves: 1},
	},
	"sm90": {
		BF16:     {gemm: gemm{tiles: wide, launch: 1.721 * us, tensor: 1.467, edge: 0.1336, memory: 0.8091, copies: 47.82, near: 1.291, store: 28.92, turn: 0.01255, whole: true}, route: 21.55 * us, moves: 0.605},
		FP8:      {gemm: gemm{tiles: wide, launch: 1.545 * us, tensor: 1.321, edge: 0.4212, memory: 0.9419, copies: 22.56, near: 16.33, wave: 2.654, store: 10.78, turn: 0.01543, whole: true}, route: 19.87 * us, moves: 0.6341},
		FP8Block: {gemm: gemm{tiles: promoted, tensor: 1.112, edge: 2.125, memory: 0.9688, copies: 33.98, near: 11330, wave: 3.087, store: 17.56, turn: 0.004225, whole: true}, route: 13.62 * us, moves: 0.2318},
		// Triton's kernels, which TensorRT-LLM takes for weights of mxfp4.
		WeightMX4: {gemm: gemm{tiles: wide, tensor: 1.47, edge: 1.887, memory: 1, copies: 23.96, near: 3827, wave: 3.108, store: 55.19, turn: 0.00157, whole: true}, route: 68.09 * us, moves: 0.1022},
	},
	"sm100": {
		MX4: {gemm: gemm{tiles: wide, launch: 1.505 * us, tensor: 1.525, edge: 1.994, memory: 0.6549, copies: 39.89, near: 0.4794, wave: 0.3664, store: 38.76, turn: 0.01284, whole: true}, route: 14.07 * us, moves: 1},
	},
}

// vllmExperts are those of vLLM where they differ: see init.
var vllmExperts = map[string]map[Type]*experts{}

// assumption: Blackwell's kernels of types without rows take the shares and the constants of
// Hopper's. Those of nvfp4 take the ones of mxfp4: both multiply blocks of 4 bits with their scales,
// by kernels of one generator (trtllm-gen).
//
// assumption: Marlin's kernels, which vLLM takes for weights of 4 bits and tokens of 16, widen weights as
// Triton's do and go as fast. What sorts tokens and sums up results is as long as for weights of 16 bits.
// TensorRT-LLM takes Triton's for mxfp4, and has no others of int4.
func init() {
	hopper, blackwell := tensorRTExperts["sm90"], tensorRTExperts["sm100"]
	blackwell[BF16], blackwell[FP8], blackwell[FP8Block], blackwell[NVFP4] = hopper[BF16], hopper[FP8], hopper[FP8Block], blackwell[MX4]
	marlin := *hopper[BF16]
	marlin.gemm = hopper[WeightMX4].gemm
	hopper[WeightInt4], blackwell[WeightInt4] = &marlin, &marlin
	for generation, all := range tensorRTExperts {
		vllmExperts[generation] = maps.Clone(all)
	}
	vllmExperts["sm90"][WeightMX4] = &marlin
}
