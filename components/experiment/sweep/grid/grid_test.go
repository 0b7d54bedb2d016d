package grid

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
)

func TestGridTurnsTheLastAxisFastest(t *testing.T) {
	square := Grid{
		{Paths: []string{"x"}, Values: [][]string{{"1"}, {"2"}, {"3"}, {"5"}}},
		{Paths: []string{"y"}, Values: [][]string{{"1"}, {"2"}, {"3"}, {"4"}}},
	}
	require.Equal(t, 16, square.Len())
	require.Equal(t, []string{"x=1", "y=1"}, square.Point(0).Set)
	require.Equal(t, []string{"x=1", "y=4"}, square.Point(3).Set)
	require.Equal(t, []string{"x=5", "y=2"}, square.Point(13).Set)
}

// Values of a rule can be read as any unit: no digits that only floats have.
func TestSpanGivesCleanNumbers(t *testing.T) {
	for rule, want := range map[string]string{
		"{from: 6.4, to: 12, times: 1.2, unit: GB/s}": "6.4GB/s 7.68GB/s 9.216GB/s 11.0592GB/s",
		"{from: 0.1, to: 0.5, step: 0.1}":             "0.1 0.2 0.3 0.4 0.5",
		"{from: 16, to: 130, times: 2}":               "16 32 64 128",
		"{from: 1048577, to: 4194308, times: 2}":      "1048577 2097154 4194308",
		"{from: 10, to: 100, times: 2.1544346900}":    "10 21.5443 46.4159 100",
	} {
		v, err := configs.ParseValue("sweep.yaml", []byte(rule))
		require.NoError(t, err)
		got, err := span(v)
		require.NoError(t, err)
		require.Equal(t, want, strings.Join(got, " "), rule)
	}
	v, err := configs.ParseValue("sweep.yaml", []byte("{from: 6.4, to: 819.2, times: 1.07, unit: GB/s}"))
	require.NoError(t, err)
	values, err := span(v)
	require.NoError(t, err)
	require.Len(t, values, 72)
	for _, s := range values {
		var b units.Bandwidth
		require.NoError(t, b.UnmarshalText([]byte(s)))
	}
}

// --axis replaces an axis, adds one, and is refused where it would split one.
func TestAxisFlag(t *testing.T) {
	g := Grid{{Paths: []string{"a"}, Values: [][]string{{"1"}}}, {Paths: []string{"b", "c"}, Values: [][]string{{"1", "2"}}}}
	require.NoError(t, g.Extend([]string{"a=3,4", "d={from: 1, to: 4, times: 2, unit: KiB}", "b, c=[[1, 2], 5]", `e="x, y",z`}))
	require.Equal(t, [][]string{{"3"}, {"4"}}, g[0].Values)
	require.Equal(t, [][]string{{"1", "2"}, {"5", "5"}}, g[1].Values)
	require.Equal(t, [][]string{{"1KiB"}, {"2KiB"}, {"4KiB"}}, g[2].Values)
	require.Equal(t, [][]string{{"x, y"}, {"z"}}, g[3].Values)
	for text, want := range map[string]string{
		"a": `"a" is not of the form PATH=VALUE,VALUE`, "=3": "not of the form", "a=": "not of the form",
		"b=1,2": `b stands on the axis "b, c": name all its paths to replace it`, "a={from: 1}": "a rule needs either step > 0 or times > 1",
		"a, b, c=1": "name all its paths", "a=[": "--axis",
	} {
		require.ErrorContains(t, g.Extend([]string{text}), want)
	}
}

// Where a key takes a rate of 0, it stands for something else and is no number to draw.
func TestNoRateIsZero(t *testing.T) {
	columns := Grid{{Paths: []string{"Mem.bandwidth"}, Values: [][]string{{"12.8GB/s"}, {"0GB/s"}}}}.SettingColumns()
	require.Len(t, columns, 2)
	require.Equal(t, 12.8e9, columns[1].Cell([]string{"Mem.bandwidth=12.8GB/s"}))
	require.Nil(t, columns[1].Cell([]string{"Mem.bandwidth=0GB/s"}))
	require.Equal(t, "0GB/s", columns[0].Cell([]string{"Mem.bandwidth=0GB/s"}))
	latency := Grid{{Paths: []string{"Mem.latency"}, Values: [][]string{{"10ns"}, {"0ns"}}}}.SettingColumns()
	require.Equal(t, 0., latency[1].Cell([]string{"Mem.latency=0ns"}))
}
