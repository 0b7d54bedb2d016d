package table

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/format"
)

// BenchmarkScaleSim reads a topology file of a thousand layers.
func BenchmarkScaleSim(b *testing.B) {
	src := format.Bytes("f.csv", []byte(convHeader+strings.Repeat("conv, 224, 224, 3, 3, 64, 128, 2,\n", 1000)))
	b.ReportAllocs()
	for b.Loop() {
		_, _, err := format.Read(src, format.Options{})
		require.NoError(b, err)
	}
}
