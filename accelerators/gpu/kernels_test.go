package gpu

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/gpu/library"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/graph/fuse"
	"github.com/causeway-sim/causeway/workloads/graph/masking"
)

// A library's kernels carry out products and attention of equal types; other operators, and
// products whose weights have another type, go as without it.
func TestKernelsOfALibrary(t *testing.T) {
	plain := DefaultSpec()
	plain.Architecture, plain.Kernels.Library = "sm90", "cutlass"
	named := plain
	named.Kernels = KernelsSpec{Library: "trtllm"}
	cost := func(s Spec, text string) uint64 {
		return uint64(cycles(run(t, s, work.Share{Graph: list(t, text)}))["x"])
	}
	const product, norm = "name,op,m,n,k,dtype\nx,gemm,256,4096,4096,bf16\n", "name,op,rows,cols,dtype\nx,rmsnorm,256,4096,bf16\n"
	require.NotEqual(t, cost(plain, product), cost(named, product))
	require.Equal(t, cost(plain, norm), cost(named, norm))
	const integers = "name,op,m,n,k,dtype\nx,gemm,256,4096,4096,int8\n"
	require.Equal(t, cost(plain, integers), cost(named, integers), "no kernels for the type")
	const weights = "name,op,m,n,k,dtype,weight_dtype\nx,gemm,4,8192,8192,bf16,int8\n"
	require.Equal(t, cost(plain, weights), cost(named, weights), "no kernels for weights alone")
	ampere := named
	ampere.Architecture = "sm80"
	require.NotEqual(t, cost(plain, weights), cost(ampere, weights))
	const latent = "name,op,heads,context,batch,dtype,kv_dtype\nx,mla_decode,16,4096,8,bf16,fp8\n"
	last := func(s Spec) uint64 {
		return uint64(cycles(run(t, s, work.Share{Graph: list(t, latent)}))["x::attention"])
	}
	require.NotEqual(t, last(plain), last(named))
	other := named
	other.Kernels.Generation = "sm80"
	require.NotEqual(t, cost(named, product), cost(other, product), "kernels of another generation")

	usual := plain
	usual.Kernels.Library = "auto"
	require.Equal(t, cost(named, product), cost(usual, product))
	usual.Architecture = "sm89" // measured with operands in the L2
	require.Equal(t, cost(plain, product), cost(usual, product))
	usual.Architecture = ""
	require.Equal(t, cost(plain, product), cost(usual, product))

	attention := func(s Spec) units.Time {
		c := New("Chip", engine.New(), s)
		return c.Attend([]work.Attention{{Requests: 1, Attention: graph.Attention{Batch: 8, Group: 4, Queries: 2048, Keys: 2048, Size: 128, Value: 128, Mask: masking.Mask{Causal: true}}}}, graph.Uniform(graph.BF16)).Time
	}
	require.NotEqual(t, attention(plain), attention(named))
}

// The matrix units multiply fp8 by blocks as fp8: no warning says that they lack a rate.
func TestBlocksOfFP8AreNative(t *testing.T) {
	s := DefaultSpec()
	for _, rate := range []float64{0, 4096} {
		if rate > 0 {
			s.Tensor = map[string]float64{"bf16": 2048, "fp8": rate}
		}
		c := New("Chip", engine.New(), s)
		c.lacks(&work.Share{Graph: list(t, "name,op,m,n,k,dtype\nx,gemm,256,4096,4096,fp8_block\n")})
		require.Equal(t, rate == 0, len(c.Warnings()) == 1, rate)
	}
}

func TestKernelsAreChecked(t *testing.T) {
	for text, want := range map[string]string{
		"kernels: {library: trtllm}":                                          `trtllm has no kernels for architecture ""`,
		"{architecture: cdna3, kernels: {library: trtllm}}":                   `has no kernels for architecture "cdna3" (want one of: sm100, sm103, sm120, sm80, sm86, sm89, sm90)`,
		"{architecture: sm90, kernels: {library: trtllm, generation: sm70}}":  `has no kernels for generation "sm70"`,
		"{architecture: sm90, kernels: {library: cutlass, generation: sm80}}": "has no effect with library: cutlass",
		"{architecture: sm90, kernels: {library: trtllm, generation: sm80}}":  "",
		"{architecture: sm90, kernels: {library: auto, generation: sm70}}":    `has no kernels for generation "sm70"`,
		"{architecture: sm103, kernels: {library: trtllm}}":                   "",
	} {
		v, err := configs.ParseValue("c.yaml", []byte(text))
		require.NoError(t, err)
		s := DefaultSpec()
		require.NoError(t, v.Decode(&s), text)
		err = s.check(v)
		if want == "" {
			require.NoError(t, err, text)
		} else {
			require.ErrorContains(t, err, want, text)
		}
	}
}

// Constants of a library's kernels hold the gap of the graph that they were measured in: the
// default is their own time, another gap takes its place, and the host's launches show only where
// the kernels are shorter.
func TestLaunches(t *testing.T) {
	s := DefaultSpec()
	s.Architecture, s.Kernels.Library = "sm90", "trtllm"
	row := func(m, n, k int) string {
		text := "name,op,m,n,k,dtype\n"
		for i := range 20 {
			text += fmt.Sprintf("x%d,gemm,%d,%d,%d,bf16\n", i, m, n, k)
		}
		return text
	}
	total := func(s Spec, text string) float64 { return float64(*run(t, s, work.Share{Graph: list(t, text)}).End()) }
	short, long := row(16, 256, 64), row(4096, 4096, 4096)

	m := s.machine(graph.MatMul{}, graph.BF16)
	chip := s.chip(&m)
	l, _ := library.Get("trtllm", "sm90")
	c, _ := l.GEMM(&chip, library.Product{Batch: 1, M: 16, N: 256, K: 64, Type: library.BF16})
	require.Equal(t, 20*float64(cyclesOf(c.Total, s.Clock.Clock)), total(s, short), "1 GHz")

	eager := s
	eager.Launch.Mode = "eager"
	require.Equal(t, 20*5000+float64(cyclesOf(c.Total, s.Clock.Clock))+400, total(eager, short), "the last kernel begins after 20 launches")
	require.Equal(t, total(s, long)+5000+20*400, total(eager, long), "the first launch, and gaps of a stream")
	own := cyclesOf(c.Total, s.Clock.Clock) + 400
	require.Equal(t, 20*5000-19*own, run(t, eager, work.Share{Graph: list(t, short)}).sum.waited)

	near := s
	near.Host.Graph = units.InTime(0)
	require.Equal(t, total(s, short)-20*500, total(near, short))
	far := s
	far.Host.Graph = units.InTime(2 * units.Microsecond)
	require.Equal(t, total(s, long)+20*1500, total(far, long))
}

// A row of the same operators is planned as the longer of the host's time and the GPU's.
func TestPlannedLaunches(t *testing.T) {
	s := DefaultSpec()
	s.Launch.Mode = "eager"
	c := New("Chip", engine.New(), s)
	w := work.Share{Graph: list(t, "name,op,m,n,k\nx,gemm,16,256,64\ny,gemm,4096,4096,4096\n")}
	own, _ := c.plan(&w, 1, 0)
	rows := c.layers(&w, []int{0, 1})
	require.EqualValues(t, 5000, rows[0].cycles)
	require.Equal(t, own.cycles, rows[1].cycles)
	require.Equal(t, rows, c.layers(&w, []int{0, 1}), "plans change nothing")
}

// A convolution with its norm, addition and activation is one kernel: it moves operands and the
// last result once, and what it applies takes no time of its own.
func TestKernelsApplyWhatFollows(t *testing.T) {
	b := graph.NewBuilder("m")
	x, y := b.Input("x", 8, 64, 56, 56), b.Input("y", 8, 64, 56, 56)
	b.Output(b.Elementwise("act", "relu", b.Add("sum", b.BatchNorm("norm", b.Conv("conv", x, graph.SquareConv(64, 3, 1, 1))), y)))
	g, err := b.Graph()
	require.NoError(t, err)
	g.SetDTypes(graph.Uniform(graph.Int8))
	fused, n := fuse.Epilogues(g)
	require.Equal(t, 3, n)
	apart, one := run(t, DefaultSpec(), work.Share{Graph: g}), run(t, DefaultSpec(), work.Share{Graph: fused})
	image := uint64(8 * 64 * 56 * 56)
	require.Equal(t, []uint64{0, 0, 0}, bytesOf(one)[1:])
	require.InDelta(t, 3*image+64*64*9, bytesOf(one)[0], 1000)
	require.InDelta(t, (2+2+3+2)*image+64*64*9, sum(bytesOf(apart)), 2000)
	require.Less(t, *one.End(), *apart.End()*2/3)
	require.EqualValues(t, 1, one.sum.operations)
	require.Equal(t, one.sum.macs, apart.sum.macs)
	require.Equal(t, one.sum.vector, apart.sum.vector)
	require.Equal(t, []string{"cutlass", "fused", "fused", "fused"}, kernelsOf(one))
}

func bytesOf(c *Comp) (out []uint64) {
	for _, l := range c.Rows() {
		out = append(out, l.bytes)
	}
	return out
}

func sum(list []uint64) (n uint64) {
	for _, x := range list {
		n += x
	}
	return n
}

func kernelsOf(c *Comp) (out []string) {
	for _, l := range c.Rows() {
		out = append(out, l.kernel)
	}
	return out
}
