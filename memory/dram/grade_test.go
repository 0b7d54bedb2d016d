package dram_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// A standard is one file: the schema of the node offers the grades of all files of the folder.
func TestGradesAreOffered(t *testing.T) {
	files, err := filepath.Glob("standard/grades/*.yaml")
	require.NoError(t, err)
	var inFiles []any
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		gs, err := standard.Read(f, text)
		require.NoError(t, err, f)
		for _, g := range gs {
			inFiles = append(inFiles, g.Name)
		}
	}
	keys := schema.Of(dram.DefaultSpec())["properties"].(schema.Schema)
	require.ElementsMatch(t, inFiles, keys["grade"].(schema.Schema)["enum"])
	require.Len(t, standard.Grades(), len(inFiles))
	for _, n := range standard.Grades() {
		g, ok := standard.Find(n)
		require.True(t, ok)
		require.NotEmpty(t, g.Source, n)
		require.NotEmpty(t, g.Standard, n)
		require.GreaterOrEqual(t, g.Timing["RC"], g.Timing["RAS"]+g.Timing["RP"]-1, n)
	}
}

func FuzzReadStandard(f *testing.F) {
	for _, name := range []string{"standard/testdata/tiny.yaml", "standard/grades/hbm2.yaml"} {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		gs, err := standard.Read("x.yaml", []byte(text))
		if err != nil {
			return
		}
		for _, g := range gs {
			c, err := dram.New(dram.DefaultConfig(g), ignore{})
			require.Equal(t, err == nil, c != nil)
		}
	})
}
