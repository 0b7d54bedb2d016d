package units

import (
	"encoding"
	"math"
	"testing"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestParse(t *testing.T) {
	b, err := ParseBytes("64KiB")
	require.NoError(t, err)
	require.Equal(t, Bytes(65536), b)
	b, err = ParseBytes("1.5MB")
	require.NoError(t, err)
	require.Equal(t, Bytes(1500000), b)
	b, err = ParseBytes("64 KiB") // as people write it
	require.NoError(t, err)
	require.Equal(t, Bytes(65536), b)
	f, err := ParseFrequency("940MHz")
	require.NoError(t, err)
	require.Equal(t, clock.Hz(940e6), f.Clock)
	f, err = ParseFrequency("416ps")
	require.NoError(t, err)
	require.Equal(t, clock.Period(416, 1e12), f.Clock)
	w, err := ParseBandwidth("51.2GB/s")
	require.NoError(t, err)
	require.Equal(t, Bandwidth(409_600_000_000), w)
	l, err := ParseLatency("80ns")
	require.NoError(t, err)
	require.Equal(t, uint64(80), l.In(clock.GHz))
	require.Equal(t, uint64(76), l.In(clock.Hz(940e6))) // 75.2 rounded up
	l, err = ParseLatency("7cycle")
	require.NoError(t, err)
	require.Equal(t, uint64(7), l.In(clock.Hz(1)))
	c, err := ParseFLOPS("90TFLOP/s")
	require.NoError(t, err)
	require.Equal(t, FLOPS(9e13), c)
}

func TestParseRefuses(t *testing.T) {
	for s, want := range map[string]string{
		"64":          `"64" lacks a unit (units: TiB, GiB, MiB, KiB, TB, GB, MB, KB, B)`,
		"64\tKiB":     `"64\tKiB" has unknown unit "\tKiB" (units: TiB, GiB, MiB, KiB, TB, GB, MB, KB, B)`,
		"64 ":         `"64 " lacks a unit (units: TiB, GiB, MiB, KiB, TB, GB, MB, KB, B)`,
		"64kib":       `"64kib" has unknown unit "kib" (units: TiB, GiB, MiB, KiB, TB, GB, MB, KB, B; did you mean "KiB"?)`,
		"256kB":       `"256kB" has unknown unit "kB" (units: TiB, GiB, MiB, KiB, TB, GB, MB, KB, B; did you mean "KiB" or "KB"?)`,
		"256 k":       `"256 k" has unknown unit "k" (units: TiB, GiB, MiB, KiB, TB, GB, MB, KB, B; did you mean "KiB" or "KB"?)`,
		"KiB":         `"KiB" is not a number with a unit (units: TiB, GiB, MiB, KiB, TB, GB, MB, KB, B)`,
		"-1KiB":       `"-1KiB" is negative`,
		"0.5B":        `"0.5B" is no whole number of B`,
		"1.2.3KiB":    `"1.2.3KiB" is not a number with a unit`,
		"1.KiB":       `"1.KiB" is not a number with a unit`,
		"99999999TiB": `"99999999TiB" is too large`,
	} {
		_, err := ParseBytes(s)
		require.EqualError(t, err, want)
	}
	_, err := ParseFrequency("0GHz")
	require.EqualError(t, err, `"0GHz" is no clock (want 1Hz to 1000GHz)`)
	for _, s := range []string{"0.5Hz", "2s", "1001GHz", "0.999ps"} {
		_, err = ParseFrequency(s)
		require.EqualError(t, err, `"`+s+`" is no clock that can be simulated (want 1Hz to 1000GHz)`)
	}
	for _, s := range []string{"1Hz", "1s", "1000GHz", "1ps"} {
		_, err = ParseFrequency(s)
		require.NoError(t, err, s)
	}
	_, err = ParseBandwidth("25.6Gb/s")
	require.ErrorContains(t, err, `did you mean "GB/s" or "Gbit/s"?`)
	_, err = ParseBandwidth("2000000TB/s")
	require.EqualError(t, err, `"2000000TB/s" is too large (want at most 1000000TB/s)`)
	_, err = ParseLatency("1.5cycle")
	require.EqualError(t, err, `"1.5cycle" is no whole number of cycles`)
}

func TestPrintsCanonically(t *testing.T) {
	for in, want := range map[string]string{"1024B": "1KiB", "1000B": "1000B", "0B": "0B", "1.5KiB": "1536B", "2097152B": "2MiB", "1536KiB": "1536KiB"} {
		v, err := ParseBytes(in)
		require.NoError(t, err)
		require.Equal(t, want, v.String())
	}
	for in, want := range map[string]string{"1000MHz": "1GHz", "940MHz": "940MHz", "1.333GHz": "1.333GHz", "416ps": "416ps", "625ps": "1.6GHz", "2400MHz": "2.4GHz"} {
		v, err := ParseFrequency(in)
		require.NoError(t, err)
		require.Equal(t, want, v.String())
	}
	for in, want := range map[string]string{"51.2GB/s": "51.2GB/s", "0.5TB/s": "500GB/s", "100Gbit/s": "12.5GB/s", "3bit/s": "3bit/s"} {
		v, err := ParseBandwidth(in)
		require.NoError(t, err)
		require.Equal(t, want, v.String())
	}
	require.Equal(t, "2.5ns", (2500 * Picosecond).String())
	require.Equal(t, "90TFLOP/s", FLOPS(9e13).String())
	require.Equal(t, "200fJ", Energy(0.2e-12).String())
	require.Equal(t, "0W", Power(0).String())
}

// Whatever String prints parses back to the same value.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		same(t, Bytes(rapid.Uint64().Draw(t, "B")), new(Bytes))
		same(t, Time(rapid.Uint64().Draw(t, "fs")), new(Time))
		same(t, Bandwidth(rapid.Uint64Range(0, maxBandwidth).Draw(t, "bit/s")), new(Bandwidth))
		same(t, InCycles(rapid.Uint64Range(0, maxCycles).Draw(t, "cycle")), new(Latency))
		same(t, Frequency{clock.Hz(rapid.Uint64Range(1, 1e12).Draw(t, "Hz"))}, new(Frequency))
		same(t, Frequency{clock.Period(rapid.Uint64Range(1, 1e9).Draw(t, "ps"), 1e12)}, new(Frequency))
	})
}

func same[T encoding.TextMarshaler, P interface {
	*T
	encoding.TextUnmarshaler
}](t require.TestingT, v T, to P) {
	b, err := v.MarshalText()
	require.NoError(t, err)
	require.NoError(t, to.UnmarshalText(b))
	require.Equal(t, v, *to, string(b))
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"64KiB", "2GHz", "80ns", "51.2GB/s", "10cycle", "25.6 GB/s", "256kB", "90TFLOP/s", "0.2pJ", "..", "1e9B"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if v, err := ParseBytes(s); err == nil {
			same(t, v, new(Bytes))
		}
		if v, err := ParseTime(s); err == nil {
			same(t, v, new(Time))
		}
		if v, err := ParseLatency(s); err == nil {
			same(t, v, new(Latency))
		}
		if v, err := ParseBandwidth(s); err == nil {
			same(t, v, new(Bandwidth))
		}
		_, _ = ParseFrequency(s)
		_, _ = ParseFLOPS(s)
		_, _ = ParseEnergy(s)
		_, _ = ParsePower(s)
	})
}

func TestHertz(t *testing.T) {
	require.Equal(t, "1GHz", Hertz(1e9).String())
	require.Equal(t, Hertz(3), Hertz(2.6))
	for _, f := range []float64{0, 0.4, -1, 1e19, math.NaN(), math.Inf(1)} {
		require.Panics(t, func() { Hertz(f) }, f)
	}
}
