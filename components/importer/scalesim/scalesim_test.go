package scalesim_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/peers/scalesim"
	"github.com/causeway-sim/causeway/components/importer"
	"github.com/causeway-sim/causeway/components/importer/importertest"
	tool "github.com/causeway-sim/causeway/components/importer/scalesim"
)

// The cycles are those that the tool counts on the same array and layer.
func TestImport(t *testing.T) {
	res := importertest.Case(t, "scalesim", "os32")
	array := scalesim.Array{Rows: 32, Cols: 16, Dataflow: scalesim.OS}
	c, err := array.Compute(scalesim.Layer{Name: "conv1", H: 34, W: 34, R: 3, S: 3, C: 16, N: 32, StrideH: 1, StrideW: 1})
	require.NoError(t, err)
	m, ok := res.Metric("Core", "total_cycles")
	require.True(t, ok)
	require.InDelta(t, float64(c.Cycles), m.Value, 0)
}

func TestTable(t *testing.T) {
	importertest.Tables(t, tool.Format)
	importertest.Every(t, tool.Format, func(key string) *importer.Input {
		value := map[string]string{"TopologyCsvLoc": "\"net.csv\"", "Dataflow": "is", "InterfaceBandwidth": "USER"}[key]
		if value == "" {
			value = "8"
		}
		return &importer.Input{Files: []importer.File{{Path: "testdata/os32/x.cfg", Text: "[architecture_presets]\n" + key + " = " + value + "\n"}}}
	})
}

func TestTopology(t *testing.T) {
	dir := t.TempDir()
	cfg := filepath.Join(dir, "a.cfg")
	require.NoError(t, os.WriteFile(cfg, []byte("[architecture_presets]\nArrayHeight: x\nDataflow: rs\n"), 0o600))
	in, err := importer.Open(cfg)
	require.NoError(t, err)
	_, err = importer.Convert(tool.Format, in)
	require.ErrorContains(t, err, "no topology file in the folder of")
	require.ErrorContains(t, err, "--topology FILE")
	in.Topology, in.Out = "testdata/os32/net.csv", "."
	_, err = importer.Convert(tool.Format, in)
	require.ErrorContains(t, err, `a.cfg:2: ArrayHeight: "x" is not a whole number`)
	require.ErrorContains(t, err, `a.cfg:3: Dataflow: unknown value "rs" (want one of: is, os, ws)`)
}
