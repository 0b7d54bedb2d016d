package zoo

import "github.com/causeway-sim/causeway/workloads/graph"

// streamed adds a part of a layer that reads a mixture of several residual streams and writes into
// all of them (manifold-constrained hyper-connections, Xie et al., arXiv 2512.24880, section 4): a
// product of all streams of a token gives the weights of both mixtures and of the one between
// streams.
func (d Decoder) streamed(b *graph.Builder, l, name string, x graph.TensorID, of func(graph.TensorID) graph.TensorID) graph.TensorID {
	p, n, s := l+name+"_streams.", d.Streams, b.Shape(x)
	batch, tokens := s[0], s[1]
	w := b.Linear(p+"mix", x, n*(n+2))
	w = b.Elementwise(p+"weights", "sigmoid", w, b.Weight(p+"bias", n*(n+2)))
	b.Weight(p+"scale", 3) // of the three mixtures
	read, write := b.Tensor(p+"read.weights", graph.Activation, batch, tokens, n, 1), b.Tensor(p+"write.weights", graph.Activation, batch, tokens, n, 1)
	b.Into(p+"split", graph.Move{Func: "split"}, []graph.TensorID{w}, read, write)
	all := b.Reshape(p+"streams", x, batch, tokens, n, d.Hidden)
	y := b.Reduce(p+"read", "sum", b.Mul(p+"read.weight", all, read), batch, tokens, d.Hidden)
	y = of(d.norm(b, l+name+"_norm", y))
	sum := b.Add(p+"sum", b.Mul(p+"write.weight", all, write), b.Reshape(p+"wide", y, batch, tokens, 1, d.Hidden))
	return b.Reshape(p+"next", sum, batch, tokens, n*d.Hidden)
}
