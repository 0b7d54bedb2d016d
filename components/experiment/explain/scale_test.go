package explain

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/units"
)

func TestScaled(t *testing.T) {
	type buffers struct {
		In  units.Bytes `yaml:"in"`
		Out units.Bytes `yaml:"out"`
	}
	none := (*units.Latency)(nil)
	for _, c := range []struct {
		from         any
		double, half string // "": nothing is given there; "!": refused
	}{
		{128, "256", "64"},
		{7, "14", "!"},
		{0, "", ""},
		{0.25, "0.5", "0.125"},
		{units.Bytes(24 << 20), "48MiB", "12MiB"},
		{units.Bytes(1), "2B", "!"}, // no half of a byte
		{units.Bandwidth(8 * 409.6e9), "819.2GB/s", "204.8GB/s"},
		{units.InTime(30 * units.Nanosecond), "60ns", "15ns"},
		{units.InCycles(3), "6cycle", "!"},
		{units.Frequency{Clock: clock.Hz(940e6)}, "1880MHz", "470MHz"},
		{units.Frequency{Clock: clock.Period(3, 8e9)}, "187.5ps", "750ps"}, // prints as a period: 375ps
		{none, "", ""},
		{map[string]float64{"int8": 4096, "bf16": 2048}, "{bf16: 4096, int8: 8192}", "{bf16: 1024, int8: 2048}"},
		{buffers{64 << 10, 0}, "{in: 128KiB}", "{in: 32KiB}"},
		{buffers{}, "", ""},
		{"auto", "!", "!"},
	} {
		for half, want := range map[bool]string{false: c.double, true: c.half} {
			got, err := scaled(reflect.ValueOf(c.from), half)
			switch want {
			case "":
				require.ErrorIs(t, err, errNothing, "%v", c.from)
			case "!":
				require.Error(t, err, "%v: %s", c.from, got)
				require.NotErrorIs(t, err, errNothing)
			default:
				require.NoError(t, err, "%v", c.from)
				require.Equal(t, want, got)
			}
		}
	}
}

func TestFind(t *testing.T) {
	type item struct {
		Name string      `yaml:"name"`
		Size units.Bytes `yaml:"size"`
	}
	type Inner struct {
		Lanes int `yaml:"lanes"`
	}
	s := struct {
		Inner
		Link   Inner          `yaml:"link"`
		Levels []item         `yaml:"levels"`
		Rates  map[string]int `yaml:"rates"`
	}{Inner{1}, Inner{2}, []item{{"A", 3}, {"B", 4}}, map[string]int{"x": 5}}
	for path, want := range map[string]any{"lanes": 1, "link.lanes": 2, "levels.B.size": units.Bytes(4), "rates.x": 5} {
		v, ok := find(reflect.ValueOf(s), path)
		require.True(t, ok, path)
		require.Equal(t, want, v.Interface())
	}
	for _, path := range []string{"lane", "link.width", "levels.C.size", "rates.y", "lanes.x"} {
		_, ok := find(reflect.ValueOf(s), path)
		require.False(t, ok, path)
	}
}
