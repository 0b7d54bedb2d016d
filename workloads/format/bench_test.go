package format

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkONNX reads ResNet-50 without weights: 176 operators of 415 nodes.
func BenchmarkONNX(b *testing.B) {
	path := inputs(b, "onnx/light_resnet50.onnx")
	b.ReportAllocs()
	for b.Loop() {
		_, _, err := Open(path, Options{})
		require.NoError(b, err)
	}
}

// BenchmarkScaleSim reads a topology file of a thousand layers.
func BenchmarkScaleSim(b *testing.B) {
	src := Bytes("f.csv", []byte(convHeader+strings.Repeat("conv, 224, 224, 3, 3, 64, 128, 2,\n", 1000)))
	b.ReportAllocs()
	for b.Loop() {
		_, _, err := Read(src, Options{})
		require.NoError(b, err)
	}
}

// BenchmarkHub reads the configuration of LLaMA-3 8B and builds its graph.
func BenchmarkHub(b *testing.B) {
	src := Bytes("config.json", []byte(llama3Config))
	b.ReportAllocs()
	for b.Loop() {
		_, _, err := Read(src, Options{Phase: "decode", Context: 2048})
		require.NoError(b, err)
	}
}
