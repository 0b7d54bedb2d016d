package dram_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/dram"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// The schema of the node offers what there is.
func TestGradesAreOffered(t *testing.T) {
	f, _ := reflect.TypeFor[dram.Spec]().FieldByName("Grade")
	var words []string
	for w := range strings.SplitSeq(f.Tag.Get("jsonschema"), ",") {
		words = append(words, strings.TrimPrefix(w, "enum="))
	}
	require.ElementsMatch(t, words, standard.Grades())
	for _, n := range standard.Grades() {
		g, ok := standard.Find(n)
		require.True(t, ok)
		require.NotEmpty(t, g.Source, n)
		require.NotEmpty(t, g.Standard, n)
		require.GreaterOrEqual(t, g.Timing["RC"], g.Timing["RAS"]+g.Timing["RP"]-1, n)
	}
}

func FuzzReadStandard(f *testing.F) {
	for _, name := range []string{"standard/testdata/tiny.jsonc", "standard/grades/hbm2.jsonc"} {
		text, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		gs, err := standard.Read([]byte(text))
		if err != nil {
			return
		}
		for _, g := range gs {
			c, err := dram.New(dram.DefaultConfig(g), ignore{})
			require.Equal(t, err == nil, c != nil)
		}
	})
}
