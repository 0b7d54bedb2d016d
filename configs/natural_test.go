package configs

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
	slices.SortFunc(got, CompareNames)
	require.Equal(t, want, got)
}

// It is a total order: equal only to itself, and sorting gives one result.
func TestNaturalOrderIsTotal(t *testing.T) {
	word := rapid.StringMatching(`[AB]?[0-2]{0,3}[.\[]?[0-2]{0,2}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := word.Draw(t, "a"), word.Draw(t, "b"), word.Draw(t, "c")
		require.Equal(t, a == b, CompareNames(a, b) == 0)
		require.Equal(t, -CompareNames(a, b), CompareNames(b, a))
		if CompareNames(a, b) < 0 && CompareNames(b, c) < 0 {
			require.Negative(t, CompareNames(a, c), "%q %q %q", a, b, c)
		}
	})
}
