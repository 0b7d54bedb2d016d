package plain_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/plain"
	_ "github.com/causeway-sim/causeway/configs/yaml"
)

// The standards of DRAM mean the same to this reader and to that of YAML.
func TestReadersAgree(t *testing.T) {
	files, err := filepath.Glob("../../memory/dram/standard/grades/*.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	texts := map[string]string{
		"mixed": "a: 1 # one\nb:\n- x # no\n- 'y # yes'\n-   [p, {q: r s, t: \"u\"}]\nc:\n   d: e-f + 2\n   g: []\nh: {}\n",
		"list":  "- 1.5\n- true\n",
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		texts[f] = string(text)
	}
	for name, text := range texts {
		a, err := plain.Parse(name, []byte(text))
		require.NoError(t, err)
		b, err := configs.ParseValue(name, []byte(text))
		require.NoError(t, err)
		require.Equal(t, b.Any(), a.Any(), name)
		require.Equal(t, places(b), places(a), name)
	}
}

// places are the positions of all values.
func places(v configs.Value) (out []configs.Pos) {
	out = append(out, v.Pos())
	for _, k := range v.Keys() {
		out = append(out, v.KeyPos(k))
		out = append(out, places(v.Get(k))...)
	}
	for _, x := range v.Items() {
		out = append(out, places(x)...)
	}
	return out
}

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                 "is empty",
		"a: [1, 2":         `"a: [1, 2" is not closed`,
		"a: {b: 1, c}":     `"c}" where a key is due`,
		"a: {b: }":         `'}' begins no plain value`,
		"a: &x 1":          `'&' begins no plain value`,
		"a: |\n  text":     `'|' begins no plain value`,
		"a: \"b":           "quoted text without an end",
		`a: "b\n"`:         "with an escape",
		"a: [b] c":         `c" after the value`,
		"a: b: c":          "a colon in plain text",
		"a: 1\n  b: 2":     "x.yaml:2:3: not YAML: is indented less or more than its neighbours",
		"a: 1\na: 2":       "duplicate key",
		"a:\tb":            `"\tb" in a line`,
		"just text":        "where a key is due",
		"a:\n  - 1\n b: 2": "x.yaml:3:2: not YAML: is indented",
		"a: [1,":           "ends where a value is due",
		"a:\nb: 1":         "has no value",
	} {
		_, err := plain.Parse("x.yaml", []byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("a: 1 # one\nb:\n- x\n- [p, {q: r s, t: \"u\"}]\n")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := plain.Parse("x", []byte(text))
		if err != nil {
			return
		}
		b, err := configs.ParseValue("x", []byte(text))
		if err == nil {
			require.Equal(t, b.Any(), a.Any())
		}
	})
}
