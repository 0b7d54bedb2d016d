package scenario_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/scenario"
)

var update = flag.Bool("update", false, "write the logs of testdata again")

// Every file of testdata still happens as it says.
func TestScenarios(t *testing.T) {
	scenario.Run(t, "testdata", *update, map[string]scenario.Player{
		"memory": playMemory, "link": playLink, "coherence": playCoherence, "router": playRouter, "serve": playServe,
	})
}

// The README names every file.
func TestReadmeIsWhole(t *testing.T) {
	text, err := os.ReadFile("testdata/README.md")
	require.NoError(t, err)
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	for _, f := range files {
		require.Contains(t, string(text), "("+filepath.Base(f)+")")
	}
}
