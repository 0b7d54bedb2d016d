package gpu

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/library"
	"github.com/causeway-sim/causeway/accelerators/gpu/profile"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// The machine of a kernel has the rates of the keys in bytes and seconds, times the shares of its type of operator. A
// chip at its limit has a lower clock: what goes by the clock is slower, the memory is not, and power bounds less.
func TestMachineOfKeys(t *testing.T) {
	s := DefaultSpec()
	s.Efficiency, s.L2Efficiency = map[string]float64{"gemm": 0.5}, map[string]float64{"gemm": 0.25}
	s.TensorEfficiency, s.VectorEfficiency = map[string]float64{"gemm": 0.75}, map[string]float64{"gemm": 0.125}
	product := graph.MatMul{Batch: 1, M: 1, N: 1, K: 1}
	want := kernel.Machine{
		SMs: 100, Clock: 1e9, Tensor: 768, Vector: 16, Exponentials: 2, Shared: 128, SharedSize: 128 << 10, Threads: 2048,
		L2: 32 << 20, L2Bandwidth: 1e12, Memory: 0.5e12, Latency: 700e-9, Near: 150e-9, WriteBack: 0.3, Sustained: 0.8, Issue: 0.95,
		Launch: 3e-6, Least: 1500e-9, Tuning: kernel.Tuning{Overlap: 4, Hide: 0.6, Fill: 1.5, Wait: 0.4, Split: 2e-6, Choice: 0.02},
	}
	near := func(want, got kernel.Machine, what string) {
		t.Helper()
		for _, x := range [][2]*float64{{&want.Clock, &got.Clock}, {&want.L2Bandwidth, &got.L2Bandwidth}, {&want.Latency, &got.Latency}, {&want.Near, &got.Near},
			{&want.Sustained, &got.Sustained}, {&want.Launch, &got.Launch}, {&want.Least, &got.Least}, {&want.Split, &got.Split}, {&want.Memory, &got.Memory}} {
			require.InEpsilon(t, *x[0], *x[1], 1e-12, what)
			*x[1] = *x[0]
		}
		require.Equal(t, want, got, what)
	}
	near(want, s.machine(product, graph.FP16), "keys")

	wide := want
	wide.Tensor = s.Vector // no rate of the matrix units
	near(wide, s.machine(product, graph.FP32), "vector units")

	grouped := s
	grouped.Shared.Operands, grouped.Rereads, grouped.Results, grouped.Caches = perGroup, lru, bypass, warm
	all := want
	all.Group, all.Rereads, all.Bypass, all.Resident = true, true, true, 0.1
	near(all, grouped.machine(product, graph.FP16), "group")

	bare := s
	bare.L2 = none
	all = want
	all.L2, all.L2Bandwidth, all.Near = 0, unbounded, want.Latency
	near(all, bare.machine(product, graph.FP16), "no L2")

	slow := s
	slow.share = 0.9
	all = want
	all.Clock, all.L2Bandwidth, all.Sustained = 0.9e9, 0.9e12, 0.8/0.9
	near(all, slow.machine(product, graph.FP16), "at its limit")
	slow.share = 0.5
	require.Equal(t, 1.0, slow.machine(product, graph.FP16).Sustained)
}

// Requests in flight are those of the key, or as many as two latencies of the memory ask.
func TestRequestsInFlight(t *testing.T) {
	s := DefaultSpec()
	require.Equal(t, leastOutstanding, s.outstanding())
	s.Burst = 1024
	require.Equal(t, 1368, s.outstanding(), "1.4 MB of 1 KiB, rounded up")
	s.Outstanding = 3
	require.Equal(t, 3, s.outstanding())
}

// Values at a bound are taken, and values beyond it are refused.
func TestKeysAtTheirBounds(t *testing.T) {
	for text, fault := range map[string]string{
		"sustained: 1": "", "sustained: 1.01": "sustained", "issue: 1": "", "issue: 0": "issue", "stream_share: 1": "", "stream_share: 1.5": "stream_share",
		"fetch_ahead: 4, stream_share: 0.5": "stream_share: has no effect with fetch_ahead: 4", "fetch_ahead: 4": "",
		"burst: 16MiB": "", "burst: 16385KiB": "burst", "burst: 0B": "burst",
		"l2_size: 1TiB": "", "l2_size: 1025GiB": "l2_size", "l2_bandwidth: 0B/s": "l2_bandwidth is", "l2: none": "",
		"shared: {size: 1GiB}": "", "shared: {size: 1025MiB}": "shared.size", "shared: {size: 0B}": "shared.size",
		"capacity: 1024TiB": "", "capacity: 1025TiB": "capacity", "capacity: 0B": "",
		"tensor: {fp16: 1000000}": "", "tensor: {fp16: 1000001}": "tensor.fp16", "tensor: {fp16: 0}": "tensor.fp16",
		"caches: warm, resident: 0.5": "", "caches: hot, resident: 0.5": "", "caches: loop, resident: 0.5": "resident", "resident: 0.5": "resident",
		"rereads: lru": "", "rereads: lru, results: bypass": "", "rereads: lru, kernels: {library: cutlass}": "",
		"rereads: lru, architecture: sm90, kernels: {library: trtllm}": "rereads: has no effect with kernels.library: trtllm",
		"load: continuous":                                              "load: continuous needs power_limit",
		"load: continuous, power_limit: 300W":                           "load: continuous needs power_limit",
		"load: continuous, power: {process: 4n}":                        "load: continuous needs power_limit",
		"load: steady, power_limit: 300W, power: {process: 4n}":         "",
		"load: steady, power_limit: 3W, power: {process: 4n, idle: 3W}": "power.idle",
		"power_limit: 300W":                                             "power_limit: sets no clock without power.process",
		"load: burst, power_limit: 300W":                                "power_limit: sets no clock with load: burst",
		"power_limit: 300W, power: {process: 4n}, sms: 10, clock: 1GHz": "",
		"launch: {mode: eager}":                                         "", "launch: {mode: eager, gem: 1us}": "launch.gem",
		"launch: eager, host: {graph: 1us}": "host.graph: has no effect with launch: eager", "launch: graph, host: {launch: 1us}": "host.launch: has no effect with launch: graph",
		"launch: eager, host: {launch: 1us, stream: 1us}": "",
		"kernels: {library: cutlass, generation: sm90}":   "generation: has no effect with library: cutlass", "kernels: {library: cutlass, tiles: own}": "tiles: has no effect",
		"kernels: {library: cutlass, training_attention: flash1}": "training_attention: has no effect", "kernels: {generation: sm91}": `has no kernels for generation "sm91"`,
		"architecture: sm70, kernels: {library: trtllm}": `has no kernels for architecture "sm70"`, "architecture: sm70": "", "kernels: {generation: sm90}": "",
		"power: {process: none, idle: 3W}": "power.idle: has no effect with process: none", "power: {process: 4n, mac: {fp16: 1pJ}}": "",
	} {
		v, err := configs.ParseValue("f", []byte("{"+text+"}"))
		require.NoError(t, err)
		s := DefaultSpec()
		require.NoError(t, v.Decode(&s), text)
		err = s.check(v)
		if fault == "" {
			require.NoError(t, err, text)
		} else {
			require.ErrorContains(t, err, fault, text)
			require.NotContains(t, err.Error(), "\n", "one fault: "+text)
		}
	}
	for text, want := range map[string]FetchAhead{"auto": ruled, "0": 0, "4096": 4096} {
		var f FetchAhead
		require.NoError(t, f.UnmarshalText([]byte(text)))
		require.Equal(t, want, f)
		back, err := f.MarshalText()
		require.NoError(t, err)
		require.Equal(t, text, string(back))
	}
	for _, text := range []string{"-1", "4097", "x", ""} {
		require.Error(t, new(FetchAhead).UnmarshalText([]byte(text)), text)
	}
}

// A library has kernels by the types of all operands: weights of few bits have kernels of their own, and other mixes
// have none.
func TestTypesOfALibrary(t *testing.T) {
	for pair, want := range map[[2]graph.DType]named{
		{graph.BF16, graph.BF16}: {library.BF16, true}, {graph.FP16, graph.FP16}: {library.BF16, true}, {graph.BF16, graph.FP16}: {},
		{graph.BF16, graph.Int8}: {library.WeightInt8, true}, {graph.FP16, graph.Int4}: {library.WeightInt4, true}, {graph.BF16, graph.Q4}: {library.WeightInt4, true},
		{graph.BF16, graph.Int4G128}: {library.WeightInt4, true}, {graph.BF16, graph.MXFP4}: {library.WeightMX4, true}, {graph.MXFP8, graph.MXFP4}: {library.MX4, true},
		{graph.MXFP8, graph.MXFP8}: {}, {graph.FP8, graph.MXFP4}: {}, {graph.FP8, graph.FP8}: {library.FP8, true}, {graph.FP8Block, graph.FP8Block}: {library.FP8Block, true},
		{graph.Int8, graph.Int8}: {library.Int8, true}, {graph.NVFP4, graph.NVFP4}: {library.NVFP4, true}, {graph.FP32, graph.Int8}: {}, {graph.FP32, graph.FP32}: {},
	} {
		g := &graph.Graph{}
		a, b := g.Add(graph.Tensor{Shape: []int{64, 64}, DType: pair[0]}), g.Add(graph.Tensor{Shape: []int{64, 64}, DType: pair[1], Role: graph.Weight})
		g.Append(graph.Op{Name: "x", Kind: graph.MatMul{Batch: 1, M: 64, N: 64, K: 64}, In: []graph.TensorID{a, b}})
		require.Equal(t, want, namedOf(g, &g.Ops[0]), pair)
		require.Equal(t, pair[0] == pair[1], alike(g, &g.Ops[0]))
	}
	for d, want := range map[graph.DType]named{graph.BF16: {library.BF16, true}, graph.FP16: {library.BF16, true}, graph.FP8: {library.FP8, true}, graph.Int8: {}} {
		got, ok := cacheOf(d)
		require.Equal(t, want, named{got, ok})
	}
}

// Bytes between the L2 and the SMs are those of the kernel and what stays in the L2, unless the kernel says its own;
// those that the L2 had do not come from memory.
func TestBytesOfAKernel(t *testing.T) {
	near, far := moved(&kernel.Cost{Bytes: 100, Late: 20, Kept: 30})
	require.Equal(t, []float64{120, 90}, []float64{near, far})
	near, far = moved(&kernel.Cost{Bytes: 100, Late: 20, Near: 400, Kept: 130})
	require.Equal(t, []float64{400, 0}, []float64{near, far})
}

// Threads of a row: a rotary embedding has one for each pair of elements, up to 512, and a gated activation one for each
// element, up to 1,024, each of which loads eight at a time; a block has a warp at the least. A gather reads rows that it
// wants again from the L2.
func TestThreadsOfRows(t *testing.T) {
	m := &kernel.Machine{Latency: 700, Near: 100}
	of := func(k graph.Kind, rows int64) kernel.Stream {
		s := kernel.Stream{Read: 1e6, Ops: 7}
		streamOf(m, &shape{kind: k, rows: rows}, 2, &s)
		return s
	}
	for _, x := range []struct {
		cols           int64
		threads, block float64
	}{{16, 32, 700 + 25}, {64, 32, 800}, {256, 128, 800}, {1024, 512, 800}, {2048, 512, 900}} {
		s := of(graph.Elementwise{Func: "rope", Elements: 10 * x.cols, Inputs: 1}, 10)
		require.Equal(t, []float64{10, x.threads, x.block}, []float64{s.Blocks, s.Threads, s.Block}, x)
	}
	for _, x := range []struct {
		cols           int64
		threads, block float64
	}{{16, 32, 700}, {1000, 1000, 700}, {1024, 1024, 700}, {8192, 1024, 700}, {8200, 1024, 1400}} {
		s := of(graph.Elementwise{Func: "silu", Elements: 10 * x.cols, Inputs: 2}, 10)
		require.Equal(t, []float64{10, x.threads, x.block}, []float64{s.Blocks, s.Threads, s.Block}, x)
	}
	require.Zero(t, of(graph.Elementwise{Func: "silu", Elements: 10, Inputs: 1}, 10).Threads)
	require.Zero(t, of(graph.Elementwise{Func: "rope", Elements: 10, Inputs: 1}, 0).Threads)
	for rows, want := range map[int64][3]float64{1: {0, 0, 1e6}, 16: {30, 0, 1e6}, 17: {0, 0, 1e6}, 100: {0, 0, 1e6}, 150: {0, 50 * 8 * 2, 1e6 - 800}} {
		s := of(graph.Gather{Rows: rows, Table: 100, Cols: 8}, rows)
		require.Equal(t, want, [3]float64{s.Serial, s.Near, s.Read}, rows)
		require.Zero(t, s.Ops)
	}
	for k, want := range map[graph.Norm]float64{
		{Func: "rms", Rows: 255, Cols: 4096}: 1024, {Func: "rms", Rows: 256, Cols: 4096}: 256, {Func: "rms", Rows: 1, Cols: 512}: 512, {Func: "rms", Rows: 1, Cols: 8}: 32,
		{Func: "layer", Rows: 9999, Cols: 4096}: 128, {Func: "layer", Rows: 9, Cols: 64}: 64,
	} {
		require.Equal(t, want, normThreads(k), k)
	}
}

// Measured times stand for an operator by the longest pattern that fits it: tokens are rows of its operand, without
// the heads, or the rows of a gather; layers that are joined add up, and none takes no time.
func TestMeasuredTimes(t *testing.T) {
	line := func(each float64) *profile.Curve {
		return &profile.Curve{Size: []float64{0, 1000}, Time: []float64{0, 1000 * each}}
	}
	surface := func(x, y float64) *profile.Surface {
		return &profile.Surface{Size: []float64{0, 1000}, Curves: []*profile.Curve{{Size: []float64{0, 1000}, Time: []float64{5, 5 + 1000*y}}, {Size: []float64{0, 1000}, Time: []float64{5 + 1000*x, 5 + 1000*x + 1000*y}}}}
	}
	m := &measured{dense: map[string]*profile.Curve{"a": line(2), "b": line(3)}, mixture: surface(1, 10),
		layers: map[string]string{"*.up": "a", "L1.up": "a+b", "*.none": none, "*.e": mixture}, patterns: []string{"*.none", "L1.up", "*.up", "*.e"}}
	cost := func(name string, kind graph.Kind, outs int, shape ...int) (float64, bool) {
		g := &graph.Graph{}
		op := graph.Op{Name: name, Kind: kind, In: []graph.TensorID{g.Add(graph.Tensor{Shape: shape})}, Out: make([]graph.TensorID, outs)}
		c, ok := m.cost(g, &op, kernel.Cost{Total: 77, Compute: 1, Bytes: 2, Late: 3})
		if ok && c.Total > 0 {
			require.Equal(t, []float64{1, 2, 3}, []float64{c.Compute, c.Bytes, c.Late}, "bytes and operations are the model's")
		}
		return c.Total, ok
	}
	product := graph.MatMul{Batch: 1}
	for _, x := range []struct {
		name  string
		kind  graph.Kind
		shape []int
		want  float64
		ok    bool
	}{
		{"L2.up", product, []int{3, 7, 64}, 2 * 21, true}, {"L1.up", product, []int{21, 64}, 5 * 21, true}, {"L1.none", product, []int{21, 64}, 0, true},
		{"L2.up", product, []int{3, 8, 7, 64}, 2 * 21, true}, {"L2.up", graph.Gather{Rows: 9}, []int{50000, 64}, 2 * 9, true}, {"down", product, []int{21, 64}, 77, false},
		{"L1.e", product, []int{21, 64}, 5 + 21 + 4*10, true},
	} {
		got, ok := cost(x.name, x.kind, 4, x.shape...)
		require.Equal(t, x.ok, ok, x)
		require.InDelta(t, x.want, got, 1e-9, x)
	}

	m.attention = &profile.Attention{Prefill: surface(1, 0.1), Decode: surface(2, 0.01)}
	attend := func(queries, keys, requests int) float64 {
		g := &graph.Graph{}
		q, k := g.Add(graph.Tensor{Shape: []int{requests, queries, 64}}), g.Add(graph.Tensor{Shape: []int{requests, keys, 64}})
		c, ok := m.cost(g, &graph.Op{Name: "L1.attention", Kind: graph.Attention{Batch: requests, Group: 1, Queries: queries, Keys: keys}, In: []graph.TensorID{q, k, k}}, kernel.Cost{})
		require.True(t, ok)
		return c.Total
	}
	require.InDelta(t, 5+100+0.1*200, attend(100, 300, 1), 1e-9, "a chunk after 200 entries")
	require.InDelta(t, 5+2*8+0.01*300, attend(1, 300, 8), 1e-9, "eight requests of 300 entries")
	chunks := []graph.Attention{{Queries: 10, Keys: 10}, {Queries: 100, Keys: 300}, {Queries: 20, Keys: 30}}
	s, ok := m.attend(chunks, 0, 0)
	require.True(t, ok)
	require.InDelta(t, (5+100+20)+10+(20+1), s, 1e-9, "the longest, and of others what is beyond the least")
	s, ok = m.attend([]graph.Attention{chunks[1], chunks[0], chunks[2]}, 0, 0)
	require.True(t, ok)
	require.InDelta(t, (5+100+20)+10+(20+1), s, 1e-9, "in any order")
	s, ok = m.attend(chunks[:1], 0, 0)
	require.True(t, ok)
	require.InDelta(t, 5+10, s, 1e-9, "a chunk alone")
	s, ok = m.attend(chunks, 8, 300)
	require.True(t, ok)
	require.InDelta(t, (5+100+20)+10+(20+1)+5+16+3-5, s, 1e-9)
	s, ok = m.attend(nil, 8, 300)
	require.True(t, ok)
	require.InDelta(t, 5+16+3, s, 1e-9)
	prompt := graph.Op{Name: "L1.attention", Kind: graph.Attention{Batch: 1, Group: 1, Queries: 100, Keys: 300}}
	m.attention.Prefill = nil
	_, ok = m.cost(&graph.Graph{}, &prompt, kernel.Cost{})
	require.False(t, ok, "no prompt was measured")
	m.attention.Prefill, m.attention.Decode = surface(1, 0.1), nil
	_, ok = m.cost(&graph.Graph{}, &prompt, kernel.Cost{})
	require.True(t, ok)
	_, ok = m.attend(chunks, 8, 300)
	require.False(t, ok, "no decode was measured")
	m.attention = nil
	_, ok = m.attend(chunks, 0, 0)
	require.False(t, ok)
}

// Kernels have names where they are products, attentions, measured, or a library's.
func TestNamesOfKernels(t *testing.T) {
	product, add := graph.Op{Kind: graph.MatMul{Batch: 1}}, graph.Op{Kind: graph.Elementwise{Func: "add"}}
	require.Equal(t, "cutlass cutlass  profile nccl", strings.Join([]string{
		kernelName(&product, &kernel.Cost{}, false), kernelName(&graph.Op{Kind: graph.Attention{}}, &kernel.Cost{}, false), kernelName(&add, &kernel.Cost{}, false),
		kernelName(&product, &kernel.Cost{}, true), kernelName(&add, &kernel.Cost{Library: "nccl"}, false),
	}, " "))
	require.Equal(t, units.Time(1500)*units.Nanosecond, inTime(1.5e-6))
}

// The kernel before gives a product its activations in few bits where it is a norm, an activation or an attention of a
// model whose operators share kernels, before views too, and where the product's type has one scale.
func TestWhoQuantises(t *testing.T) {
	s := DefaultSpec()
	s.Architecture, s.Kernels.Library = "sm100", "trtllm"
	before := func(s Spec, d graph.DType, list bool, change func(k *graph.MatMul), makers ...graph.Kind) bool {
		g := &graph.Graph{List: list}
		x := g.Add(graph.Tensor{Shape: []int{64, 64}, DType: d})
		for _, k := range makers {
			y := g.Add(graph.Tensor{Shape: []int{64, 64}, DType: d})
			g.Append(graph.Op{Kind: k, In: []graph.TensorID{x}, Out: []graph.TensorID{y}})
			x = y
		}
		k := graph.MatMul{Batch: 1, M: 64, N: 64, K: 64}
		if change != nil {
			change(&k)
		}
		w := g.Add(graph.Tensor{Shape: []int{64, 64}, DType: d, Role: graph.Weight})
		g.Append(graph.Op{Kind: k, In: []graph.TensorID{x, w}, Out: []graph.TensorID{g.Add(graph.Tensor{Shape: []int{64, 64}, DType: d})}})
		return New("Chip", nil, s).quantisedBefore(g, &g.Ops[len(makers)])
	}
	norm, view, copied, product := graph.Norm{Func: "rms"}, graph.Move{Func: "view"}, graph.Move{Func: "concat", Elements: 4096}, graph.MatMul{Batch: 1, M: 64, N: 64, K: 64}
	for _, d := range []graph.DType{graph.FP8, graph.Int8, graph.NVFP4} {
		for _, k := range []graph.Kind{norm, graph.Elementwise{Func: "silu"}, graph.Attention{}} {
			require.True(t, before(s, d, false, nil, k), "%v %v", d, k)
			require.True(t, before(s, d, false, nil, k, view, view))
		}
		require.False(t, before(s, d, false, nil), "an input of the model")
		require.False(t, before(s, d, false, nil, product))
		require.False(t, before(s, d, false, nil, norm, copied))
		require.False(t, before(s, d, true, nil, norm), "a list")
		require.False(t, before(s, d, false, func(k *graph.MatMul) { k.Quantised = true }, norm), "it is already")
	}
	require.False(t, before(s, graph.BF16, false, nil, norm))
	require.False(t, before(s, graph.FP8Block, false, nil, norm), "scales by blocks are made apart")
	apart, other := s, s
	apart.Kernels.Join, other.Kernels.Library = false, cutlass
	require.False(t, before(apart, graph.FP8, false, nil, norm))
	require.False(t, before(other, graph.FP8, false, nil, norm))
	g := &graph.Graph{}
	g.Append(graph.Op{Kind: norm})
	require.False(t, New("Chip", nil, s).quantisedBefore(g, &g.Ops[0]))
}

// Rates of the matrix units without a key are those of int8, twice that of elements of two bytes.
func TestRatesWithoutKeys(t *testing.T) {
	s := DefaultSpec()
	require.Equal(t, s.Tensor["fp16"], s.Tensor["bf16"])
	require.Equal(t, 2*s.Tensor["fp16"], s.Tensor["int8"])
}
