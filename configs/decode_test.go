package configs

import (
	"testing"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/stretchr/testify/require"
)

func TestDecodeEverything(t *testing.T) {
	s := defaultCore()
	v := parse(t, `
rows: 8
cols: 1e2
dataflow: is
timing: scalesim
clock: 416ps
sram: {ifmap: 64KiB}
lanes: 65535
load: 1
exact: true
tags: [x]
energy: {add: 1pJ}
points: [{load: 0.1, latency: 1ns}, {load: 0.2, latency: 2ns}]
fixed: [3, 4]
far: {filter: 1B}
span: a..b
raw: {any: [1]}
free: {a: [1, x, 0.5]}
seed: -7
latency: 9cycle
`)
	require.NoError(t, v.Decode(&s))
	require.Equal(t, 8, s.Rows)
	require.Equal(t, 100, s.Cols)
	require.Equal(t, flow("is"), s.Dataflow)
	require.Equal(t, "416ps", s.Clock.String())
	require.Equal(t, sramSpec{64 << 10, 2 << 20}, s.SRAM, "what is not said keeps its default")
	require.Equal(t, uint16(65535), s.Lanes)
	require.Equal(t, 1.0, s.Load)
	require.True(t, s.Exact)
	require.Equal(t, []string{"x"}, s.Tags, "a list replaces the default")
	require.Equal(t, map[string]units.Energy{"mac": 0.2e-12, "add": 1e-12}, s.Energy, "a mapping is merged into the default")
	require.Equal(t, []pointSpec{{0.1, units.Nanosecond}, {0.2, 2 * units.Nanosecond}}, s.Points)
	require.Equal(t, [2]int{3, 4}, s.Fixed)
	require.Equal(t, &sramSpec{Filter: 1}, s.Far)
	require.Equal(t, between{"a", "b"}, s.Span)
	require.Equal(t, "raw.any[0]", s.Raw.Get("any").Items()[0].Path())
	require.Equal(t, map[string]any{"a": []any{int64(1), "x", 0.5}}, s.Free)
	require.Equal(t, int64(-7), s.Seed)
	require.Equal(t, units.InCycles(9), s.Latency)
}

// Decoding into a copy of the defaults leaves the defaults alone.
func TestDecodeLeavesDefaultsAlone(t *testing.T) {
	def := defaultCore()
	def.Far = &sramSpec{Ifmap: 1}
	s := def
	require.NoError(t, parse(t, "tags: [z]\nenergy: {mac: 1J}\nfar: {ifmap: 9B}\npoints: [{load: 1, latency: 1s}]").Decode(&s))
	require.Equal(t, []string{"a", "b"}, def.Tags)
	require.Equal(t, units.Energy(0.2e-12), def.Energy["mac"])
	require.Equal(t, units.Bytes(1), def.Far.Ifmap)
	require.Equal(t, 0.5, def.Points[0].Load)
	require.Equal(t, []string{"z"}, s.Tags)
	require.Equal(t, units.Bytes(9), s.Far.Ifmap)
}

func TestDecodeAbsentAndBeside(t *testing.T) {
	s := defaultCore()
	require.NoError(t, Value{}.Get("x").Decode(&s))
	require.Equal(t, 128, s.Rows)
	v := parse(t, "name: X\nrows: 3\n")
	require.EqualError(t, v.Decode(&struct {
		Rows int `yaml:"rows"`
	}{}, Beside("kind")), "a.yaml:1:1: name: unknown key (want one of: rows, kind)")
	require.NoError(t, v.Decode(&s, Beside("name")))
	require.Equal(t, 3, s.Rows)

	var n uint8
	require.NoError(t, parse(t, "a: 255").Get("a").Decode(&n))
	require.Equal(t, uint8(255), n)
	require.EqualError(t, parse(t, "a: 256").Get("a").Decode(&n), "a.yaml:1:4: a: 256 is out of range (want 0 to 255)")
	var list []units.Bytes
	require.EqualError(t, parse(t, "a: [1B, 2]").Get("a").Decode(&list), `a.yaml:1:9: a[1]: "2" lacks a unit (units: TiB, GiB, MiB, KiB, TB, GB, MB, KB, B)`)
}

// A mapping without keys changes nothing where it stands, unless the key alone says something.
func TestEmptyMappings(t *testing.T) {
	type part struct {
		X int `yaml:"x"`
		Y int `yaml:"y"`
	}
	var s struct {
		Part part           `yaml:"part"`
		Map  map[string]int `yaml:"map"`
		On   *part          `yaml:"on"`
		Any  Value          `yaml:"any"`
		List []part         `yaml:"list"`
	}
	require.EqualError(t, parse(t, "part: {}\nmap: {}\non: {}\nany: {}\nlist: [{}]").Decode(&s),
		"a.yaml:1:7: part: is an empty mapping, which says nothing (want one of: x, y)\na.yaml:2:6: map: is an empty mapping, which says nothing")
	require.NotNil(t, s.On)
	require.Len(t, s.List, 1)
}

func TestRequired(t *testing.T) {
	var p pointSpec
	require.EqualError(t, parse(t, "x: {}").Get("x").Decode(&p), "a.yaml:1:4: x.latency: is missing\na.yaml:1:4: x.load: is missing")
}

// Wide integers neither wrap around nor lose digits.
func TestIntegerEdges(t *testing.T) {
	type ints struct {
		I8  int8   `yaml:"i8"`
		I64 int64  `yaml:"i64" jsonschema:"maximum=9223372036854775807"`
		U64 uint64 `yaml:"u64" jsonschema:"maximum=18446744073709551615"`
	}
	var s ints
	require.NoError(t, parse(t, "i8: -128\ni64: -9223372036854775808\nu64: 18446744073709551615").Decode(&s))
	require.Equal(t, ints{-128, -1 << 63, 1<<64 - 1}, s)
	require.NoError(t, parse(t, "i64: 9007199254740993").Decode(&s))
	require.Equal(t, int64(9007199254740993), s.I64)
	for _, bad := range []string{"i8: 128", "i8: -129", "i64: 9223372036854775808", "u64: 18446744073709551616", "u64: -1", "u64: 1e19", "i64: 1e300", "i64: 9007199254740993.0"} {
		require.Error(t, parse(t, bad).Decode(&s), bad)
	}
}

// The target is a pointer; anything else is a mistake of the program.
func TestDecodeIntoNoPointerPanics(t *testing.T) {
	require.Panics(t, func() { _ = parse(t, "{}").Decode(defaultCore()) })
}

// Numbers that nothing has, a key without a bound of its own refuses too; seeds take
// any bits.
func TestAbsurdNumbers(t *testing.T) {
	var s struct {
		N    uint64         `yaml:"n"`
		X    float64        `yaml:"x"`
		Seed uint64         `yaml:"seed"`
		List []int          `yaml:"list"`
		Map  map[string]int `yaml:"map"`
	}
	require.NoError(t, parse(t, "n: 281474976710656\nx: 1e15\nseed: 18446744073709551615\nlist: [3]\nmap: {a: 3}").Decode(&s))
	for bad, at := range map[string]string{"n: 281474976710657": "n", "x: 1e300": "x", "list: [1, 4611686018427387904]": "list[1]", "map: {a: 4611686018427387904}": "map.a"} {
		require.ErrorContains(t, parse(t, bad).Decode(&s), at+": ")
		require.ErrorContains(t, parse(t, bad).Decode(&s), "is too large (want at most ")
	}
}
