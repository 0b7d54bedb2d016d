package system

import (
	"testing"

	"github.com/stretchr/testify/require"
)

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
