package catalogue_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/catalogue"
	"github.com/causeway-sim/causeway/components/experiment/sweep"
	_ "github.com/causeway-sim/causeway/components/std"
	"github.com/causeway-sim/causeway/configs"
)

// compile makes a schema ready.
func compile(t *testing.T, text []byte, err error) *jsonschema.Schema {
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("doc", doc))
	s, err := c.Compile("doc")
	require.NoError(t, err)
	return s
}

// Every sweep of examples, studies and starters is one by its schema, and errors of a sweep are found.
func TestEverySweepIsValidBySchema(t *testing.T) {
	text, err := sweep.Schema()
	one := compile(t, text, err)
	var files []string
	for _, at := range []string{"configs/examples/*.yaml", "configs/examples/*/*.yaml", "configs/studies/*/*.yaml", "cmd/causeway/*/*.yaml"} {
		found, err := filepath.Glob(filepath.Join("../../..", at))
		require.NoError(t, err)
		files = append(files, found...)
	}
	sweeps := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		v, err := configs.ParseValue(file, src)
		require.NoError(t, err)
		if !v.Get("base").Exists() {
			continue
		}
		sweeps++
		if err := one.Validate(v.Any()); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	require.Greater(t, sweeps, 10)
	for text, ok := range map[string]bool{
		"{base: a.yaml, sweep: {Core.rows: [8]}}":                                                                 true,
		"{base: a.yaml, sweep: {Core.rows: {from: 8, to: 64, times: 2}}, method: {name: lhs, points: 9}}":         true,
		"{base: a.yaml, sweep: {A: [1]}, objectives: {energy: min}, constraints: total_time <= 5, seeds: [1, 2]}": true,
		"{sweep: {Core.rows: [8]}}":                                      false,
		"{base: a.yaml, sweeps: {Core.rows: [8]}}":                       false,
		"{base: a.yaml, sweep: {Core.rows: 8}}":                          false,
		"{base: a.yaml, sweep: {Core.rows: {from: 8, to: 64}}}":          false,
		"{base: a.yaml, sweep: {A: [1]}, method: {name: simplex}}":       false,
		"{base: a.yaml, sweep: {A: [1]}, method: {name: lhs, pints: 9}}": false,
		"{base: a.yaml, sweep: {A: [1]}, objectives: {energy: low}}":     false,
		"{base: a.yaml, sweep: {A: [1]}, illegal: ignore}":               false,
	} {
		v, err := configs.ParseValue("x", []byte(text))
		require.NoError(t, err)
		require.Equal(t, ok, one.Validate(v.Any()) == nil, "%s: %v", text, one.Validate(v.Any()))
	}
}

// Every example and every configuration of a study is one by the schema that editors take.
func TestEveryExampleIsValidBySchema(t *testing.T) {
	text, err := catalogue.Schema()
	one := compile(t, text, err)
	var files []string
	for _, at := range []string{"examples/*.yaml", "examples/*/*.yaml", "studies/*/*.yaml"} {
		found, err := filepath.Glob(filepath.Join("../../../configs", at))
		require.NoError(t, err)
		files = append(files, found...)
	}
	configurations := 0
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		v, err := configs.ParseValue(file, src)
		require.NoError(t, err)
		if v.Get("schema").Text() != configs.Version {
			continue
		}
		configurations++
		if err := one.Validate(v.Any()); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	require.Greater(t, configurations, 100)
}
