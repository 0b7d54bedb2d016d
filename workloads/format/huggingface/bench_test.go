package huggingface

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/format"
)

// BenchmarkHub reads the configuration of LLaMA-3 8B and builds its graph.
func BenchmarkHub(b *testing.B) {
	src := format.Bytes("config.json", []byte(llama3Config))
	b.ReportAllocs()
	for b.Loop() {
		_, _, err := format.Read(src, format.Options{Phase: "decode", Context: 2048})
		require.NoError(b, err)
	}
}
