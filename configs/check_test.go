package configs

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs/schema"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

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
	c := compileJSON(t, schema.Of(spec{}))
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
func compileJSON(t require.TestingT, s schema.Schema) *jsonschema.Schema {
	text, err := json.Marshal(s)
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
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
	want := compileJSON(t, schema.Of(spec{}))
	r := schema.RuleFor(reflect.TypeFor[spec]())
	scalars := []string{"0", "1", "-2", "-3", "3", "3.0", "4", "1.5", "1.25", "1e3", "8", "16", "255", "256", "true", "null", "os", "a", "b", "'1'", "64KiB", "''", "[]", "{}",
		"[a]", "[a, b]", "[a, a]", "[a, b, a]", "[true, false]", "[true]", "[1, 2]", "{a: 1}", "{a: x}", "{a: 64KiB}", "{b: 1}", "{a: 1, b: 1}"}
	keys := append(r.Keys, "other")
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
		v.check(r, nil, func(e *Error) { errs = append(errs, e.Error()) })
		err = want.Validate(v.Any())
		require.Equal(t, err == nil, len(errs) == 0, "%s\nours: %v\ntheirs: %v", b.String(), errs, err)
	})
}
