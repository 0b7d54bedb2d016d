package operator

import (
	"strings"

	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// Part separates the name of a row from the name of one of its operators, for rows of several
// operators. The time of a row is the sum over its operators.
const Part = "::"

// RowOf returns the name of the row of an operator.
func RowOf(op string) string {
	row, _, _ := strings.Cut(op, Part)
	return row
}

// buildResidualBlock is the block of a diffusion network without its time embedding:
// normalisation, silu and a 3 x 3 convolution, twice, and the sum with the input.
func buildResidualBlock(b *graph.Builder, name string, get func(string) int) {
	c := get("channels")
	x := b.Input(name+".x", get("batch"), c, get("height"), get("width"))
	y := x
	for _, half := range []string{"1", "2"} {
		y = b.GroupNorm(name+Part+"norm"+half, y, groupsOf(c))
		y = b.Elementwise(name+Part+"silu"+half, "silu", y)
		y = b.Conv(name+Part+"conv"+half, y, graph.SquareConv(c, 3, 1, 1))
	}
	b.Output(b.Add(name+Part+"add", x, y))
}

// groupsOf is 32 groups where the channels can be divided so, else one.
func groupsOf(c int) int {
	if c%32 == 0 {
		return 32
	}
	return 1
}

// buildSelfAttention is self-attention of a transformer with its projections: queries,
// keys and values as one product, fused attention, the output's product.
func buildSelfAttention(b *graph.Builder, name string, get func(string) int) {
	n, s, heads, dim := get("batch"), get("sequence"), get("heads"), get("head_dim")
	d := heads * dim
	x := b.Input(name+".x", n*s, d)
	qkv := b.MatMul(name+Part+"qkv", x, b.Weight(name+".qkv", d, 3*d), graph.MatMul{Batch: 1, M: n * s, N: 3 * d, K: d}, n*s, 3*d)
	k := graph.Attention{Batch: n * heads, Group: 1, Queries: s, Keys: s, Size: dim, Value: dim,
		Mask: masking.Mask{Causal: get("causal") > 0}, ScoreOps: 1} // scale
	var in []graph.TensorID
	for _, part := range []string{"q", "k", "v"} { // views: nothing moves
		in = append(in, b.Op(name+Part+part, graph.Move{Func: "slice"}, []graph.TensorID{qkv}, n*heads, s, dim))
	}
	y := b.Op(name+Part+"attention", k, in, n*heads, 1, s, dim)
	y = b.Reshape(name+Part+"merge", y, n*s, d)
	b.Output(b.MatMul(name+Part+"out", y, b.Weight(name+".out", d, d), graph.MatMul{Batch: 1, M: n * s, N: d, K: d}, n*s, d))
}
