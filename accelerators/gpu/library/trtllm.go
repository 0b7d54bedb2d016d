package library

// TensorRT-LLM's kernels: of release 1.3.0rc20, on an A100 of 1.0.0. Source of the rows:
// ai-dynamo/aiconfigurator (Apache-2.0), which times kernels through the library. Values were
// fitted by least |log(model / measured)| on every other row of one chip, from the first, of
// an operator and a type, of heads without a window; chips are the presets named with them.
// The other rows and other chips were not looked at by the fit.

const us, gbps = 1e-6, 1e9

var (
	// Instructions of four warps have 64 rows (wgmma); the other side goes down to 8.
	wide = []tile{{128, 256}, {256, 128}, {128, 192}, {192, 128}, {128, 128}, {64, 256}, {256, 64}, {128, 64}, {64, 128}, {64, 64},
		{128, 32}, {32, 128}, {64, 32}, {32, 64}, {64, 16}, {16, 64}, {128, 16}, {16, 128}}
	// Instructions of one warp (mma.sync).
	narrow = []tile{{256, 128}, {128, 256}, {128, 128}, {256, 64}, {64, 256}, {128, 64}, {64, 128}, {64, 64},
		{128, 32}, {32, 128}, {64, 32}, {32, 64}, {64, 16}, {16, 64}, {128, 16}, {16, 128}}
	// Sums that are promoted after 128 elements: registers hold fewer results (DeepGEMM).
	promoted = []tile{{128, 16}, {128, 32}, {128, 64}, {128, 96}, {128, 112}, {128, 128}, {128, 160},
		{64, 16}, {64, 32}, {64, 64}, {64, 96}, {64, 112}, {64, 128}, {64, 160}}
	// Weights are the side of 128 rows, tokens the side that goes down to 8.
	swapped = []tile{{8, 128}, {16, 128}, {32, 128}, {64, 128}, {96, 128}, {112, 128}, {128, 128}, {160, 128}, {192, 128}, {256, 128}}
	ada     = []tile{{16, 64}, {16, 128}, {32, 64}, {32, 128}, {64, 128}, {128, 128}}
)

var tensorRT = map[string]*generationRules{
	"sm80": {
		fitted: "half of 320 products in bf16, 320 in int8, 320 by int8 weights and 320 by int4 weights, 200 prompts, 200 decodes, 240 latent prompts, 240 latent decodes and 200 experts of an A100",
		gemm: map[Type]*gemm{
			BF16:       {tiles: narrow, launch: 1.169 * us, tensor: 1.096, issue: 0.916, edge: 0.2008, memory: 0.8202, copies: 27.67, near: 1.854, wave: 3.345, split: 1.753 * us, join: 1.013, store: 1.233, turn: 0.00454},
			Int8:       {tiles: narrow, launch: 8.146 * us, tensor: 1.282, edge: 14.23, memory: 0.898, copies: 537, near: 0.808, wave: 4.252, turn: 0.1844, whole: true},
			WeightInt8: {tiles: narrow, launch: 7.68 * us, tensor: 1.282, edge: 3.6, memory: 0.924, copies: 30.38, near: 0.6432, wave: 4.621, turn: 0.0038, unpack: 173.8, whole: true},
			WeightInt4: {tiles: narrow, launch: 7.127 * us, tensor: 1.282, edge: 11.05, memory: 1, copies: 16.82, near: 0.837, wave: 3.772, split: 19.33 * us, turn: 0.2669, unpack: 492.2},
		},
		context: map[Type]*context{
			BF16: {launch: 12.18 * us, odd: 2.5 * us, block: 0.156 * us, wide: 0.078 * us, tensor: 0.670, exp: 0.419, tail: 0.818, queries: 0.334, keys: 1, rows: 64, cols: 64},
		},
		generation: map[Type]*generation{
			BF16: {launch: 12.16 * us, group: 5.33 * us, groupD: 1.60 * us, head: 1.77 * us, block: 65.6 * gbps, sm: 4109 * gbps, memory: 0.998, near: 0.564, split: 7.76 * us},
		},
		prompts: map[Type]*context{
			BF16: {launch: 14.55 * us, block: 0.015 * us, tensor: 0.995, exp: 2.552, tail: 0.869, queries: 1, keys: 1, rows: 64, cols: 64},
			FP8:  {launch: 13.07 * us, block: 0.224 * us, tensor: 0.711, exp: 0.0236, tail: 1.119, queries: 1, keys: 1, rows: 64, cols: 64},
		},
		latent: map[Type]*latent{
			BF16: {launch: 0.638 * us, block: 13.8 * us, rows: 64, stream: 9.58 * gbps, tensor: 0.684, memory: 0.343, whole: true},
			FP8:  {launch: 0.23 * us, block: 14.31 * us, rows: 64, stream: 4.787 * gbps, tensor: 1.282, memory: 0.194, whole: true},
		},
	},
	"sm89": {
		fitted: "half of 320 products in bf16, in fp8 and in fp8 by blocks, 149 prompts in bf16 and 139 in fp8, 153 decodes, 200 experts in bf16 and 200 in fp8 of an L40S",
		warm:   true,
		gemm: map[Type]*gemm{
			BF16:     {tiles: narrow, tensor: 0.9028, issue: 0.8716, edge: 23.03, memory: 0.8282, copies: 11.37, wave: 3.228, split: 2.421 * us, store: 0.3668, turn: 0.2456, kept: true},
			FP8:      {tiles: narrow, launch: 2.375 * us, tensor: 0.8785, edge: 0.2423, memory: 0.7742, copies: 24.7, near: 2.355, wave: 0.6047, split: 0.8679 * us, join: 25.11, store: 8.358, turn: 0.00026, prepare: 9.206 * us, passes: 0.2039, kept: true},
			FP8Block: {tiles: ada, launch: 1.851 * us, tensor: 0.5353, edge: 0.02369, memory: 0.7733, copies: 148.5, near: 2638, wave: 2.19, store: 0.7888, turn: 0.3252, whole: true, prepare: 0.2455 * us, passes: 0.1777, kept: true},
		},
		context: map[Type]*context{
			BF16: {launch: 7.848 * us, odd: 0.147 * us, block: 0.0032 * us, wide: 0.0018 * us, tensor: 0.9114, exp: 3.01, queries: 0.5041, keys: 0.5654, near: 0.6304, spill: 1.447, rows: 64, cols: 64},
			// Kernels of fp8 are for heads of 128 and 192; others go at a half or less of the rate.
			FP8: {launch: 8.586 * us, block: 0.344 * us, tensor: 0.6994, exp: 0.0442, tail: 1.446, queries: 0.4657, keys: 0.4636, near: 0.9285, spill: 3.308, rows: 64, cols: 64, sizes: map[int]*context{
				64:  {launch: 8.271 * us, block: 3.64 * us, tensor: 0.3099, exp: 1.321, tail: 0.9662, queries: 0.701, keys: 0.4684, near: 1, spill: 0.2647, rows: 64, cols: 64},
				256: {launch: 5.981 * us, block: 0.0596 * us, tensor: 0.1895, exp: 1.439, queries: 0.4967, keys: 1, near: 0.28, spill: 5.384, rows: 64, cols: 64},
			}},
		},
		generation: map[Type]*generation{
			BF16: {launch: 8.84 * us, group: 3.127 * us, groupD: 0.7668 * us, head: 0.8045 * us, headD: 0.1809 * us, block: 69.75 * gbps, sm: 288600 * gbps, memory: 0.8216, near: 1.127, split: 5.008 * us, serial: 0.00776, kept: true},
		},
	},
	"sm90": {
		fitted: "half of 320 products in bf16, 200 in fp8 and 200 in fp8 by blocks, 147 prompts in bf16 and 90 in fp8, 151 decodes, 240 latent prompts, 240 latent decodes, 200 experts in bf16, 125 in fp8, 125 in fp8 by blocks, 200 by mxfp4, 120 convolutions of Mamba-2 and 56 gated delta rules of an H100",
		gemm: map[Type]*gemm{
			BF16:     {tiles: wide, launch: 2.243 * us, tensor: 1.042, issue: 1, memory: 0.824, copies: 63.87, wave: 0.568, split: 2.682 * us, join: 0.0034, turn: 0.1232},
			FP8:      {tiles: wide, launch: 1.581 * us, tensor: 1.015, issue: 1, edge: 0.5087, memory: 0.8338, copies: 56.52, near: 47.1, wave: 0.7231, split: 2.408 * us, join: 1.915, store: 0.1813, turn: 0.0043, prepare: 10.29 * us, passes: 1.26},
			FP8Block: {tiles: promoted, launch: 1.266 * us, tensor: 1.216, edge: 2.702, memory: 0.892, copies: 38.97, near: 1.398, wave: 2.748, turn: 0.0729, whole: true, prepare: 1.504 * us, passes: 0.979},
		},
		context: map[Type]*context{
			BF16: {launch: 10.29 * us, odd: 4.01 * us, block: 1.97 * us, tensor: 1.041, exp: 0.818, tail: 0.164, queries: 0.390, keys: 0.913, rows: 128, cols: 64},
			FP8:  {launch: 11.18 * us, odd: 1.55 * us, block: 3.39 * us, tensor: 0.861, exp: 0.925, tail: 0.644, queries: 0.500, keys: 1, rows: 128, cols: 64},
		},
		generation: map[Type]*generation{
			BF16: {launch: 7.62 * us, wide: 1.22 * us, group: 6.69 * us, groupD: 0.185 * us, head: 1.58 * us, block: 55.7 * gbps, sm: 88.5 * gbps, memory: 0.902, near: 1.181, split: 5.08 * us},
		},
		prompts: map[Type]*context{
			BF16: {launch: 13.17 * us, block: 1.477 * us, tensor: 1.006, exp: 0.0582, tail: 0.658, queries: 1, keys: 1, rows: 128, cols: 64},
			FP8:  {launch: 17.71 * us, block: 1.835 * us, tensor: 1.093, exp: 0.0013, tail: 0.789, queries: 0.568, keys: 1, rows: 128, cols: 64},
		},
		latent: map[Type]*latent{
			BF16: {launch: 7.957 * us, block: 5.139 * us, rows: 64, stream: 49.67 * gbps, tensor: 0.98, memory: 0.899, split: 3.892 * us, write: 0.136 * us},
			FP8:  {launch: 8.433 * us, block: 4.697 * us, rows: 64, stream: 144.1 * gbps, tensor: 1.47, memory: 0.807, split: 4.68 * us, write: 0.177 * us},
		},
	},
	"sm100": {
		fitted: "half of 200 products in bf16, in fp8 and in fp8 by blocks, 97 prompts in bf16 and 94 in fp8, 94 decodes, 150 latent prompts, 150 latent decodes, 125 experts of mxfp8 by mxfp4, 75 convolutions of Mamba-2 and 40 gated delta rules of a GB200 (experts of other types as on an H100)",
		gemm: map[Type]*gemm{
			BF16:     {tiles: wide, launch: 1.992 * us, tensor: 1.013, issue: 0.889, edge: 0.2874, memory: 0.7802, copies: 94.47, near: 15.03, wave: 0.2058, split: 2.673 * us, join: 3.808, store: 1.335, turn: 0.000126},
			FP8:      {tiles: wide, launch: 2.131 * us, tensor: 1.033, edge: 2.623, memory: 0.732, copies: 75.6, near: 2.014, wave: 0.0287, split: 3.838 * us, store: 1.637, prepare: 11.6 * us, passes: 1.162},
			FP8Block: {tiles: swapped, launch: 0.070 * us, tensor: 1.063, edge: 0.307, memory: 0.740, copies: 94.4, near: 7.423, wave: 0.577, turn: 0.0043, whole: true, prepare: 4.973 * us, passes: 0.627},
			// assumption: no rows; the loop of fp8 products, and the one kernel that quantises of those by blocks.
			NVFP4: {tiles: wide, launch: 2.131 * us, tensor: 1.033, edge: 2.623, memory: 0.732, copies: 75.6, near: 2.014, wave: 0.0287, split: 3.838 * us, store: 1.637, prepare: 2.91 * us, passes: 0.627},
		},
		context: map[Type]*context{
			BF16: {launch: 13.34 * us, block: 2.34 * us, tensor: 1.205, exp: 0.786, tail: 0.559, queries: 0.278, keys: 0.885, rows: 128, cols: 64},
			FP8:  {launch: 13.17 * us, odd: 1.62 * us, block: 2.06 * us, tensor: 1.333, exp: 0.923, tail: 0.911, queries: 0.261, keys: 1, rows: 128, cols: 64},
		},
		generation: map[Type]*generation{
			BF16: {launch: 11.45 * us, group: 1.103 * us, groupD: 0.8125 * us, head: 1.367 * us, headD: 0.1407 * us, block: 160.3 * gbps, sm: 32720 * gbps, memory: 0.9216, near: 161, split: 1.574 * us, kept: true},
		},
		prompts: map[Type]*context{
			BF16: {launch: 12.5 * us, block: 2.21 * us, tensor: 1.27, exp: 0.546, tail: 0.8125, queries: 1, keys: 1, rows: 128, cols: 64},
			FP8:  {launch: 18.57 * us, block: 2.39 * us, tensor: 1.43, exp: 0.0897, tail: 1.129, queries: 0.44, keys: 1, rows: 128, cols: 64},
		},
		latent: map[Type]*latent{
			BF16: {launch: 6.324 * us, block: 4.622 * us, rows: 64, stream: 139.7 * gbps, tensor: 1.587, memory: 0.715, split: 9.578 * us, write: 0.0768 * us},
			FP8:  {launch: 5.8 * us, block: 4.638 * us, rows: 128, stream: 420.1 * gbps, tensor: 1.587, memory: 0.779, split: 8.354 * us, write: 0.0943 * us},
		},
	},
}
