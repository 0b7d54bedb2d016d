package zoo

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/stretchr/testify/require"
)

// fill sets the fields of Params from the fields of a Spec with equal names.
func fill(spec any) Params {
	var p Params
	v := reflect.ValueOf(spec)
	for i := range v.NumField() {
		reflect.ValueOf(&p).Elem().FieldByName(v.Type().Field(i).Name).Set(v.Field(i))
	}
	return p
}

// TestContract holds for every model: it is described, its defaults are those
// it builds with, and no tensor hangs loose.
func TestContract(t *testing.T) {
	require.NotEmpty(t, All.Names())
	for _, e := range All.Entries() {
		t.Run(e.Name, func(t *testing.T) {
			require.NotEmpty(t, e.Source)
			g, err := e.New(Params{})
			require.NoError(t, err)
			require.Equal(t, e.Name, g.Name)
			again, err := e.New(fill(e.Spec))
			require.NoError(t, err)
			require.Equal(t, g, again)

			ops := map[string]bool{}
			read := make([]bool, len(g.Tensors))
			written := make([]bool, len(g.Tensors))
			for i := range g.Ops {
				op := &g.Ops[i]
				require.False(t, ops[op.Name], "two operators %s", op.Name)
				ops[op.Name] = true
				for _, id := range op.In {
					read[id] = true
				}
				for _, id := range op.Out {
					written[id] = true
				}
			}
			names := map[string]bool{}
			for i := range g.Tensors {
				tn := &g.Tensors[i]
				require.False(t, names[tn.Name], "two tensors %s", tn.Name)
				names[tn.Name] = true
				require.True(t, read[i] || tn.Role == graph.Output, "%s is never read", tn.Name)
				outside := tn.Role == graph.Weight || tn.Role == graph.Input
				require.Equal(t, !outside, written[i], "%s, %s", tn.Name, tn.Role)
			}
			require.LessOrEqual(t, cap(g.Ops), 2*len(g.Ops), "room for %d operators, %d used", cap(g.Ops), len(g.Ops))
		})
	}
}

// TestBatch: work and activations scale with the batch, parameters and the
// bytes of weights do not.
func TestBatch(t *testing.T) {
	for _, name := range All.Names() {
		one, err := Build(name, Params{})
		require.NoError(t, err)
		three, err := Build(name, Params{Batch: 3})
		require.NoError(t, err)
		require.Equal(t, len(one.Ops), len(three.Ops), name)
		require.Equal(t, 3*one.MACs(), three.MACs(), name)
		require.Equal(t, 3*one.VectorOps(), three.VectorOps(), name)
		require.Equal(t, one.Params(), three.Params(), name)
		require.Equal(t, 3*one.Bytes(graph.KV), three.Bytes(graph.KV), name)
		for i := range one.Ops {
			a, b := one.Footprint(&one.Ops[i]), three.Footprint(&three.Ops[i])
			if one.Ops[i].Kind.Type() != "gather" { // rows of a table, one per token
				require.Equal(t, a.WeightBytes, b.WeightBytes, "%s %s", name, one.Ops[i].Name)
			}
			if one.Ops[i].MACs() > 0 && name != "sd15_unet" && name != "moe_vit_t" { // picks do not divide by 16 experts
				require.Equal(t, 3*a.OutputBytes, b.OutputBytes, "%s %s", name, one.Ops[i].Name)
			}
		}
	}
}

// TestDecodeIsTheLastToken: a prefill of c tokens costs what c-1 tokens cost at
// full context, plus one decode step at context c, and in pieces the same.
func TestDecodeIsTheLastToken(t *testing.T) {
	for _, name := range []string{"gpt2", "gpt3", "llama2_7b", "llama3_70b"} {
		for _, c := range []int{2, 17, 640} {
			all, err := Build(name, Params{Sequence: c})
			require.NoError(t, err)
			most, err := Build(name, Params{Sequence: c - 1, Context: c})
			require.NoError(t, err)
			last, err := Build(name, Params{Phase: Decode, Context: c})
			require.NoError(t, err)
			require.Equal(t, all.MACs(), most.MACs()+last.MACs(), name)
			require.Equal(t, all.VectorOps(), most.VectorOps()+last.VectorOps(), name)
			require.Equal(t, all.MACs(), int64(c)*last.MACs(), name)
			require.Equal(t, all.Params(), last.Params(), name)
			require.Equal(t, all.Bytes(graph.KV), last.Bytes(graph.KV), name)
			require.Equal(t, len(all.Ops), len(last.Ops), name)
		}
	}
}

// TestCache: LLaMA-3 8B in bf16 holds 32 layers x 2 x 8 heads x 128 x 2 B =
// 128 KiB per token. A decode step reads all entries and writes one.
func TestCache(t *testing.T) {
	const perToken = 32 * 2 * 8 * 128 * 2
	g, err := Build("llama3_8b", Params{Batch: 4, Phase: Decode, Context: 100})
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.BF16))
	require.Equal(t, int64(4*100*perToken), g.Bytes(graph.KV))
	var read, written int64
	for i := range g.Ops {
		op := &g.Ops[i]
		f := g.Footprint(op)
		read += f.KVBytes
		if g.Tensor(op.Out[0]).Role == graph.KV {
			written += f.OutputBytes
			require.Equal(t, f.InputBytes, f.OutputBytes)
		}
		if m, ok := op.Kind.(graph.MatMul); ok && m.Batch > 1 {
			require.Equal(t, 4, m.SharedB, "32 query heads, 8 key/value heads")
			require.Equal(t, 1, m.M)
		}
	}
	require.Equal(t, int64(4*100*perToken), read)
	require.Equal(t, int64(4*perToken), written)

	g, err = Build("llama3_8b", Params{Sequence: 10})
	require.NoError(t, err)
	require.Equal(t, 2*g.Bytes(graph.KV), int64(10*perToken), "int8 is half of bf16")
}

// TestOperators counts the kinds that a model must have.
func TestOperators(t *testing.T) {
	count := func(name string, p Params) map[string]int {
		g, err := Build(name, p)
		require.NoError(t, err)
		n := map[string]int{}
		for i := range g.Ops {
			kind := g.Ops[i].Kind.Type()
			switch k := g.Ops[i].Kind.(type) {
			case graph.Elementwise:
				kind = k.Func
			case graph.Norm:
				kind = k.Func + "_norm"
			case graph.Move:
				kind = k.Func
			}
			n[kind]++
		}
		return n
	}
	for _, c := range []struct {
		model string
		p     Params
		want  map[string]int
	}{
		{"alexnet", Params{}, map[string]int{"conv": 5, "gemm": 3, "relu": 7, "pool": 3, "reshape": 1}},
		{"alexnet_original", Params{}, map[string]int{"conv": 5, "gemm": 3, "relu": 7, "pool": 3, "reshape": 1, "lrn_norm": 2, "softmax": 1}},
		{"vgg16", Params{}, map[string]int{"conv": 13, "gemm": 3, "relu": 15, "pool": 5, "reshape": 1}},
		{"resnet18", Params{}, map[string]int{"conv": 20, "batch_norm": 20, "relu": 17, "add": 8, "pool": 2, "gemm": 1, "reshape": 1}},
		{"resnet50", Params{}, map[string]int{"conv": 53, "batch_norm": 53, "relu": 49, "add": 16, "pool": 2, "gemm": 1, "reshape": 1}},
		{"mobilenet_v1", Params{}, map[string]int{"conv": 27, "batch_norm": 27, "relu6": 27, "pool": 1, "gemm": 1, "reshape": 1}},
		{"bert_base", Params{}, map[string]int{"gather": 3, "add": 2 + 24, "layer_norm": 25, "gemm": 73, "softmax": 12, "gelu": 12,
			"split": 12, "reshape": 12, "slice": 1, "tanh": 1}},
		{"vit_b", Params{}, map[string]int{"conv": 1, "concat": 1, "add": 25, "layer_norm": 25, "gemm": 73, "softmax": 12, "gelu": 12,
			"split": 12, "reshape": 13, "slice": 1}},
		{"gpt2", Params{Phase: Decode}, map[string]int{"gather": 2, "add": 25, "layer_norm": 25, "gemm": 73, "softmax": 12, "gelu_tanh": 12,
			"split": 12, "reshape": 12, "append": 24}},
		{"llama3_8b", Params{Phase: Decode}, map[string]int{"gather": 1, "add": 64, "rms_norm": 65, "gemm": 289, "softmax": 32, "silu": 32,
			"mul": 32, "rope": 64, "append": 64, "reshape": 128}},
		{"sd15_unet", Params{}, map[string]int{"conv": 98, "gemm": 200, "group_norm": 2*22 + 16 + 1, "layer_norm": 48, "softmax": 32,
			"concat": 12, "resize": 3, "gelu": 16, "mul": 16, "silu": 3*22 + 2, "add": 2*22 + 4*16, "sin_embed": 1, "expand": 1,
			"split": 16 * 3, "reshape": 22 + 5*16}},
	} {
		require.Equal(t, c.want, count(c.model, c.p), c.model)
	}
}

// TestLayerOrder reads one layer of each kind of transformer in order.
func TestLayerOrder(t *testing.T) {
	for model, want := range map[string]string{
		"bert_base": "qkv heads QK^T softmax AV merge proj add1 ln1 ff1 gelu ff2 add2 ln2",
		"vit_b":     "ln1 qkv heads QK^T softmax AV merge proj add1 ln2 ff1 gelu ff2 add2",
		"gpt2":      "ln1 qkv heads k_cache.append v_cache.append QK^T softmax AV merge proj add1 ln2 ff1 gelu_tanh ff2 add2",
		"llama3_8b": "attn_norm q q.heads k k.heads v v.heads q.rope k.rope k_cache.append v_cache.append " +
			"QK^T softmax AV merge o add1 ff_norm gate silu up mul down add2",
	} {
		g, err := Build(model, Params{})
		require.NoError(t, err)
		var got []string
		for i := range g.Ops {
			if name, ok := strings.CutPrefix(g.Ops[i].Name, "L0."); ok {
				got = append(got, name)
			}
		}
		require.Equal(t, want, strings.Join(got, " "), model)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		model string
		p     Params
		want  string
	}{
		{"resnet50", Params{Sequence: 128}, "resnet50: has no parameter sequence (want one of: batch, image)"},
		{"vgg16", Params{Image: 224}, "vgg16: has no parameter image (want one of: batch)"},
		{"bert_base", Params{Phase: Decode}, "bert_base: has no parameter phase (want one of: batch, sequence)"},
		{"bert_base", Params{Context: 4}, "bert_base: has no parameter context (want one of: batch, sequence)"},
		{"bert_base", Params{Sequence: 513}, "bert_base: sequence is 513 (want 1 to 512)"},
		{"vit_b", Params{Image: 225}, "vit_b: image is 225 (want a multiple of 16)"},
		{"gpt2", Params{Batch: -1}, "gpt2: batch is -1 (want 1 to 4096)"},
		{"gpt2", Params{Phase: "train"}, `gpt2: phase is "train" (want one of: prefill, decode)`},
		{"gpt2", Params{Sequence: 100, Context: 99}, "gpt2: context is 99 in a prefill of 100 tokens (want at least as many)"},
		{"gpt2", Params{Phase: Decode, Context: 1025}, "gpt2: context is 1025 (want 1 to 1024)"},
		{"resnet50", Params{Batch: 5000, Phase: "decode"}, "resnet50: batch is 5000 (want 1 to 4096)\nresnet50: has no parameter phase (want one of: batch, image)"},
	} {
		_, err := Build(c.model, c.p)
		require.EqualError(t, err, c.want)
	}
	_, err := Build("resnet51", Params{})
	require.ErrorContains(t, err, `unknown model "resnet51" (want one of: alexnet, alexnet_original,`)
}

// TestLimits builds every model at its largest and smallest sizes: nothing
// overflows, or the graph says so.
func TestLimits(t *testing.T) {
	for _, name := range All.Names() {
		e, _ := All.Entry(name)
		p := fill(e.Spec)
		p.Batch = maxBatch
		if p.Sequence > 0 {
			p.Sequence = map[string]int{"bert_base": 512, "bert_large": 512}[name]
		}
		g, err := Build(name, p)
		require.NoError(t, err, name)
		require.Positive(t, g.MACs(), name)
		p = Params{Batch: 1}
		switch e.Spec.(type) {
		case EncoderSpec, DecoderSpec:
			p.Sequence = 1
		case DiffusionSpec:
			p.Sequence, p.Image = 1, 64
		case ImageSpec:
			p.Image = 32
		}
		_, err = Build(name, p)
		require.NoError(t, err, name)
	}
	_, err := Build("resnet50", Params{Image: 1})
	require.NoError(t, err)
	_, err = Build("llama3_70b", Params{Batch: maxBatch, Sequence: llamaContext})
	require.ErrorContains(t, err, "llama3_70b: more than 2^63 multiply-accumulates in all")
}

func ExampleBuild() {
	g, err := Build("llama3_8b", Params{Batch: 8, Phase: Decode, Context: 2048})
	if err != nil {
		panic(err)
	}
	g.SetDTypes(graph.Uniform(graph.BF16))
	fmt.Printf("%d parameters, %d MACs per step\n", g.Params(), g.MACs())
	fmt.Printf("%d MiB of cache\n", g.Bytes(graph.KV)>>20)
	// Output:
	// 8030261248 parameters, 64332234752 MACs per step
	// 2048 MiB of cache
}

func BenchmarkBuild(b *testing.B) {
	for _, name := range []string{"resnet50", "sd15_unet", "gpt3", "llama2_70b"} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Build(name, Params{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
