package offload_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/nearmem/offload"
)

// A program is what its sizes say.
func Example() {
	p, err := offload.New("knn", offload.KNN{Dim: 2048, Rows: 128, Queries: 1, Slices: 16}, 0)
	if err != nil {
		panic(err)
	}
	device, host, result := p.Totals()
	fmt.Println(device, host, result)
	// Output: {671744 1048576} {28160 0} 8192
}

// Every program is repeatable, complete, and consumes all results.
func TestContract(t *testing.T) {
	require.Equal(t, []string{"dlrm", "knn", "llm", "pagerank", "ssb", "sssp"}, offload.All.Names())
	for _, e := range offload.All.Entries() {
		t.Run(e.Name, func(t *testing.T) {
			require.NotEmpty(t, e.Source)
			p, err := offload.New(e.Name, nil, 7)
			require.NoError(t, err)
			q, err := offload.New(e.Name, nil, 7)
			require.NoError(t, err)
			require.Equal(t, p, q)
			for i := range p {
				f := &p[i]
				require.NotEmpty(t, f.Name)
				require.Positive(t, f.Tasks)
				require.Positive(t, f.Result)
				require.Positive(t, f.Host.Ops)
				require.GreaterOrEqual(t, f.Groups()*f.Group(), f.Tasks)
				require.Less(t, (f.Groups()-1)*f.Group(), f.Tasks)
			}
			device, _, _ := p.Totals()
			require.Positive(t, device.Ops)
			require.Positive(t, device.Read)
			_, err = offload.New(e.Name, struct{}{}, 0)
			require.ErrorContains(t, err, "takes a")
		})
	}
	_, err := offload.New("sort", nil, 0)
	require.ErrorContains(t, err, "want one of")
}

// Work and bytes by the published sizes, counted apart.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		name                  string
		spec                  any
		ops, read, host, back uint64
	}{
		// 2.5 per element and 8 per task; 28 per level and 1.5 per slice.
		{"knn", offload.KNN{2048, 128, 1, 16, 0}, 128 * (2048*5/2 + 16*8), 128 * 2048 * 4, 128 * (28*7 + 24), 128 * 16 * 4},
		{"knn", offload.KNN{1024, 256, 1, 16, 0}, 256 * (1024*5/2 + 16*8), 256 * 1024 * 4, 256 * (28*8 + 24), 256 * 16 * 4},
		{"knn", offload.KNN{512, 512, 3, 16, 0}, 3 * 512 * (512*5/2 + 16*8), 3 * 512 * 512 * 4, 3 * 512 * (28*9 + 24), 3 * 512 * 16 * 4},
		// Vertices are rounded up to chunks: 4673 of 64.
		{"pagerank", nil, 2*977676 + (2*64+8)*4673, 8*977676 + 8*4673*64, 14 * 4673 * 64, 4 * 4673 * 64},
		{"sssp", nil, 7*733846/2 + (2*64+8)*4131, 16*733846/2 + 8*4131*64, 54 * 4131 * 64, 4 * 4131 * 64},
		{"pagerank", offload.Graph{1000, 5000, 4, 10, 0}, 4 * (10000 + 2000 + 800), 4 * (40000 + 8000), 4 * 14000, 16000},
		{"knn", offload.KNN{2048, 128, 1, 16, 10}, 128 * (2048*5/2 + 16*8), 128 * 2048 * 4, 128 * (10*7 + 24), 128 * 16 * 4},
		{"pagerank", offload.Graph{1000, 5000, 4, 10, 20}, 4 * (10000 + 2000 + 800), 4 * (40000 + 8000), 4 * 20000, 16000},
		{"ssb", offload.SSB{"q1_1", 8000, 800, 10, 100}, 22*1000 + 80, 8000 * 12, 10 * (800*10 + 1520), 1000},
		{"ssb", offload.SSB{"q1_1", 8000, 800, 0, 0}, 22*1000 + 80, 8000 * 12, 10 * (800*19 + 7600), 1000},
		{"ssb", offload.SSB{"q1_2", 8000, 800, 0, 0}, 24*1000 + 80, 8000 * 12, 10 * (800*19 + 260), 1000},
		// Blocks of keys of 4 blocks of queries: 1+2+3+4.
		{"llm", offload.LLM{2, 4, 64, 32, 8}, 2 * 4 * (10*64*(2*16+20) + 4*8), 2 * 4 * 10 * 8 * 2 * 16 * 2, 2 * 32 * 12 * 64 * 64 / 16, 2 * 32 * 64 * 4},
		{"dlrm", offload.DLRM{256, 26, 10, 1}, 10 * (26*256*3/2 + 8), 10 * 26 * 257 * 4, 10 * 16400, 10 * 1024},
	} {
		p, err := offload.New(c.name, c.spec, 1)
		require.NoError(t, err)
		device, host, back := p.Totals()
		require.Equal(t, offload.Cost{Ops: c.ops, Read: c.read}, device, "%s %v", c.name, c.spec)
		require.Equal(t, c.host, host.Ops, "%s %v", c.name, c.spec)
		require.Equal(t, c.back, back, "%s %v", c.name, c.spec)
	}
}

// Reference: OPT-2.7B has 32 layers of 12 x 2560^2 weights; the attention of 1024
// tokens is 2 x 1024 x 1024 / 2 x 2560 multiply-adds a layer but for the diagonal.
func TestOPT(t *testing.T) {
	p, err := offload.New("llm", nil, 0)
	require.NoError(t, err)
	_, host, back := p.Totals()
	require.EqualValues(t, 32*12*2560*2560*1024/16, host.Ops)
	require.EqualValues(t, 32*12*2560*2560*2, host.Read, "fp16, once per layer")
	require.EqualValues(t, 32*1024*2560*4, back)
	// What a group needs: 32 tokens of 2560 fp32 values, in slots of 32 B.
	require.EqualValues(t, 10240, p[0].Result*uint64(p[0].Gather)/32)
}

func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name, err string
		spec      any
	}{
		{"knn", "no multiple of the 16 slices", offload.KNN{100, 1, 1, 16, 0}},
		{"ssb", "no multiple of 8", offload.SSB{"q1_1", 100, 12, 0, 0}},
		{"sssp", "the graph has 10 vertices", offload.Graph{10, 10, 1, 11, 0}},
		{"llm", "no multiple of the 3 heads", offload.LLM{1, 3, 64, 8, 8}},
		{"llm", "no multiple of the block 3", offload.LLM{1, 4, 64, 8, 3}},
	} {
		_, err := offload.New(c.name, c.spec, 0)
		require.ErrorContains(t, err, c.err)
	}
}

// Seeds deal edges in different ways, and always all of them.
func TestEdges(t *testing.T) {
	one, err := offload.New("pagerank", nil, 1)
	require.NoError(t, err)
	two, err := offload.New("pagerank", nil, 2)
	require.NoError(t, err)
	require.NotEqual(t, one, two)
	a, _, _ := one.Totals()
	b, _, _ := two.Totals()
	require.Equal(t, a, b)
}
