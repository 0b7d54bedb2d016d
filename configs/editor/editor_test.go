package editor

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/schema"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

type coreSpec struct {
	Rows     int    `yaml:"rows" jsonschema:"minimum=1"`
	Dataflow string `yaml:"dataflow" jsonschema:"enum=os,enum=ws,enum=is"`
	Points   []struct {
		Load    float64    `yaml:"load" jsonschema:"required"`
		Latency units.Time `yaml:"latency" jsonschema:"required"`
	} `yaml:"points" jsonschema:"minItems=1"`
}

type memSpec struct {
	Latency units.Latency `yaml:"latency"`
}

func compiled(t *testing.T) (*jsonschema.Schema, []byte) {
	text, err := Schema([]schema.Kind{
		{Kind: "core", Doc: "A core.", Spec: coreSpec{Rows: 128, Dataflow: "ws"}},
		{Kind: "memory", Fidelity: "ideal", Doc: "Fixed latency.", Spec: memSpec{}},
		{Kind: "memory", Fidelity: "bank", Default: true, Doc: "Banks.", Spec: struct {
			Channels int `yaml:"channels" jsonschema:"minimum=1"`
		}{8}},
	}, schema.Section{Name: "simulation", Doc: "How long.", Spec: struct {
		Seed uint64 `yaml:"seed"`
	}{}})
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("doc", doc))
	s, err := c.Compile("doc")
	require.NoError(t, err)
	return s, text
}

// What an editor marks, and what it lets pass.
func TestSchema(t *testing.T) {
	s, text := compiled(t)
	require.True(t, json.Valid(text))
	_, again := compiled(t)
	require.Equal(t, string(text), string(again))
	for src, ok := range map[string]bool{
		"nodes: [{name: A, kind: core, rows: 8}]":                                   true,
		"nodes: [{name: A, kind: core, rows: $rows, dataflow: $flow}]":              true,
		"nodes: [{name: A, kind: core, count: $n, preset: tpu_v4_core}]":            true,
		"nodes: [{name: A, group: Die, params: {n: 3}}]":                            true,
		"nodes: [{name: A, preset: tpu_v4_core}]":                                   true,
		"nodes: [{name: A, kind: memory, channels: 3}]":                             true,
		"nodes: [{name: A, kind: memory, fidelity: ideal, latency: 3ns}]":           true,
		"nodes: [{name: A, kind: core, points: [{load: 0.5}]}]":                     true, // extends may add the rest
		"links: [A -> B, {link: A -> B, latency: 3ns}]":                             true,
		"simulation: {seed: 3}":                                                     true,
		"extends: [a.yaml]\nparams: {a: 1}\nworkload: {model: x}":                   true,
		"groups: {Die: {params: {n: 1}, nodes: [{name: A, kind: core, rows: $n}]}}": true,
		"nodes: [{name: A, kind: core, rows: x}]":                                   false,
		"nodes: [{name: A, kind: core, rosw: 8}]":                                   false,
		"nodes: [{name: A, kind: core, dataflow: sw}]":                              false,
		"nodes: [{name: A, kind: cor}]":                                             false,
		"nodes: [{name: a, kind: core}]":                                            false,
		"nodes: [{kind: core}]":                                                     false,
		"nodes: [{name: A, kind: memory, latency: 3ns}]":                            false, // of the other level
		"nodes: [{name: A, kind: memory, fidelity: ideal, channels: 3}]":            false,
		"nodes: [{name: A, kind: memory, fidelity: curve}]":                         false,
		"links: [{latency: 3ns}]":                                                   false,
		"links: [{link: A -> B, latency: 3}]":                                       false,
		"simulation: {sed: 3}":                                                      false,
		"groups: {Die: {nodes: [{name: A, kind: core, rows: x}]}}":                  false,
		"nodse: []": false,
	} {
		v, err := configs.ParseValue("t.yaml", []byte("schema: causeway/1\n"+src))
		require.NoError(t, err)
		err = s.Validate(v.Any())
		require.Equal(t, ok, err == nil, "%s: %v", src, err)
	}
	_, err := Schema([]schema.Kind{{Kind: "a", Spec: memSpec{}}, {Kind: "a", Spec: memSpec{}}})
	require.Error(t, err)
}
