package astrasim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/importer"
	"github.com/causeway-sim/causeway/components/importer/astrasim"
	"github.com/causeway-sim/causeway/components/importer/importertest"
)

// An all-reduce of 1 MiB takes the 43,000 ns of the tool: configs/studies/astrasim.
func TestImport(t *testing.T) {
	res := importertest.Case(t, "astrasim", "ring")
	m, ok := res.Metric("Ranks", "total_cycles")
	require.True(t, ok)
	require.InDelta(t, 43000, m.Value, 0)
}

func TestImportOfDimensions(t *testing.T) {
	res := importertest.Case(t, "astrasim", "planes")
	m, ok := res.Metric("Ranks", "total_cycles")
	require.True(t, ok)
	require.Greater(t, m.Value, 2*300.)
}

const network = "topology: [Ring]\nnpus_count: [4]\nbandwidth: [50]\nlatency: [500]\n"

func TestTable(t *testing.T) {
	importertest.Tables(t, astrasim.Format)
	importertest.Every(t, astrasim.Format, func(key string) *importer.Input {
		switch key {
		case "topology", "npus_count", "bandwidth", "latency":
			return &importer.Input{Files: []importer.File{{Path: "net", Text: network}}}
		case "memory-type", "logical-dims":
			return &importer.Input{Files: []importer.File{{Path: "net", Text: network}, {Path: "a", Text: key + ": x\n"}}}
		case "remote-mem-latency", "remote-mem-bw":
			return &importer.Input{Files: []importer.File{{Path: "net", Text: network}, {Path: "a", Text: "memory-type: x\n" + key + ": 1\n"}}}
		}
		text := "preferred-dataset-splits: 2\n"
		if key != "preferred-dataset-splits" {
			text += key + ": 1\n"
		}
		return &importer.Input{Files: []importer.File{{Path: "net", Text: network}, {Path: "sys", Text: text}}}
	})
}

func TestRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"topology: [Torus]\nnpus_count: [4]\nbandwidth: [50]\nlatency: [500]\n":   `a:1: topology: unknown topology "Torus" (want one of: Ring, Switch, FullyConnected)`,
		"topology: [Ring]\nnpus_count: [4, 2]\nbandwidth: [50]\nlatency: [500]\n": "a:2: npus_count: has 2 values, topology has 1",
		"topology: [Ring]\nnpus_count: [4]\nbandwidth: [tbd]\nlatency: [500]\n":   `a:3: bandwidth: "tbd" is not a number`,
		"topology: [Ring]\nnpus_count: [70000]\nbandwidth: [1]\nlatency: [500]\n": "a:2: npus_count: is 70000 (want 1 to 65536)",
	} {
		_, err := importer.Convert(astrasim.Format, &importer.Input{Files: []importer.File{{Path: "a", Text: text}}})
		require.ErrorContains(t, err, want)
	}
	two := []importer.File{{Path: "a", Text: network}, {Path: "b", Text: network}}
	_, err := importer.Convert(astrasim.Format, &importer.Input{Name: "x", Files: two})
	require.ErrorContains(t, err, "x: more than one network (topology and npus_count) (want one of: a, b)")
	traces := []importer.File{{Path: "a", Text: network}, {Path: "run.0.et"}, {Path: "run.1.et"}}
	_, err = importer.Convert(astrasim.Format, &importer.Input{Name: "x", Files: traces})
	require.ErrorContains(t, err, "run.%d.et: traces of 2 ranks, and npus_count is 4")
}
