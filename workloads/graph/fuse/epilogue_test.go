package fuse_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/fuse"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// What follows a convolution of ResNet-50 is part of its kernel: all norms and activations, and the
// additions, in the kernel of the branch that comes last. The pools are kernels of their own.
func TestEpiloguesOfResNet(t *testing.T) {
	g, err := zoo.Build("resnet50", zoo.Params{Batch: 2})
	require.NoError(t, err)
	f, n := fuse.Epilogues(g)
	require.Equal(t, 53+49+16, n, "norms, activations and additions")
	at := map[string]int{}
	applied := 0
	for i := range f.Ops {
		at[f.Ops[i].Name] = i
		require.False(t, fuse.Applied(g, i), "g itself stays")
		if fuse.Applied(f, i) {
			applied++
		}
	}
	require.Equal(t, n, applied)
	all, ops := fuse.Epilogue(f, at["res2_0_ds"])
	require.Equal(t, f.Ops[at["res2_0.relu"]].Out, all.Out)
	elements := f.Tensor(all.Out[0]).Elements()
	require.Equal(t, 2*elements, ops, "an addition and a relu; the norm is folded")
	own := f.Footprint(&f.Ops[at["res2_0_ds"]])
	require.Equal(t, own.InputElements+elements, f.Footprint(all).InputElements)
	require.Equal(t, own.OutputElements, f.Footprint(all).OutputElements)
	all, _ = fuse.Epilogue(f, at["res2_0_c"])
	require.Equal(t, f.Ops[at["res2_0_c.bn"]].Out, all.Out, "the other branch comes later")
	for _, name := range []string{"pool1", "fc"} {
		all, _ = fuse.Epilogue(f, at[name])
		require.Nil(t, all)
	}
	// A chip that has the rest of a kernel's operators alone carries them out itself.
	cut := *f
	cut.Ops = f.Ops[at["res2_0_a.bn"]:]
	require.False(t, fuse.Applied(&cut, 0))
	require.False(t, fuse.Applied(&cut, 1), "of a chain whose kernel is elsewhere")
	cut.Ops = f.Ops[:at["res2_0_a.relu"]]
	all, _ = fuse.Epilogue(&cut, at["res2_0_a"])
	require.Equal(t, f.Ops[at["res2_0_a.bn"]].Out, all.Out)
}

// A result that is read twice, or is a result of the model, is written; a product has no second
// tensor, and an operand that comes later cannot be added.
func TestWhatNoKernelApplies(t *testing.T) {
	for name, build := range map[string]struct {
		n  int
		of func(b *graph.Builder, x graph.TensorID)
	}{
		"one activation": {1, func(b *graph.Builder, x graph.TensorID) {
			b.Output(b.Elementwise("r", "relu", b.Conv("c", x, graph.SquareConv(4, 3, 1, 1))))
		}},
		"a residual": {2, func(b *graph.Builder, x graph.TensorID) {
			b.Output(b.Elementwise("r", "relu", b.Add("a", x, b.Conv("c", x, graph.SquareConv(4, 3, 1, 1)))))
		}},
		"two additions": {1, func(b *graph.Builder, x graph.TensorID) {
			b.Output(b.Add("a2", b.Add("a", b.Conv("c", x, graph.SquareConv(4, 3, 1, 1)), x), x))
		}},
		"read twice": {0, func(b *graph.Builder, x graph.TensorID) {
			y := b.Conv("c", x, graph.SquareConv(4, 3, 1, 1))
			b.Output(b.Elementwise("r", "relu", y), b.Elementwise("s", "sigmoid", y))
		}},
		"a result": {0, func(b *graph.Builder, x graph.TensorID) {
			y := b.Conv("c", x, graph.SquareConv(4, 3, 1, 1))
			b.Output(y, b.Elementwise("r", "relu", y))
		}},
		"of a product": {1, func(b *graph.Builder, x graph.TensorID) {
			y := b.Linear("p", x, 8)
			b.Output(b.Add("a", b.Elementwise("g", "gelu", b.Linear("q", x, 8)), y))
		}},
		"of an activation after": {1, func(b *graph.Builder, x graph.TensorID) {
			y := b.Elementwise("r", "relu", b.Conv("c", x, graph.SquareConv(4, 3, 1, 1)))
			b.Output(b.BatchNorm("n", y))
		}},
	} {
		b := graph.NewBuilder("m")
		build.of(b, b.Input("x", 1, 4, 8, 8))
		g, err := b.Graph()
		require.NoError(t, err, name)
		_, n := fuse.Epilogues(g)
		require.Equal(t, build.n, n, name)
	}
}
