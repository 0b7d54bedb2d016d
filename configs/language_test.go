package configs

import (
	"os"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// languagePresets stands for the built-in ones, which need not all exist yet.
var languagePresets = fstest.MapFS{
	"hbm2e.yaml":       {Data: []byte("kind: memory\nsize: 16GiB\n")},
	"hbm3.yaml":        {Data: []byte("kind: memory\nsize: 16GiB\n")},
	"ddr5_4800.yaml":   {Data: []byte("kind: memory\nsize: 32GiB\n")},
	"cxl3_x16.yaml":    {Data: []byte("kind: cxl_root\nlanes: 16\n")},
	"tpu_v4_core.yaml": {Data: []byte("kind: systolic\nrows: 128\n")},
}

// The three systems of the language pass with nothing but their kinds known.
func TestLanguageExamples(t *testing.T) {
	for _, name := range []string{"testdata/one.yaml", "testdata/two.yaml", "testdata/three.yaml"} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		d, err := Parse(name, text, Options{Presets: languagePresets})
		require.NoError(t, err, name)
		again, err := Parse("again.yaml", d.Resolved(), Options{})
		require.NoError(t, err, name)
		require.Equal(t, string(d.Resolved()), string(again.Resolved()))
		require.NotContains(t, string(d.Resolved()), "preset:", name)
		require.NotContains(t, string(d.Resolved()), "$", name)
	}
}
