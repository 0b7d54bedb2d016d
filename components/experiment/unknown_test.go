package experiment_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment"
)

// field is a field of a protocol buffer with bytes in it, of fewer than 128.
func field(number byte, parts ...[]byte) (out []byte) {
	var all []byte
	for _, p := range parts {
		all = append(all, p...)
	}
	return append([]byte{number<<3 | 2, byte(len(all))}, all...)
}

// spectral is an ONNX model of one operator that no format defines.
func spectral() []byte {
	value := func(number byte, name string) []byte {
		dim := field(1, []byte{1 << 3, 3})
		return field(number, field(1, []byte(name)), field(2, field(1, []byte{1 << 3, 1}, field(2, dim, dim))))
	}
	node := field(1, field(1, []byte("x")), field(2, []byte("y")), field(4, []byte("Spectral")))
	g := field(7, node, field(2, []byte("g")), value(11, "x"), value(12, "y"))
	return append(append([]byte{1 << 3, 8}, field(8, []byte{2 << 3, 13})...), g...)
}

// What workload.unknown says wrong is shown at its place.
func TestUnknownAtItsPlace(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "m.onnx"), spectral(), 0o644))
	load := func(unknown string) error {
		file := filepath.Join(dir, "c.yaml")
		require.NoError(t, os.WriteFile(file, []byte("schema: causeway/1\nworkload:\n  file: m.onnx\n  unknown: {"+unknown+"}\nnodes:\n  - {name: Core, kind: roofline}\n"), 0o644))
		x, err := experiment.Load(file, experiment.Options{})
		if err == nil {
			_, _, err = x.Run(context.Background(), nil)
		}
		return err
	}
	require.NoError(t, load("Spectral: elementwise"))
	require.ErrorContains(t, load("Spectral: gratis"), `c.yaml:4:23: workload.unknown.Spectral: Spectral is taken as "gratis" (want one of: elementwise, free)`)
	require.ErrorContains(t, load("Spectral: free, Other: free"), `c.yaml:4:36: workload.unknown.Other: the model has no operator Other`)
	require.ErrorContains(t, load("Relu: free, Spectral: free"), `c.yaml:4:19: workload.unknown.Relu: Relu is known, its work is counted`)
}
