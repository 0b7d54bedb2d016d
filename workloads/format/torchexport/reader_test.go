package torchexport

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/format"
	"github.com/causeway-sim/causeway/workloads/format/formattest"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

func open(t *testing.T, name string) *graph.Graph {
	g, format, err := format.Open("testdata/"+name+".torch.json", format.Options{DTypes: graph.Uniform(graph.BF16)})
	require.NoError(t, err)
	require.Equal(t, "torch", format)
	return g
}

func moved(g *graph.Graph) (n int64) {
	for i := range g.Ops {
		n += g.Footprint(&g.Ops[i]).Bytes()
	}
	return n
}

// Graphs that PyTorch made (testdata/models.py) are those of the zoo: the same products and vector
// operations, and the same bytes within 1%. The layer of LLaMA has 65,536 tabulated cosines and sines.
func TestModelsEqualZoo(t *testing.T) {
	llama := zoo.Decoder{Name: "llama", Layers: 1, Hidden: 4096, Heads: 32, KVHeads: 8, FF: 14336, Words: 128256}
	for _, c := range []struct {
		file  string
		build func() (*graph.Graph, error)
		extra int64
	}{
		{"resnet50", func() (*graph.Graph, error) { return zoo.Build("resnet50", zoo.Params{}) }, 0},
		{"bert", func() (*graph.Graph, error) { return zoo.Build("bert_base", zoo.Params{}) }, 0},
		{"llama_layer", func() (*graph.Graph, error) { return llama.Graph(zoo.Params{Sequence: 512}) }, 65536},
	} {
		g := open(t, c.file)
		z, err := c.build()
		require.NoError(t, err)
		z.SetDTypes(graph.Uniform(graph.BF16))
		require.Equal(t, z.MACs(), g.MACs(), c.file)
		require.Equal(t, z.Params()+c.extra, g.Params(), c.file)
		require.Equal(t, z.VectorOps(), g.VectorOps(), c.file)
		require.InEpsilon(t, moved(z), moved(g), 0.01, c.file)
		require.Len(t, g.Chains(), len(z.Chains()))
	}
	require.Equal(t, graph.Attention{Batch: 8, Group: 4, Queries: 512, Keys: 512, Size: 128, Value: 128, Mask: masking.Mask{Causal: true}}, open(t, "llama_layer").Chains()[0].Fused.Kind)
}

// A pass forward and back of two linear layers: five products, since the input needs no gradient.
func TestTraining(t *testing.T) {
	g := open(t, "training")
	require.Equal(t, int64(32*64*256*2+32*256*10*3), g.MACs())
}

// list is a file with these nodes.
func list(nodes ...string) string {
	return `{"format": "causeway.torch/1", "torch": "2.9", "nodes": [` + "\n" + strings.Join(nodes, ",\n") + "\n]}\n"
}

const x = `{"name": "x", "op": "placeholder", "kind": "input", "out": {"shape": [2, 4, 8, 8], "dtype": "float32"}}`

func node1(op, args, shape string) string {
	return `{"name": "y", "op": "aten.` + op + `", "args": [{"value": "x"}` + args + `], "kwargs": {}, "out": {"shape": [` + shape + `], "dtype": "float32"}}`
}

const done = `{"name": "output", "op": "output", "args": [[{"value": "y"}]]}`

// Operators of newer exporters, which the files of testdata do not have.
func TestOperators(t *testing.T) {
	w := `{"name": "w", "op": "placeholder", "kind": "parameter", "source": "w", "out": {"shape": [4, 6, 3, 3], "dtype": "float32"}}`
	for _, c := range []struct {
		nodes []string
		want  graph.Kind
	}{
		{[]string{x, node1("softmax.int", ", -1", "2, 4, 8, 8")}, graph.Softmax{Rows: 64, Cols: 8}},
		{[]string{x, node1("mean.dim", ", [2, 3], true", "2, 4, 1, 1")}, graph.Reduce{Func: "mean", Elements: 512, Out: 8}},
		{[]string{x, node1("max_pool2d.default", ", [3, 3], [2, 2], [0, 0], [1, 1], true", "2, 4, 4, 4")}, graph.Pool{N: 2, C: 4, H: 8, W: 8, R: 3, S: 3, StrideH: 2, StrideW: 2, PadBottom: 1, PadRight: 1}},
		{[]string{x, node1("group_norm.default", ", 2", "2, 4, 8, 8")}, graph.Norm{Func: "group", Rows: 4, Cols: 128}},
		{[]string{x, w, node1("convolution.default", `, {"value": "w"}, null, [2, 2], [1, 1], [1, 1], true, [1, 1], 1`, "2, 6, 16, 16")},
			graph.Conv{N: 2, C: 4, H: 8, W: 8, K: 6, R: 3, S: 3, StrideH: 2, StrideW: 2, PadTop: 1, PadLeft: 1, PadBottom: 0, PadRight: 0, DilationH: 1, DilationW: 1, Groups: 1, Transposed: true}},
		{[]string{x, node1("gelu.default", "", "2, 4, 8, 8")}, graph.Elementwise{Func: "gelu", Elements: 512, Inputs: 1, OpsPer: 8}},
		{[]string{x, node1("scaled_dot_product_attention.default", `, {"value": "x"}, {"value": "x"}, null, 0.0, true`, "2, 4, 8, 8")}, graph.MatMul{Batch: 8, M: 8, N: 8, K: 8, SharedB: 1}},
	} {
		g, _, err := format.Read(format.Bytes("m.torch.json", []byte(list(append(c.nodes, done)...))), format.Options{})
		require.NoError(t, err, c.nodes)
		var first graph.Kind
		for i := range g.Ops {
			if m, ok := g.Ops[i].Kind.(graph.Move); !ok || m.Elements > 0 {
				first = g.Ops[i].Kind
				break
			}
		}
		require.Equal(t, c.want, first, c.nodes)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{list(x, node1("frob.default", "", "2"), done), `m.json:3:1: node "y": unknown operator aten.frob.default; of the file's operators these have no rule: aten.frob.default (want one of: `},
		{list(x, node1("relu.default", "", `2, "s0"`), done), `m.json:3:1: y: the dimension s0 of [2 s0] (want numbers; export the model for one shape)`},
		{list(x, node1("relu.default", "", "5"), done), `node "y" (aten.relu.default): shape [2 4 8 8] does not broadcast to [5]`},
		{list(x, node1("mm.default", "", "2"), done), `node "y" (aten.mm.default): 1 arguments (want at least 2)`},
		{list(x, node1("add.Tensor", `, {"value": "z"}`, "2, 4, 8, 8"), done), `"z" is made by no node before this one`},
		{list(x, x), `the node "x" has no name, or one that is there twice`},
		{list(x, `{"name": 3}`), "m.json:3:"},
		{list(x)[:120], "m.json:2:"},
		{`{"format": "causeway.torch/1", "nodes": 3}`, "nodes are no list"},
		{list(x, strings.Replace(done, "y", "x", 1)), "the program does no work that depends on its inputs"},
	} {
		_, err := reader{}.Read(format.Bytes("m.json", []byte(c.text)), format.Options{})
		require.ErrorContains(t, err, c.want)
		formattest.CheckErrors(t, err)
	}
	_, err := reader{}.Read(format.Bytes("m.json", []byte(list(x))), format.Options{Batch: 8})
	require.ErrorContains(t, err, "the shapes of this graph are fixed")
}

func FuzzRead(f *testing.F) {
	f.Add(list(x, node1("max_pool2d.default", ", [3, 3], [2, 2]", "2, 4, 3, 3"), done))
	for _, name := range []string{"training", "llama_layer"} {
		text, err := os.ReadFile("testdata/" + name + ".torch.json")
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		g, err := reader{}.Read(format.Bytes("m.json", []byte(text)), format.Options{})
		if err != nil {
			formattest.CheckErrors(t, err)
			return
		}
		require.NoError(t, g.Validate())
	})
}
