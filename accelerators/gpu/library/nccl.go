package library

// Transfers between the chips of a machine: NCCL 2.27 (A100) and 2.29 through nccl-tests, the
// all-reduce of TensorRT-LLM, and DeepEP through SGLang 0.5.12. Source of the rows:
// ai-dynamo/aiconfigurator (Apache-2.0). Values were fitted by least |log(model / measured)| on
// every other row of one chip and operator, from the first. DeepEP's normal kernels send bf16;
// those of low latency dispatch fp8 with a scale for 128 elements and combine bf16.
var nccl = map[string]*links{
	"sm80": {
		fitted: "half of 404 collectives and 56 custom all-reduces of 2 to 8 A100",
		nccl: map[string]*collective{
			"all_reduce":     {launch: 8.133 * us, hop: 1.782 * us, low: 0.02934, wait: 0.8019 * us, line: 0.1896, fill: 19.18 * us, simple: 0.7843, pair: 0.4626, ramp: 3.01},
			"all_gather":     {launch: 9.859 * us, hop: 0.2655 * us, low: 0.01227, wait: 1.172 * us, line: 0.206, fill: 10.13 * us, simple: 0.8381, pair: 1.316, ramp: 3.773},
			"reduce_scatter": {launch: 7.895 * us, hop: 0.9404 * us, low: 0.01188, wait: 1.176 * us, line: 0.0494, fill: 0.2228 * us, simple: 0.8091, pair: 0.7444, ramp: 5.474},
			"all_to_all":     {launch: 12.12 * us, hop: 0.1097 * us, low: 0.1088, wait: 0.3008 * us, line: 0.2245, fill: 7.106 * us, simple: 0.7714, pair: 0.57, ramp: 3.842},
		},
		custom: &custom{launch: 4.146 * us, chip: 0.0757 * us, once: 0.4485, again: 1.191 * us, twice: 0.1366, nccl: 0.9845},
	},
	"sm90": {
		fitted: "half of 404 collectives, 56 custom all-reduces, 141 dispatches and combines of low latency and 240 normal ones of 2 to 8 H100",
		nccl: map[string]*collective{
			"all_reduce":     {launch: 4.717 * us, hop: 1.542 * us, low: 0.03565, wait: 0.5267 * us, line: 0.2931, fill: 8.659 * us, simple: 0.8343, pair: 0.3926, ramp: 1.589, inside: 1.861 * us, nvls: 0.6489},
			"all_gather":     {launch: 4.829 * us, hop: 0.7523 * us, low: 0.02239, wait: 0.3692 * us, line: 0.2446, fill: 7.798 * us, simple: 0.9021, pair: 1.166, ramp: 2.208},
			"reduce_scatter": {launch: 5.12 * us, hop: 0.7764 * us, low: 0.3186, wait: 0.06438 * us, line: 0.1057, fill: 9.923 * us, simple: 0.8976, pair: 1.77, ramp: 0.4562},
			"all_to_all":     {launch: 6.384 * us, hop: 0.09682 * us, low: 0.01401, wait: 0.9207 * us, line: 0.01693, fill: 4.806 * us, simple: 0.7098, pair: 0.3447, ramp: 1.439},
		},
		custom: &custom{launch: 2.78 * us, chip: 0.06346 * us, once: 0.676, again: 2.46 * us, twice: 0.3217, nccl: 1.037},
		near: map[string]*spread{
			"dispatch": {launch: 7.875 * us, expert: 0.118 * us, link: 0.6508, group: 3.788 * gbps, width: 1.576e-4 * us},
			"combine":  {launch: 9.211 * us, expert: 0.05528 * us, link: 0.5512, group: 24.82 * gbps, width: 1.796e-4 * us},
		},
		far: map[string]*stream{
			"dispatch": {launch: 25 * us, width: 0.9604e-4 * us, token: 0.4147 * us, chip: 0.05457 * us, copy: 1.718e-5 * us, link: 1},
			"combine":  {launch: 25.51 * us, width: 3.095e-3 * us, chip: 0.03769 * us, bytes: 1.169e-4 * us, copy: 2.411e-5 * us, link: 0.819},
		},
	},
	"sm100": {
		fitted: "half of 168 collectives, 23 custom all-reduces, 88 dispatches and combines of low latency and 150 normal ones of 2 to 4 GB200",
		nccl: map[string]*collective{
			"all_reduce":     {launch: 8.131 * us, hop: 2.763 * us, low: 0.09341, wait: 5.357 * us, line: 0.06593, fill: 17.43 * us, simple: 0.5881, pair: 0.05903, ramp: 0.8831, inside: 0.3871 * us, nvls: 0.591},
			"all_gather":     {launch: 8.719 * us, hop: 1.103 * us, low: 0.02413, wait: 0.1684 * us, line: 0.2259, fill: 20.48 * us, simple: 0.749, pair: 0.331, ramp: 0.3997},
			"reduce_scatter": {launch: 8.473 * us, hop: 1.095 * us, low: 0.02744, wait: 0.2954 * us, line: 0.2507, fill: 7.121 * us, simple: 0.9998, pair: 2.66, ramp: 0.4037},
			"all_to_all":     {launch: 9.678 * us, hop: 0.327 * us, low: 0.0206, wait: 1.208 * us, line: 0.0739, fill: 5.933 * us, simple: 0.7155, pair: 2.025, ramp: 0.5086},
		},
		custom: &custom{launch: 3.646 * us, chip: 0.3465 * us, once: 0.6011, again: 1.219 * us, twice: 0.4017, nccl: 1.079},
		near: map[string]*spread{
			"dispatch": {launch: 8.709 * us, expert: 0.09688 * us, link: 0.6858, group: 4.121 * gbps, width: 2.596e-4 * us},
			"combine":  {launch: 9.47 * us, expert: 0.06701 * us, link: 0.862, group: 29.68 * gbps, width: 2.903e-4 * us},
		},
		far: map[string]*stream{
			"dispatch": {launch: 31.12 * us, width: 2.599e-4 * us, token: 0.4189 * us, chip: 0.2849 * us, copy: 3.127e-6 * us, link: 0.7268},
			"combine":  {launch: 27.13 * us, width: 2.955e-3 * us, token: 0.1774 * us, chip: 0.4157 * us, bytes: 5.686e-5 * us, copy: 4.081e-6 * us, link: 0.4337},
		},
	},
}
