package onnx

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/format/formattest"

	"github.com/causeway-sim/causeway/workloads/format/onnx/node"
	"github.com/causeway-sim/causeway/workloads/format/onnx/onnxpb"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/zoo"

	"github.com/causeway-sim/causeway/workloads/format"
)

// Multiply-accumulates and parameters of the models. The light ones are the
// ONNX project's test models; bvlc AlexNet has groups and a first layer of 11x11
// with stride 4. ResNet-18 and MobileNetV2 are torchvision's: 11,689,512 and
// 3,504,872 parameters with batch norms, which are folded into the
// convolutions here (9,600 weights become 4,800 biases; 34,112 become 17,056).
var onnxInputs = []struct {
	name         string
	macs, params int64
	scales       bool // with the batch
}{
	{"light_bvlc_alexnet", 654560384, 60965224, true},
	{"light_inception_v1", 1431556352, 6998552, true},
	{"light_resnet50", 4089184256, 25557032, true},
	{"light_shufflenet", 124664528, 1393320, true},
	{"shape_inferred/alexnet", 654560384, 60965224, true},
	{"shape_inferred/attention_head", 128*512*64*3 + 2*128*128*64, 0, false}, // weights are inputs
	{"shape_inferred/fsrcnn", 8290252800, 14696, true},
	{"shape_inferred/mobilenetv2", 300774272, 3504872 - 34112/2, true},
	{"shape_inferred/resnet18", 1814073344, 11689512 - 9600/2, true},
	{"shape_inferred/swiglu_256_4096_14336", 3 * 256 * 4096 * 14336, 3 * 4096 * 14336, false},
}

func TestONNXInputs(t *testing.T) {
	for _, c := range onnxInputs {
		t.Run(c.name, func(t *testing.T) {
			path := formattest.Inputs(t, "onnx/"+c.name+".onnx")
			g, name, err := format.Open(path, format.Options{})
			require.NoError(t, err)
			require.Equal(t, "onnx", name)
			require.Equal(t, c.macs, g.MACs())
			require.Equal(t, c.params, g.Params())
			require.NoError(t, g.Validate())
			g4, _, err := format.Open(path, format.Options{Batch: 4})
			if !c.scales {
				require.ErrorContains(t, err, "batch 4: the model has no symbolic batch and no batch of 1; its first input is")
				return
			}
			require.NoError(t, err)
			require.Equal(t, 4*c.macs, g4.MACs())
			require.Equal(t, c.params, g4.Params())
		})
	}
}

// Our inference against the shapes that the files carry: with value_info
// stripped every named value has the shape that value_info gives it.
func TestONNXShapesEqualValueInfo(t *testing.T) {
	total := 0
	for _, c := range onnxInputs {
		path := formattest.Inputs(t, "onnx/"+c.name+".onnx")
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		pb, err := parseONNX(format.Bytes(path, data))
		require.NoError(t, err)
		info := append(pb.Graph.ValueInfo, pb.Graph.Output...)
		pb.Graph.ValueInfo = nil
		_, s, err := node.ImportValues(path, pb, format.Options{}, rules)
		require.NoError(t, err)
		for _, v := range info {
			want := []int{}
			for _, d := range v.GetType().GetTensorType().GetShape().GetDim() {
				want = append(want, int(d.GetDimValue()))
			}
			got := s.Find(v.Name)
			require.NotNil(t, got, v.Name)
			require.Equal(t, want, append([]int{}, got.Shape...), "%s: %s", c.name, v.Name)
			require.Equal(t, v.GetType().GetTensorType().GetElemType(), int32(got.Elem), "%s: %s", c.name, v.Name)
			total++
		}
	}
	require.Greater(t, total, 200)
}

func TestONNXResNet50EqualsZoo(t *testing.T) {
	g, _, err := format.Open(formattest.Inputs(t, "onnx/light_resnet50.onnx"), format.Options{Batch: 2})
	require.NoError(t, err)
	want, err := zoo.Build("resnet50", zoo.Params{Batch: 2})
	require.NoError(t, err)
	require.Equal(t, want.MACs(), g.MACs())
	require.Equal(t, want.Params(), g.Params())
	count := func(g *graph.Graph) map[graph.Matrix]int {
		m := map[graph.Matrix]int{}
		for i := range g.Ops {
			if x, ok := g.Ops[i].Matrix(); ok {
				x.Conv = nil
				m[x]++
			}
		}
		return m
	}
	// The strides of the bottlenecks differ (first or second convolution), so that
	// single products may; there are as many.
	n := 0
	for _, c := range count(g) {
		n += c
	}
	require.Equal(t, 54, n)
}

// A model cut off at any byte, or with any byte changed, is an error or another
// model, and never a panic.
func TestONNXDamagedFile(t *testing.T) {
	data, err := os.ReadFile(formattest.Inputs(t, "onnx/shape_inferred/attention_head.onnx"))
	require.NoError(t, err)
	for n := range data {
		_, err := reader{}.Read(format.Bytes("m.onnx", data[:n]), format.Options{})
		require.Error(t, err, "%d bytes", n)
		formattest.CheckErrors(t, err)
	}
	for i := range data {
		for _, bit := range []byte{1, 0x80} {
			bad := append([]byte{}, data...)
			bad[i] ^= bit
			if _, err := (reader{}).Read(format.Bytes("m.onnx", bad), format.Options{}); err != nil {
				formattest.CheckErrors(t, err)
			}
		}
	}
}

// Weights are not read: a file with a large initializer costs only its
// description. The source counts the bytes it is asked for.
func TestONNXLeavesWeightsAlone(t *testing.T) {
	m := newONNX(13)
	m.input("x", 1, 1024)
	raw := &onnxpb.TensorProto{Name: "w", Dims: []int64{1024, 4096}, DataType: int32(onnxpb.TensorProto_FLOAT), RawData: make([]byte, 4*1024*4096)}
	m.Graph.Initializer = append(m.Graph.Initializer, raw)
	m.node("MatMul", []string{"x", "w"}, []string{"y"})
	m.output("y")
	src := format.Bytes("m.onnx", m.bytes(t))
	counter := &countingReader{r: src.R}
	src.R = counter
	g, err := reader{}.Read(src, format.Options{})
	require.NoError(t, err)
	require.Equal(t, int64(1024*4096), g.MACs())
	require.Less(t, counter.n, int64(300<<10))

	// Data that does not fit the shape.
	raw.Dims, raw.RawData = []int64{3, 4}, raw.RawData[:40]
	_, err = m.read(t, format.Options{})
	require.ErrorContains(t, err, `initializer "w": the shape [3 4] of type float takes 48 bytes, but raw_data has 40`)
}

type countingReader struct {
	r interface {
		ReadAt([]byte, int64) (int, error)
	}
	n int64
}

func (c *countingReader) ReadAt(p []byte, at int64) (int, error) {
	c.n += int64(len(p))
	return c.r.ReadAt(p, at)
}
