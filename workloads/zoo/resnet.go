package zoo

import (
	"strconv"

	"github.com/causeway-sim/causeway/workloads/graph"
)

func init() {
	register(model{
		name: "resnet18", image: limit{224, 4096, 0}, ops: 80, tensors: 160,
		doc:    "Residual network of 18 layers, basic blocks.",
		source: "He et al., arXiv 1512.03385, table 1; torchvision resnet18",
		build:  func(b *graph.Builder, p Params) { resnet(b, p, []int{2, 2, 2, 2}, basicBlock) },
	})
	register(model{
		name: "resnet50", image: limit{224, 4096, 0}, ops: 192, tensors: 400,
		doc:    "Residual network of 50 layers, bottleneck blocks with the stride in the 3x3 convolution (v1.5).",
		source: "He et al., arXiv 1512.03385, table 1; stride as in torchvision resnet50",
		build:  func(b *graph.Builder, p Params) { resnet(b, p, []int{3, 4, 6, 3}, bottleneck) },
	})
	register(model{
		name: "mobilenet_v1", image: limit{224, 4096, 0}, ops: 96, tensors: 200, build: mobilenet,
		doc:    "MobileNet of depthwise and pointwise convolutions, width multiplier 1.0.",
		source: "Howard et al., arXiv 1704.04861, table 1",
	})
}

func number(n int) string { return strconv.Itoa(n) }

// convNorm adds a convolution without bias and its batch norm.
func convNorm(b *graph.Builder, name string, x graph.TensorID, c graph.Conv) graph.TensorID {
	return b.BatchNorm(name+".bn", b.Conv(name, x, c))
}

func relu(b *graph.Builder, name string, x graph.TensorID) graph.TensorID {
	return b.Elementwise(name+".relu", "relu", x)
}

// A block adds one residual block; width is that of its 3x3 convolutions.
type block func(b *graph.Builder, name string, x graph.TensorID, width, stride int) graph.TensorID

func resnet(b *graph.Builder, p Params, depth []int, add block) {
	x := b.Input("input", p.Batch, 3, p.Image, p.Image)
	x = relu(b, "conv1", convNorm(b, "conv1", x, graph.SquareConv(64, 7, 2, 3)))
	x = b.Pool("pool1", x, graph.SquarePool(3, 2, 1))
	for stage, blocks := range depth {
		for i := range blocks {
			stride := 1
			if stage > 0 && i == 0 {
				stride = 2
			}
			x = add(b, "res"+number(stage+2)+"_"+number(i), x, 64<<stage, stride)
		}
	}
	head(b, x, p.Batch)
}

// head adds the global average and the classifier of ResNet and MobileNet.
func head(b *graph.Builder, x graph.TensorID, batch int) {
	x = b.Pool("avgpool", x, graph.Pool{Average: true, Global: true})
	x = b.Reshape("flatten", x, batch, b.Shape(x)[1])
	b.Output(b.Linear("fc", x, 1000, graph.WithBias))
}

func basicBlock(b *graph.Builder, name string, x graph.TensorID, width, stride int) graph.TensorID {
	y := relu(b, name+"_a", convNorm(b, name+"_a", x, graph.SquareConv(width, 3, stride, 1)))
	y = convNorm(b, name+"_b", y, graph.SquareConv(width, 3, 1, 1))
	return join(b, name, x, y, stride)
}

func bottleneck(b *graph.Builder, name string, x graph.TensorID, width, stride int) graph.TensorID {
	y := relu(b, name+"_a", convNorm(b, name+"_a", x, graph.SquareConv(width, 1, 1, 0)))
	y = relu(b, name+"_b", convNorm(b, name+"_b", y, graph.SquareConv(width, 3, stride, 1)))
	y = convNorm(b, name+"_c", y, graph.SquareConv(4*width, 1, 1, 0))
	return join(b, name, x, y, stride)
}

// join adds the shortcut x, projected where its shape differs, to y.
func join(b *graph.Builder, name string, x, y graph.TensorID, stride int) graph.TensorID {
	if c := b.Shape(y)[1]; c != b.Shape(x)[1] || stride > 1 {
		x = convNorm(b, name+"_ds", x, graph.SquareConv(c, 1, stride, 0))
	}
	return relu(b, name, b.Add(name+"_add", y, x))
}

func mobilenet(b *graph.Builder, p Params) {
	unit := func(name string, x graph.TensorID, c graph.Conv) graph.TensorID {
		return b.Elementwise(name+".relu6", "relu6", convNorm(b, name, x, c))
	}
	x := b.Input("input", p.Batch, 3, p.Image, p.Image)
	x = unit("conv1", x, graph.SquareConv(32, 3, 2, 1))
	// Table 1 prints stride 2 for the last depthwise layer, but its sizes are
	// those of stride 1.
	for i, l := range []struct{ k, stride int }{
		{64, 1}, {128, 2}, {128, 1}, {256, 2}, {256, 1}, {512, 2}, {512, 1},
		{512, 1}, {512, 1}, {512, 1}, {512, 1}, {1024, 2}, {1024, 1},
	} {
		c := b.Shape(x)[1]
		dw := graph.SquareConv(c, 3, l.stride, 1)
		dw.Groups = c
		x = unit("dw"+number(i+1), x, dw)
		x = unit("pw"+number(i+1), x, graph.SquareConv(l.k, 1, 1, 0))
	}
	head(b, x, p.Batch)
}
