package onnx

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/format/formattest"

	"github.com/causeway-sim/causeway/workloads/format"
)

// BenchmarkONNX reads ResNet-50 without weights: 176 operators of 415 nodes.
func BenchmarkONNX(b *testing.B) {
	path := formattest.Inputs(b, "onnx/light_resnet50.onnx")
	b.ReportAllocs()
	for b.Loop() {
		_, _, err := format.Open(path, format.Options{})
		require.NoError(b, err)
	}
}
