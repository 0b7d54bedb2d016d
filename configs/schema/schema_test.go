package schema

import (
	"testing"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/stretchr/testify/require"
)

// coreSpec is a Spec as a node has it.
type coreSpec struct {
	Rows     int             `yaml:"rows" jsonschema:"minimum=1,maximum=65536" doc:"rows of processing elements"`
	Dataflow flow            `yaml:"dataflow"`
	Clock    units.Frequency `yaml:"clock"`
	SRAM     struct {
		Ifmap units.Bytes `yaml:"ifmap"`
	} `yaml:"sram"`
	Lanes  uint16                  `yaml:"lanes"`
	Load   float64                 `yaml:"load" jsonschema:"minimum=0,maximum=1"`
	Tags   []string                `yaml:"tags" jsonschema:"maxItems=3,uniqueItems=true"`
	Energy map[string]units.Energy `yaml:"energy"`
	Points []struct {
		Load    float64    `yaml:"load" jsonschema:"required"`
		Latency units.Time `yaml:"latency" jsonschema:"required"`
	} `yaml:"points" jsonschema:"minItems=1"`
	shared `yaml:",inline"`
	hidden int //lint:ignore U1000 a field without a tag is no key
}

// shared is embedded: its keys are keys of the node.
type shared struct {
	Seed int64 `yaml:"seed"`
}

// flow reads itself from text and says which words it takes.
type flow string

func (f *flow) UnmarshalText(b []byte) error { *f = flow(b); return nil }
func (flow) ConfigValues() []string          { return []string{"os", "ws", "is"} }

func defaultCore() coreSpec {
	c := coreSpec{Rows: 128, Dataflow: "ws", Clock: units.Frequency{Clock: clock.GHz}, Tags: []string{"a", "b"}}
	c.SRAM.Ifmap = 2 << 20
	return c
}

func TestOf(t *testing.T) {
	s := Of(defaultCore())
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

// A keyword that no rule knows is an error of the program, never ignored.
func TestUnknownKeywordsPanic(t *testing.T) {
	require.PanicsWithValue(t, `schema: keyword "dependentRequired" is not known`, func() { newRule(Schema{"dependentRequired": Schema{}}) })
	require.Panics(t, func() {
		Of(struct {
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

// within reads itself, and has the keys of a struct.
type within struct{}

type decoder interface{ decode() }

func (*within) decode() {}

func (*within) ConfigKeys() any {
	return struct {
		Depth int `yaml:"depth" doc:"How deep"`
	}{3}
}

// The keys of a type that reads itself are listed with their defaults.
func TestKeysOfATypeThatReadsItself(t *testing.T) {
	SelfDecoding[decoder]()
	defer func() { selfDecoding = nil }()
	keys := Keys(struct {
		In within `yaml:"in" doc:"A mapping"`
	}{})
	require.Len(t, keys, 2)
	require.Equal(t, "a mapping", keys[0].Type)
	require.Equal(t, Key{Path: "in.depth", Type: "a whole number", Default: "3", Doc: "How deep"}, keys[1])
}

// A Spec that no file can fill is a mistake of the program.
func TestBadSpecsPanic(t *testing.T) {
	type self struct {
		Next *self `yaml:"next"`
	}
	for name, spec := range map[string]any{
		"no tag": struct{ A int }{},
		"a channel": struct {
			A chan int `yaml:"a"`
		}{},
		"itself": self{},
		"map of ints": struct {
			A map[int]int `yaml:"a"`
		}{},
	} {
		require.Panics(t, func() { Of(spec) }, name)
	}
}
