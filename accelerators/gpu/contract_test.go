package gpu

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/gpu/kernel"
	"github.com/causeway-sim/causeway/accelerators/gpu/library"
	"github.com/causeway-sim/causeway/accelerators/gpu/profile"
	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// hopper is a chip whose kernels are those of a library.
func hopper() Spec {
	s := DefaultSpec()
	s.Architecture, s.Kernels.Library = "sm90", "trtllm"
	s.Tensor = map[string]float64{"bf16": 4096, "fp16": 4096, "fp8": 8192, "int8": 8192}
	return s
}

// attends is a graph of one attention over queries and cached keys of some types.
func attendsGraph(k graph.Attention, q, cache graph.DType) *graph.Graph {
	g := &graph.Graph{Name: "g"}
	in := []graph.TensorID{g.Add(graph.Tensor{Shape: []int{1, k.Queries, 128}, DType: q}), g.Add(graph.Tensor{Shape: []int{1, k.Keys, 128}, DType: cache, Role: graph.KV})}
	g.Append(graph.Op{Name: "a", Kind: k, In: append(in, in[1]), Out: []graph.TensorID{g.Add(graph.Tensor{Shape: []int{1, k.Queries, 128}, DType: q})}})
	return g
}

// Attention of a library takes rotary embeddings and writes into the cache with it, where the library has a kernel for the
// types and the chip multiplies them; a profile and parts of an attention do not.
func TestWhoPreparesAttention(t *testing.T) {
	token, latentPrompt := graph.Attention{Batch: 1, Group: 4, Queries: 1, Keys: 64, Size: 128, Value: 128}, graph.Attention{Batch: 1, Group: 4, Queries: 16, Keys: 64, Size: 192, Value: 128}
	prompt, inside, part := token, token, token
	prompt.Queries, inside.Inside, part.Partial = 16, true, 1
	prepares := func(s Spec, k graph.Attention, q, cache graph.DType) bool {
		g := attendsGraph(k, q, cache)
		return New("Chip", nil, s).Prepares(g, &g.Ops[0])
	}
	for _, k := range []graph.Attention{token, prompt, inside, latentPrompt} {
		require.True(t, prepares(hopper(), k, graph.BF16, graph.BF16), k)
	}
	require.False(t, prepares(hopper(), part, graph.BF16, graph.BF16))
	require.False(t, prepares(hopper(), token, graph.FP32, graph.FP32), "no rate of the matrix units")
	require.False(t, prepares(hopper(), inside, graph.BF16, graph.Int8), "no latent kernel for such a cache")
	require.False(t, prepares(hopper(), inside, graph.FP8, graph.FP8))
	own := hopper()
	own.Kernels.Library = cutlass
	require.False(t, prepares(own, token, graph.BF16, graph.BF16))
	slow := hopper()
	slow.Tensor = map[string]float64{"int8": 8192}
	require.False(t, prepares(slow, token, graph.BF16, graph.BF16))
	c, g := New("Chip", nil, hopper()), attendsGraph(token, graph.BF16, graph.BF16)
	require.True(t, c.Fuses())
	c.prof = &measured{}
	require.False(t, c.Prepares(g, &g.Ops[0]))
	require.False(t, c.Fuses())
	c = New("Chip", nil, hopper())
	product := productOf(graph.BF16, 64, 64, 64, false)
	require.False(t, c.Prepares(product, &product.Ops[0]))
	c.spec.Kernels.Fuse = false
	require.False(t, c.Fuses())
}

// An attention is latent if its keys are longer than its values, or hold these.
func TestLatentAttention(t *testing.T) {
	for k, want := range map[graph.Attention]bool{{Size: 128, Value: 128}: false, {Size: 192, Value: 128}: true, {Size: 128, Value: 192}: false, {Size: 128, Value: 128, Inside: true}: true} {
		require.Equal(t, want, latent(k), k)
	}
	require.False(t, latent(graph.Softmax{}))
}

// Element types of which a node has no rate are noted for what it carries out: products, convolutions and attentions, but
// depthwise convolutions, which have no products of matrices. Those that are widened go at the rate of the wider type.
func TestWhichTypesLackARate(t *testing.T) {
	conv := func(groups int) graph.Conv {
		return graph.Conv{N: 1, C: 8, H: 8, W: 8, K: 8, R: 1, S: 1, StrideH: 1, StrideW: 1, DilationH: 1, DilationW: 1, Groups: groups}
	}
	across := conv(8)
	across.Transposed = true
	for _, x := range []struct {
		kind graph.Kind
		want bool
	}{{graph.MatMul{Batch: 1, M: 8, N: 8, K: 8}, true}, {conv(1), true}, {conv(4), true}, {conv(8), false}, {across, true}, {graph.Attention{Batch: 1, Group: 1, Queries: 8, Keys: 8, Size: 8, Value: 8}, true}, {graph.Softmax{Rows: 8, Cols: 8}, false}} {
		g := &graph.Graph{}
		a, b := g.Add(graph.Tensor{Shape: []int{8, 8}, DType: graph.FP32}), g.Add(graph.Tensor{Shape: []int{8, 8}, DType: graph.FP32, Role: graph.Weight})
		g.Append(graph.Op{Name: "x", Kind: x.kind, In: []graph.TensorID{a, b, b}})
		g.Append(graph.Op{Name: "y", Kind: graph.Softmax{}, In: []graph.TensorID{a}})
		c := New("Chip", nil, DefaultSpec())
		c.lacks(&work.Share{Graph: g})
		require.Equal(t, x.want, c.plain[graph.FP32], "%+v", x.kind)
		require.Equal(t, x.want, len(c.Warnings()) == 1)
		c = New("Chip", nil, DefaultSpec())
		c.lacks(&work.Share{Graph: g, Program: mapping.Program{Jobs: []mapping.Job{{Op: 1}}}})
		require.Empty(t, c.Warnings(), "another node carries it out")
		c.lacks(&work.Share{Graph: g, Program: mapping.Program{Jobs: []mapping.Job{{Op: 1, Fused: []int{0}}}}})
		require.Equal(t, x.want, c.plain[graph.FP32])
	}
	c := New("Chip", nil, DefaultSpec())
	c.lacks(&work.Share{Graph: productOf(graph.FP8, 8, 8, 8, false)})
	require.Equal(t, []string{"Chip: products of fp8 go at the rate of fp16: the matrix units have no rate for them (key tensor, which has: bf16, fp16, int8)"}, c.Warnings())
	for wide, narrow := range map[graph.DType]graph.DType{graph.FP32: graph.Int8, graph.BF16: graph.Int4} {
		g := productOf(wide, 8, 8, 8, false)
		g.Tensors[g.Ops[0].In[1]].DType = narrow
		require.Equal(t, wide, typeOf(g, &g.Ops[0]))
		g.Tensors[g.Ops[0].In[0]].DType, g.Tensors[g.Ops[0].In[1]].DType = narrow, wide
		require.Equal(t, wide, typeOf(g, &g.Ops[0]), "of the wider operand")
	}
}

// Gradients that two ranks or more share out take a share each, once; other transfers change nothing.
func TestBytesOfTraining(t *testing.T) {
	of := func(kind graph.Transfer, role graph.Role, times int) int64 {
		g := &graph.Graph{}
		d := g.Add(graph.Tensor{Shape: []int{1000}, Role: role, DType: graph.FP32})
		g.Add(graph.Tensor{Shape: []int{500}, Role: graph.Optimizer, DType: graph.FP32})
		for range times {
			g.Append(graph.Op{Name: "t", In: []graph.TensorID{d}, Kind: kind})
		}
		return trainedBytes(g)
	}
	share := func(n int) graph.Transfer {
		return graph.Transfer{Func: "reduce_scatter", Among: graph.Ranks{Count: n}}
	}
	require.EqualValues(t, 2000+4000, of(share(1), graph.Gradient, 1))
	require.EqualValues(t, 2000+2000, of(share(2), graph.Gradient, 1))
	require.EqualValues(t, 2000+1000, of(share(4), graph.Gradient, 3), "the same gradients")
	require.EqualValues(t, 2000, of(share(4), graph.Activation, 1))
	require.EqualValues(t, 6000, of(graph.Transfer{Func: "all_reduce", Among: graph.Ranks{Count: 4}}, graph.Gradient, 1))
	s := DefaultSpec()
	s.Capacity = 12345
	require.EqualValues(t, 12345, New("Chip", nil, s).MemorySize())
}

// Both fidelities have one kernel for an operator. At tile an operator without a kernel moves nothing and takes nothing; what
// an attention writes for a rotary embedding moves; a kernel with a rule has its time by the memory, and one with steps of
// its own has them.
func TestKernelsOfBothFidelities(t *testing.T) {
	g := list(t, few)
	g.Ops = append(g.Ops, graph.Op{Name: "view", Kind: graph.Move{Func: "view"}, In: g.Ops[0].In[:1], Out: g.Ops[0].Out})
	g.Ops = append(g.Ops, graph.Op{Name: "write", Kind: graph.Move{Func: "append", Elements: 1024 * 4096, Inside: true}, In: g.Ops[0].In[:1], Out: g.Ops[0].In[:1]})
	w := work.Share{Graph: g}
	s := DefaultSpec()
	own, tiled := New("Chip", engine.New(), s), NewTile("Chip", engine.New(), 0, s)
	s.Ahead = 3
	stepped := NewTile("Chip", engine.New(), 0, s)
	s.Ahead = 0
	free := NewTile("Chip", engine.New(), 0, s)
	for i := range g.Ops {
		want, cost := own.plan(&w, i, 7)
		l, k := tiled.kernel(&w, i, 7)
		require.Equal(t, want, l, g.Ops[i].Name)
		require.True(t, k.Ruled)
		require.Equal(t, l.launch, k.Launch)
		_, x := stepped.kernel(&w, i, 7)
		_, y := free.kernel(&w, i, 7)
		switch g.Ops[i].Name {
		case "view":
			require.Zero(t, k.Bytes)
		case "write":
			require.EqualValues(t, 2*1024*4096, k.Bytes)
			require.True(t, x.Ruled)
		default:
			require.InDelta(t, cost.Bytes, k.Bytes, 1)
			require.Equal(t, cost.Late, k.Late)
			require.InEpsilon(t, cost.Total-cost.Launch, k.Time.At(1)/1e9, 1e-6, "cycles at 1 GHz")
			require.False(t, x.Ruled)
			require.Zero(t, y.Steps)
			if m, ok := g.Ops[i].Kind.(graph.MatMul); ok {
				require.Equal(t, 3, x.Ahead)
				require.Equal(t, cost.Tile.Steps(m.K), x.Each)
				require.Equal(t, x.Each*cost.Rounds, x.Steps)
			} else {
				require.Zero(t, x.Steps)
			}
		}
	}
}

// Transfers between the chips of a machine have the operands of their kernel, read and written.
func TestBytesOfTransfers(t *testing.T) {
	s := priced()
	s.Architecture, s.Link = "sm90", 8*450e9
	c := New("Chip", nil, s)
	of := func(k graph.Exchange, d graph.DType) kernel.Cost {
		g := &graph.Graph{}
		in, out := g.Add(graph.Tensor{Shape: []int{128, 4096}, DType: d}), g.Add(graph.Tensor{Shape: []int{128, 4096}, DType: d})
		g.Append(graph.Op{Name: "x", Kind: k, In: []graph.TensorID{in}, Out: []graph.TensorID{out}})
		cost, ok := c.exchange(g, &g.Ops[0])
		require.True(t, ok)
		require.Equal(t, 2*cost.Sent, cost.Bytes)
		require.Equal(t, cost.Near, cost.Bytes)
		return cost
	}
	wide, narrow := of(graph.Exchange{Func: "dispatch", Ranks: 8, Picks: 8, Experts: 256}, graph.BF16), of(graph.Exchange{Func: "dispatch", Ranks: 8, Picks: 8, Experts: 256}, graph.FP8)
	require.InEpsilon(t, 2/(1+4./128), wide.Sent/narrow.Sent, 1e-9, "scales of 128 elements")
	require.Equal(t, "deepep", wide.Library)
	require.Equal(t, "nccl", of(graph.Exchange{Func: "all_reduce", Ranks: 8}, graph.BF16).Library)
	require.Equal(t, usual, of(graph.Exchange{Func: "custom_all_reduce", Ranks: 8}, graph.BF16).Library)
}

// Writes of a layer's keys and values are one kernel where both are kernels of their own; a share without one of them keeps
// the other as it is. A kernel of several has the work of all.
func TestWritesOfALayerAreOneKernel(t *testing.T) {
	build := func(inside bool) *graph.Graph {
		b := graph.NewBuilder("w")
		x := b.Input("x", 16, 256)
		caches := []graph.TensorID{b.Cache("keys", 2, 64, 128), b.Cache("values", 2, 64, 128)}
		for i, name := range []string{"k", "v"} {
			b.Into(name, graph.Move{Func: "append", Elements: 16 * 256, Inside: inside}, []graph.TensorID{x}, caches[i])
		}
		q := b.Op("q", graph.Move{Func: "view"}, []graph.TensorID{x}, 2, 16, 128)
		b.Output(b.Op("attention", graph.Attention{Batch: 2, Group: 1, Queries: 16, Keys: 64, Size: 128, Value: 128}, append([]graph.TensorID{q}, caches...), 2, 16, 128))
		g, err := b.Graph()
		require.NoError(t, err)
		g.SetDTypes(graph.Uniform(graph.BF16))
		return g
	}
	g := build(false)
	c := New("Chip", engine.New(), DefaultSpec())
	at := map[string]int{}
	for i := range g.Ops {
		at[g.Ops[i].Name] = i
	}
	for name, i := range at {
		require.Equal(t, name == "k" || name == "v", c.Joins(g, i), name)
		require.False(t, c.Mixes(g, i))
	}
	first, cost := c.plan(&work.Share{Graph: g}, at["k"], 0)
	second, _ := c.plan(&work.Share{Graph: g}, at["v"], 0)
	require.EqualValues(t, g.Ops[at["k"]].VectorOps()+g.Ops[at["v"]].VectorOps(), first.vector)
	fk, fv := g.Footprint(&g.Ops[at["k"]]), g.Footprint(&g.Ops[at["v"]])
	require.EqualValues(t, fk.Bytes()+fv.Bytes(), first.bytes)
	require.Equal(t, float64(first.bytes), cost.Bytes)
	require.Zero(t, second.cycles)
	require.True(t, second.joined)
	part := work.Share{Graph: build(false), Program: mapping.Program{Jobs: []mapping.Job{{Op: at["k"]}, {Op: at["attention"]}}}}
	alone, _ := c.plan(&part, at["k"], 0)
	require.EqualValues(t, fk.Bytes(), alone.bytes)
	held := build(true)
	require.False(t, c.Joins(held, at["k"]), "of the attention's kernel")
	apart := DefaultSpec()
	apart.Kernels.Join = false
	require.False(t, New("Chip", engine.New(), apart).Joins(build(false), at["k"]))
}

// Requests that decode are one attention with the mean of their entries, rounded up; prompts stay as they are.
func TestMeansOfDecodes(t *testing.T) {
	of := func(requests, queries, keys int) work.Attention {
		return work.Attention{Requests: requests, Attention: graph.Attention{Batch: 4 * requests, Group: 2, Queries: queries, Keys: keys}}
	}
	prompts, decode, entries := meanDecode([]work.Attention{of(3, 1, 100), of(1, 7, 50), of(2, 1, 131)})
	require.Equal(t, []graph.Attention{of(1, 7, 50).Attention}, prompts)
	require.Equal(t, 562, entries)
	require.Equal(t, of(5, 1, 113), decode)
	_, decode, entries = meanDecode([]work.Attention{of(1, 7, 50)})
	require.Zero(t, decode.Requests+entries)
}

// A recurrence of a few tokens, and a convolution, go by their operations; a longer scan by products of chunks of up to 128
// tokens at half of the rate, in five kernels.
func TestScansGoByChunks(t *testing.T) {
	m := kernel.Machine{SMs: 10, Clock: 1e9, Tensor: 512, Vector: 64, L2Bandwidth: 1e12, Memory: 1e12, Latency: 1e-6, Sustained: 0.5, Launch: 1e-6, Threads: 2048, Tuning: kernel.Tuning{Overlap: 4}}
	stream := kernel.Stream{Read: 1e6, Write: 1e6, Elements: 1e6, Ops: 1e9}
	k := graph.Recurrence{Func: "mamba2", Batch: 2, Sequence: 15, Heads: 3, Size: 32, State: 16}
	require.Equal(t, m.Stream(stream), chunked(&m, &k, stream))
	conv := k
	conv.Func, conv.Sequence = "causal_conv1d", 1000
	require.Equal(t, m.Stream(stream), chunked(&m, &conv, stream))
	bare := stream
	bare.Ops = 0
	for sequence, chunk := range map[int]float64{16: 16, 128: 128, 4096: 128} {
		k.Sequence = sequence
		cost := chunked(&m, &k, stream)
		work := 2 * 3 * float64(sequence) * (chunk/2*(16+32) + 2*16*32) / (10 * 1e9 * 512 * 0.5 * 0.5)
		require.InEpsilon(t, max(work, m.Stream(bare).Compute), cost.Compute, 1e-9)
		require.InEpsilon(t, max(m.Stream(bare).Total, m.Launch+work)+4e-6, cost.Total, 1e-9, sequence)
		require.InEpsilon(t, 5e-6, cost.Launch, 1e-9)
	}
}

// What transfers take of the chip is lost to the kernels beside them: SMs to all, of a kernel whose thread blocks are as many
// as SMs a whole pass, and bandwidth to the share of a kernel that waits for the memory.
func TestWhatTransfersCost(t *testing.T) {
	c := New("Chip", nil, DefaultSpec())
	half := work.Taking{Time: 2, SMs: 2 * 50}
	require.InDelta(t, 1, c.lost(half, false), 1e-12)
	require.InDelta(t, 2*(1-1./2), c.lost(half, true), 1e-12)
	require.InDelta(t, 2*(1-1./3), c.lost(work.Taking{Time: 2, SMs: 2 * 60}, true), 1e-12)
	require.InDelta(t, 2*(1-1./100), c.lost(work.Taking{Time: 2, SMs: 2 * 200}, true), 1e-12, "one SM is left")
	require.Zero(t, c.lost(work.Taking{}, true))
	own, dynamic := &library.Library{}, &library.Library{}
	own.Persistent = true
	for _, x := range []struct {
		tiles string
		l     *library.Library
		want  bool
	}{{"auto", own, true}, {"auto", dynamic, false}, {"own", dynamic, true}, {"dynamic", own, false}, {"own", nil, false}} {
		require.Equal(t, x.want, (&KernelsSpec{Tiles: x.tiles}).persistent(x.l), x.tiles)
	}
}

// A limit belongs to the description of a chip where most of what makes the chip stands in its file.
func TestWhoseLimitItIs(t *testing.T) {
	p := pace{high: 1, low: 0.2}
	require.Equal(t, 1.0, p.at(0))
	require.InDelta(t, 0.2, p.at(kernel.Clocks-1), 1e-12)
	s := DefaultSpec()
	s.Clock = units.Frequency{Clock: clock.GHz}
	s.Launch.Mode = "eager"
	require.EqualValues(t, 5000, s.host().Each)
	s.Launch.Mode = "graph"
	require.Zero(t, s.host().Each)
	require.InDelta(t, 2.5e-7, s.seconds(units.InTime(250*units.Nanosecond)), 1e-15)
	require.EqualValues(t, 100, cyclesOf(1e-7, clock.GHz), "no rounding error makes a cycle")
	require.EqualValues(t, 101, cyclesOf(1.001e-7, clock.GHz))
	require.True(t, strings.HasPrefix(loopAssumption("Chip", "loop"), "Chip: operators run again and again"))
}

// Attention that leaves statistics takes the kernel of training with fresh keys; of cached ones it is a part of an attention,
// which goes as cutlass's.
func TestKernelsOfTraining(t *testing.T) {
	c := New("Chip", nil, hopper())
	k := graph.Attention{Batch: 8, Group: 1, Queries: 512, Keys: 512, Size: 128, Value: 128, Partial: graph.LogSumExp}
	for role, want := range map[graph.Role]string{graph.KV: cutlass, graph.Activation: usual} {
		g := attendsGraph(k, graph.BF16, graph.BF16)
		for i := range g.Tensors {
			g.Tensors[i].Shape[0] = 8
		}
		g.Tensors[g.Ops[0].In[1]].Role = role
		l, _ := c.plan(&work.Share{Graph: g}, 0, 0)
		require.Equal(t, want, l.kernel, role)
	}
}

// A server's attention has the measured time of its step, decodes by the mean of their entries, and the energy of that time.
func TestMeasuredAttentionOfAStep(t *testing.T) {
	c := New("Chip", nil, priced())
	flat := func(at float64) *profile.Surface {
		return &profile.Surface{Size: []float64{0, 100}, Curves: []*profile.Curve{{Size: []float64{0, 1000}, Time: []float64{at, at + 1e-6}}, {Size: []float64{0, 1000}, Time: []float64{at + 1e-4, at + 1e-4 + 1e-6}}}}
	}
	c.prof = &measured{attention: &profile.Attention{Prefill: flat(1e-3), Decode: flat(2e-3)}}
	of := func(requests, queries, keys int) work.Attention {
		return work.Attention{Requests: requests, Attention: graph.Attention{Batch: 4 * requests, Group: 8, Queries: queries, Keys: keys, Size: 128, Value: 128}}
	}
	require.Zero(t, c.Attend(nil, graph.Uniform(graph.BF16)))
	cost := c.Attend([]work.Attention{of(10, 1, 100), of(30, 1, 500)}, graph.Uniform(graph.BF16))
	require.InDelta(t, 2e-3+0.4*1e-4+0.4*1e-6, float64(cost.Time)/float64(units.Second), 1e-9, "40 requests of 400 entries")
	require.GreaterOrEqual(t, cost.Energy, 100*2.04e-3*1e12, "at rest alone")
	c.prof = nil
	require.Zero(t, New("Chip", nil, DefaultSpec()).Attend([]work.Attention{of(1, 1, 100)}, graph.Uniform(graph.BF16)).Energy, "no energy model")
	eager := DefaultSpec()
	eager.Launch.Mode, eager.Host.Launch = "eager", units.InTime(90*units.Microsecond)
	require.Equal(t, 90*units.Microsecond, New("Chip", nil, eager).Attend([]work.Attention{of(1, 1, 1)}, graph.Uniform(graph.BF16)).Time, "the host launches no faster")
}

// Of a share that has some of a graph's operators only those count that it has, fused ones too.
func TestOperatorsOfAShare(t *testing.T) {
	g := list(t, few)
	require.Nil(t, operatorsOf(&work.Share{Graph: g}))
	has := operatorsOf(&work.Share{Graph: g, Program: mapping.Program{Jobs: []mapping.Job{{Op: 1, Fused: []int{3}}, {Op: 5}}}})
	require.Equal(t, []bool{false, true, false, true, false, true, false}, has)
	require.True(t, hasAll(has, []int{1, 3, 5}))
	require.False(t, hasAll(has, []int{1, 2}))
	require.True(t, hasAll(nil, []int{1, 2}))
	require.True(t, hasAll(has, nil))
	var s Spec
	m := kernel.Machine{SMs: 7, Clock: 2, Tensor: 3, Sustained: 4, L2: 5, L2Bandwidth: 6, Latency: 7, Shared: 8, SharedSize: 9}
	s.Memory, s.Link, s.Exponentials = 80, 160, 11
	want := library.Chip{SMs: 7, Clock: 2, Tensor: 3, Sustained: 4, Exponential: 11, Memory: 10, Link: 20, L2: 5, L2Bandwidth: 6, Latency: 7, Shared: 8, SharedSize: 9}
	require.Equal(t, want, s.chip(&m))
	m.L2 = 0
	want.L2, want.L2Bandwidth = 0, 10
	require.Equal(t, want, s.chip(&m), "without an L2 the memory is as near")
	v, ok := used(30, 120)
	require.True(t, ok)
	require.Equal(t, 25., v)
	_, ok = used(30, 0)
	require.False(t, ok)
}
