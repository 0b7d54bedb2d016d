package zoo

import "github.com/causeway-sim/causeway/workloads/graph"

func init() {
	register(model{
		name: "alexnet", ops: 32, tensors: 64, build: alexnet,
		doc:    "AlexNet of one column, 64 filters in the first layer, 224 x 224 pixels.",
		source: "Krizhevsky, \"One weird trick for parallelizing convolutional neural networks\", arXiv 1404.5997; torchvision alexnet",
	})
	register(model{
		name: "alexnet_original", ops: 32, tensors: 64, build: alexnetOriginal,
		doc:    "AlexNet of two columns (grouped convolutions) with local response norms, 227 x 227 pixels.",
		source: "Krizhevsky et al., \"ImageNet classification with deep convolutional neural networks\", NIPS 2012, section 3",
	})
	register(model{
		name: "vgg16", ops: 64, tensors: 96, build: vgg16,
		doc:    "VGG with 16 weight layers (configuration D), 224 x 224 pixels.",
		source: "Simonyan and Zisserman, arXiv 1409.1556, table 1, column D",
	})
}

// convRelu adds a convolution with bias and its ReLU.
func convRelu(b *graph.Builder, name string, x graph.TensorID, c graph.Conv) graph.TensorID {
	return b.Elementwise(name+".relu", "relu", b.Conv(name, x, c, graph.WithBias))
}

// classifier adds the three fully connected layers that AlexNet and VGG share.
func classifier(b *graph.Builder, x graph.TensorID) graph.TensorID {
	s := b.Shape(x)
	x = b.Reshape("flatten", x, s[0], s[1]*s[2]*s[3])
	x = b.Elementwise("fc6.relu", "relu", b.Linear("fc6", x, 4096, graph.WithBias))
	x = b.Elementwise("fc7.relu", "relu", b.Linear("fc7", x, 4096, graph.WithBias))
	return b.Linear("fc8", x, 1000, graph.WithBias)
}

func alexnet(b *graph.Builder, p Params) {
	x := b.Input("input", p.Batch, 3, 224, 224)
	x = convRelu(b, "conv1", x, graph.SquareConv(64, 11, 4, 2))
	x = b.Pool("pool1", x, graph.SquarePool(3, 2, 0))
	x = convRelu(b, "conv2", x, graph.SquareConv(192, 5, 1, 2))
	x = b.Pool("pool2", x, graph.SquarePool(3, 2, 0))
	x = convRelu(b, "conv3", x, graph.SquareConv(384, 3, 1, 1))
	x = convRelu(b, "conv4", x, graph.SquareConv(256, 3, 1, 1))
	x = convRelu(b, "conv5", x, graph.SquareConv(256, 3, 1, 1))
	x = b.Pool("pool5", x, graph.SquarePool(3, 2, 0))
	b.Output(classifier(b, x))
}

func alexnetOriginal(b *graph.Builder, p Params) {
	grouped := func(k, size, pad int) graph.Conv {
		c := graph.SquareConv(k, size, 1, pad)
		c.Groups = 2 // one per GPU of the authors
		return c
	}
	x := b.Input("input", p.Batch, 3, 227, 227)
	x = b.LRN("norm1", convRelu(b, "conv1", x, graph.SquareConv(96, 11, 4, 0)))
	x = b.Pool("pool1", x, graph.SquarePool(3, 2, 0))
	x = b.LRN("norm2", convRelu(b, "conv2", x, grouped(256, 5, 2)))
	x = b.Pool("pool2", x, graph.SquarePool(3, 2, 0))
	x = convRelu(b, "conv3", x, graph.SquareConv(384, 3, 1, 1))
	x = convRelu(b, "conv4", x, grouped(384, 3, 1))
	x = convRelu(b, "conv5", x, grouped(256, 3, 1))
	x = b.Pool("pool5", x, graph.SquarePool(3, 2, 0))
	b.Output(b.Softmax("prob", classifier(b, x)))
}

func vgg16(b *graph.Builder, p Params) {
	x := b.Input("input", p.Batch, 3, 224, 224)
	for i, layers := range []int{2, 2, 3, 3, 3} {
		stage := number(i + 1)
		for j := range layers {
			x = convRelu(b, "conv"+stage+"_"+number(j+1), x, graph.SquareConv(min(64<<i, 512), 3, 1, 1))
		}
		x = b.Pool("pool"+stage, x, graph.SquarePool(2, 2, 0))
	}
	b.Output(classifier(b, x))
}
