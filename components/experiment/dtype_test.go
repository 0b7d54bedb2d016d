package experiment

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
)

const typed = `schema: causeway/1
workload: {model: gpt2, phase: decode, context: 64, dtype: %s}
nodes:
  - {name: Core, kind: systolic, fidelity: analytic}
  - {name: Mem, kind: memory, fidelity: ideal}
links:
  - Core -> Mem
`

// Weights in blocks move with their scales: the twelve layers of gpt2 have matrices of
// 12 x 768 x 768 each, whose sums are whole blocks; the head is the table of embeddings.
// Biases and scales of norms stay bf16.
func TestWeightsInBlocks(t *testing.T) {
	matrices := int64(12*12*768*768 + 50257*768)
	read := func(dtype string) int64 {
		x, err := Parse("c.yaml", []byte(fmt.Sprintf(typed, dtype)), Options{})
		require.NoError(t, err)
		r, _, err := x.Run(context.Background(), nil)
		require.NoError(t, err)
		return int64(value(t, r, "all", "Core", "filter_read_bytes"))
	}
	plain := read("{weight: bf16, activation: bf16}")
	for name, d := range map[string]graph.DType{"mxfp4": graph.MXFP4, "q8_0": graph.Q8} {
		got := read("{weight: " + name + ", activation: bf16}")
		require.Equal(t, matrices*2-d.Bytes(matrices), plain-got, name)
	}
	one := read(`{weight: bf16, activation: bf16, tensors: {"L0.*": mxfp4, "L0.ln*": bf16}}`)
	require.Less(t, one, plain)
	require.Greater(t, one, plain-12*768*768*2)
}

func TestTypesThatAreRefused(t *testing.T) {
	for dtype, want := range map[string]string{
		"mxfp3":                                  `unknown data type "mxfp3"`,
		"file":                                   "file is for models in files",
		"{tensors: {nobody: mxfp4}}":             `no tensor of gpt2 has a name like "nobody" (such as `,
		"{tensors: mxfp4}":                       "want types by patterns of tensor names",
		"{tensors: {'[': mxfp4}}":                "is no pattern",
		"{weights: mxfp4}":                       `weights: unknown key (want one of: accumulator, activation, kv, weight, tensors`,
		"{activation: bf16, accumulator: mxfp8}": "partial sums of type mxfp8 (want one of at least 8 bits that is no block format)",
	} {
		x, err := Parse("c.yaml", []byte(fmt.Sprintf(typed, dtype)), Options{})
		if err == nil {
			_, _, err = x.Run(context.Background(), nil)
		}
		require.ErrorContains(t, err, want, dtype)
	}
}
