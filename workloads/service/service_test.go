package service_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/service"
)

// References: sizes of the publications, worked out by hand.
func TestSizes(t *testing.T) {
	for _, x := range []struct {
		name    string
		regions []uint64
		bytes   []uint64
		steps   int
		compute float64 // of the last step
	}{
		{"rag", []uint64{21015324 * 128, 21015324 * 3072}, []uint64{128 * 128, 128 * 32 * 3072}, 256, 3 * 32 * 768},
		// 170,496 + 44,928 + 479x1024 + 1024x1024 + 1024x512 + 512x256 + 256
		{"dlrm", []uint64{4 * 2365184, 204184588 * 512}, []uint64{4 * 4 * 2365184, 4 * 128 * 26 * 512}, 4, 2 * 128 * (2365184 + 44928)},
		// 2x4096^2 + 2x4096x1024 + 3x4096x14336 = 218,103,808, as the model's card adds up
		{"llm", []uint64{436207616, 8 * 2048 * 4096}, []uint64{436207616, 8 * 2048 * 4096}, 1, 2*8*218103808 + 4*8*2048*4096},
	} {
		p, err := service.New(x.name, nil)
		require.NoError(t, err)
		var sizes []uint64
		for _, r := range p.Regions {
			sizes = append(sizes, r.Size)
		}
		require.Equal(t, x.regions, sizes, x.name)
		require.Equal(t, x.bytes, p.Bytes(), x.name)
		require.Len(t, p.Steps, x.steps, x.name)
		require.EqualValues(t, x.compute, p.Steps[len(p.Steps)-1].Compute, x.name)
	}
}

func TestBad(t *testing.T) {
	_, err := service.New("nothing", nil)
	require.ErrorContains(t, err, "want one of: [dlrm llm rag]")
	_, err = service.New("rag", service.RAG{})
	require.EqualError(t, err, "queries is 0 (want 1 or more)")
	_, err = service.New("llm", service.LLM{Layers: 1, Width: 10, Hidden: 1, Heads: 3, KVHeads: 1, Context: 1, Batch: 1, Bytes: 1})
	require.ErrorContains(t, err, "want divisors")
	big := service.DefaultRAG()
	big.Queries = 1 << 20
	_, err = service.New("rag", big)
	require.ErrorContains(t, err, "at most 1048576")
	_, err = service.New("rag", 3)
	require.Error(t, err)
}
