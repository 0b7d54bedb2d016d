package system

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestNaturalOrder(t *testing.T) {
	want := []string{"Core", "Core[1]", "Core[02]", "Core[2]", "Core[10]", "Core[10].Mem", "Core[99999999999999999999999]", "LLC", "Mem2", "Mem10"}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, compareNatural)
	require.Equal(t, want, got)
}

// It is a total order: equal only to itself, and sorting gives one result.
func TestNaturalOrderIsTotal(t *testing.T) {
	word := rapid.StringMatching(`[AB]?[0-2]{0,3}[.\[]?[0-2]{0,2}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		require.Equal(t, a == b, compareNatural(a, b) == 0)
		require.Equal(t, -compareNatural(a, b), compareNatural(b, a))
		if compareNatural(a, b) < 0 && compareNatural(b, c) < 0 {
			require.Negative(t, compareNatural(a, c), "%q %q %q", a, b, c)
		}
	})
}

func TestParseRef(t *testing.T) {
	for in, want := range map[string]string{
		"Core":                        "Core",
		" Net.terminal[0..71] ":       "Net.terminal[0..71]",
		"Core[0, 2].mem":              "Core[0, 2].mem",
		"Tile[0].Core[1..3:2].mem[4]": "Tile[0].Core[1..3:2].mem[4]",
	} {
		r, err := parseRef(in)
		require.NoError(t, err)
		require.Equal(t, want, r.String())
	}
	for _, in := range []string{"", ".", "Core.", "Core..mem", "Core[", "Core]", "Core[0", "Core[0][1]", "mem", "Core.mem.Top", "Core.mem.top", "Core mem", "3", "Core.3", "[0]", "Core[[0]]", "_a"} {
		_, err := parseRef(in)
		require.Error(t, err, in)
	}
}
