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
			BF16:       {tiles: narrow, launch: 1.329 * us, tensor: 1.137, memory: 0.804, copies: 28.2, near: 1.135, wave: 3.536, split: 1.541 * us, join: 1.426},
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
			BF16:     {tiles: narrow, launch: 1.636 * us, tensor: 1.092, edge: 11.11, memory: 0.979, copies: 12.5, near: 29.9, split: 0.806 * us},
			FP8:      {tiles: narrow, launch: 3.548 * us, tensor: 0.820, memory: 0.887, copies: 21.6, near: 4.823, split: 1.511 * us, join: 12.6, prepare: 7.839 * us, passes: 0.1663},
			FP8Block: {tiles: ada, launch: 2.435 * us, tensor: 0.5042, memory: 0.885, copies: 210, near: 311, turn: 0.3323, whole: true, prepare: 0.689 * us, passes: 0.1765},
		},
		context: map[Type]*context{
			BF16: {launch: 6.85 * us, odd: 0.043 * us, tensor: 0.700, exp: 0.260, queries: 1, keys: 1, rows: 64, cols: 64},
			FP8:  {launch: 3.13 * us, odd: 7.35 * us, block: 1.33 * us, tensor: 0.315, exp: 2.43, tail: 0.0015, queries: 1, keys: 1, rows: 64, cols: 64},
		},
		generation: map[Type]*generation{
			BF16: {launch: 6.82 * us, wide: 0.260 * us, group: 2.67 * us, groupD: 1.07 * us, head: 0.897 * us, block: 57.6 * gbps, sm: 29330 * gbps, memory: 0.861, near: 1.112, split: 2.94 * us, serial: 0.34},
		},
	},
	"sm90": {
		fitted: "half of 320 products in bf16, 200 in fp8 and 200 in fp8 by blocks, 147 prompts in bf16 and 90 in fp8, 151 decodes, 240 latent prompts, 240 latent decodes, 200 experts in bf16, 125 in fp8, 125 in fp8 by blocks, 200 by mxfp4, 120 convolutions of Mamba-2 and 56 gated delta rules of an H100",
		gemm: map[Type]*gemm{
			BF16:     {tiles: wide, launch: 2.205 * us, tensor: 1.236, edge: 3.372, memory: 0.835, copies: 61.6, near: 2.953, wave: 0.6275, split: 2.675 * us, join: 0.021},
			FP8:      {tiles: wide, launch: 1.645 * us, tensor: 1.067, memory: 0.834, copies: 58.1, near: 45.6, wave: 0.6566, split: 2.772 * us, join: 3.152, prepare: 10.34 * us, passes: 1.170},
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
			BF16:     {tiles: wide, launch: 1.884 * us, tensor: 1.246, memory: 0.782, copies: 85.5, near: 1.410, wave: 0.277, split: 2.932 * us, join: 0.221, store: 1.285},
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
			BF16: {launch: 9.80 * us, group: 2.94 * us, head: 1.93 * us, block: 163.5 * gbps, sm: 32720 * gbps, memory: 0.917, near: 32.1, split: 0.92 * us, serial: 0.562},
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
