package configs

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestSchemaOf(t *testing.T) {
	s := SchemaOf(defaultCore())
	require.Equal(t, false, s["additionalProperties"])
	p := s["properties"].(Schema)
	require.Equal(t, Schema{"type": "integer", "minimum": 1.0, "maximum": 65536.0, "default": 128, "description": "rows of processing elements"}, p["rows"])
	require.Equal(t, Schema{"type": "string", "enum": []any{"os", "ws", "is"}, "default": "ws"}, p["dataflow"])
	require.Equal(t, Schema{"type": "integer", "minimum": 0.0, "maximum": 65535.0}, p["lanes"])
	require.Equal(t, "1GHz", p["clock"].(Schema)["default"])
	require.Equal(t, "2MiB", p["sram"].(Schema)["properties"].(Schema)["ifmap"].(Schema)["default"])
	require.Equal(t, []any{"a", "b"}, p["tags"].(Schema)["default"])
	require.Equal(t, []any{"load", "latency"}, p["points"].(Schema)["items"].(Schema)["required"])
	require.Contains(t, p, "seed", "keys of an embedded struct")
	require.NotContains(t, p, "hidden")
	require.NotContains(t, p, "shared")
}

// The patterns of quantities accept what the parsers accept, so that an editor
// marks nothing that runs.
func TestQuantityPatterns(t *testing.T) {
	type spec struct {
		B units.Bytes     `yaml:"b"`
		T units.Time      `yaml:"t"`
		W units.Bandwidth `yaml:"w"`
		F units.Frequency `yaml:"f"`
		L units.Latency   `yaml:"l"`
		C units.FLOPS     `yaml:"c"`
		E units.Energy    `yaml:"e"`
		P units.Power     `yaml:"p"`
	}
	c := compileJSON(t, SchemaOf(spec{}))
	for key, list := range map[string]string{
		"b": "64KiB 1B 2MB 3GB 4TB 1KB 1MiB 1GiB 1TiB 1.5KiB !64 !64kib !1b !KiB",
		"t": "80ns 1ps 1us 1ms 1s 0s !80 !1m",
		"w": "51.2GB/s 1B/s 1TB/s 1KB/s 1MB/s 100Gbit/s 1bit/s 1Tbit/s 1Kbit/s 1Mbit/s !1GB",
		"f": "940MHz 1GHz 1KHz 1kHz 5Hz 416ps 1ns !1Mhz",
		"l": "10cycle 80ns !10cycles !10",
		"c": "90TFLOP/s 1PFLOP/s 1GFLOP/s 1MFLOP/s 1FLOP/s !1TFLOPS",
		"e": "0.2pJ 1fJ 1nJ 1uJ 1mJ 1J !1kJ",
		"p": "1.5W 1mW 1uW 1kW !1MW",
	} {
		for _, q := range strings.Fields(list) {
			bad := strings.HasPrefix(q, "!")
			v := parse(t, key+": "+strings.TrimPrefix(q, "!"))
			err := c.Validate(v.Any())
			var s spec
			require.Equal(t, bad, err != nil, "schema, %s: %s", key, q)
			require.Equal(t, bad, v.Decode(&s) != nil, "decoder, %s: %s", key, q)
		}
	}
}

// compileJSON makes a schema ready for a validator of others.
func compileJSON(t require.TestingT, s Schema) *jsonschema.Schema {
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(mustJSON(s))))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("spec", doc))
	out, err := c.Compile("spec")
	require.NoError(t, err)
	return out
}

// Our rules pass what a validator of JSON Schema passes, and nothing else.
func TestRulesAgreeWithAValidator(t *testing.T) {
	type spec struct {
		Whole  int                    `yaml:"whole" jsonschema:"minimum=-2,maximum=3"`
		Narrow uint8                  `yaml:"narrow"`
		Real   float64                `yaml:"real" jsonschema:"exclusiveMinimum=0,exclusiveMaximum=1.5"`
		Half   float64                `yaml:"half" jsonschema:"multipleOf=0.5"`
		Bits   int                    `yaml:"bits" jsonschema:"enum=8,enum=16"`
		Word   string                 `yaml:"word" jsonschema:"enum=os,enum=ws,minLength=1"`
		Words  []string               `yaml:"words" jsonschema:"minItems=1,maxItems=2,uniqueItems=true,enum=a,enum=b"`
		Pair   [2]bool                `yaml:"pair"`
		Size   units.Bytes            `yaml:"size" jsonschema:"required"`
		Sizes  map[string]units.Bytes `yaml:"sizes"`
		In     struct {
			A int `yaml:"a" jsonschema:"required"`
		} `yaml:"in"`
		Any any `yaml:"any"`
	}
	want := compileJSON(t, SchemaOf(spec{}))
	r := ruleFor(reflect.TypeFor[spec]())
	scalars := []string{"0", "1", "-2", "-3", "3", "3.0", "4", "1.5", "1.25", "1e3", "8", "16", "255", "256", "true", "null", "os", "a", "b", "'1'", "64KiB", "''", "[]", "{}",
		"[a]", "[a, b]", "[a, a]", "[a, b, a]", "[true, false]", "[true]", "[1, 2]", "{a: 1}", "{a: x}", "{a: 64KiB}", "{b: 1}", "{a: 1, b: 1}"}
	keys := append(r.keys, "other")
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for i, k := range rapid.SliceOfDistinct(rapid.SampledFrom(keys), rapid.ID).Draw(t, "keys") {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(k + ": " + rapid.SampledFrom(scalars).Draw(t, k))
		}
		v, err := ParseValue("t.yaml", []byte("{"+b.String()+"}"))
		require.NoError(t, err)
		var errs []string
		r.check(v, nil, func(e *Error) { errs = append(errs, e.Error()) })
		err = want.Validate(v.Any())
		require.Equal(t, err == nil, len(errs) == 0, "%s\nours: %v\ntheirs: %v", b.String(), errs, err)
	})
}

// A keyword that no rule knows is an error of the program, never ignored.
func TestUnknownKeywordsPanic(t *testing.T) {
	require.PanicsWithValue(t, `configs: schema keyword "dependentRequired" is not known`, func() { newRule(Schema{"dependentRequired": Schema{}}) })
	require.Panics(t, func() {
		SchemaOf(struct {
			A int `yaml:"a" jsonschema:"minimun=1"`
		}{})
	})
}

func TestKeys(t *testing.T) {
	keys := Keys(defaultCore())
	require.Equal(t, Key{Path: "rows", Type: "a whole number", Default: "128", Doc: "rows of processing elements", Range: "1 to 65536"}, keys[0])
	byPath := map[string]Key{}
	for _, k := range keys {
		byPath[k.Path] = k
	}
	require.Equal(t, []string{"os", "ws", "is"}, byPath["dataflow"].Values)
	require.Equal(t, Key{Path: "sram.ifmap", Type: "an amount of data", Default: "2MiB"}, byPath["sram.ifmap"])
	require.Equal(t, "a list: text", byPath["tags"].Type)
	require.Equal(t, "a mapping: an energy", byPath["energy"].Type)
	require.Equal(t, "0 to 1", byPath["load"].Range)
}

type memSpec struct {
	Latency units.Latency `yaml:"latency"`
}

func documentSchema(t *testing.T) (*jsonschema.Schema, []byte) {
	text, err := DocumentSchema([]KindSchema{
		{Kind: "core", Doc: "A core.", Spec: defaultCore()},
		{Kind: "memory", Fidelity: "ideal", Doc: "Fixed latency.", Spec: memSpec{}},
		{Kind: "memory", Fidelity: "bank", Default: true, Doc: "Banks.", Spec: struct {
			Channels int `yaml:"channels" jsonschema:"minimum=1"`
		}{8}},
	}, SectionSchema{Name: "simulation", Doc: "How long.", Spec: struct {
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
func TestDocumentSchema(t *testing.T) {
	s, text := documentSchema(t)
	require.True(t, json.Valid(text))
	_, again := documentSchema(t)
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
		err := s.Validate(parse(t, header+src).Any())
		require.Equal(t, ok, err == nil, "%s: %v", src, err)
	}
	_, err := DocumentSchema([]KindSchema{{Kind: "a", Spec: memSpec{}}, {Kind: "a", Spec: memSpec{}}})
	require.Error(t, err)
}

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

// within reads itself, and has the keys of a struct.
type within struct{}

func (*within) UnmarshalConfig(Value) error { return nil }

func (*within) ConfigKeys() any {
	return struct {
		Depth int `yaml:"depth" doc:"How deep"`
	}{3}
}

// The keys of a type that reads itself are listed with their defaults.
func TestKeysOfATypeThatReadsItself(t *testing.T) {
	keys := Keys(struct {
		In within `yaml:"in" doc:"A mapping"`
	}{})
	require.Len(t, keys, 2)
	require.Equal(t, "a mapping", keys[0].Type)
	require.Equal(t, Key{Path: "in.depth", Type: "a whole number", Default: "3", Doc: "How deep"}, keys[1])
}
