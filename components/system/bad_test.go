package system_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite testdata")

// testdata/bad.txt is a transcript: a configuration, a line of dashes, and all
// that is said about it.
func TestBadConfigs(t *testing.T) {
	const file = "testdata/bad.txt"
	src, err := os.ReadFile(file)
	require.NoError(t, err)
	var out strings.Builder
	for part := range strings.SplitSeq(string(src), "=== ") {
		if part == "" {
			continue
		}
		name, rest, _ := strings.Cut(part, "\n")
		config, want, ok := strings.Cut(rest, "---\n")
		require.True(t, ok, name)
		_, err := build(config)
		require.Error(t, err, name)
		got := err.Error() + "\n\n"
		out.WriteString("=== " + name + "\n" + config + "---\n" + got)
		if !*update {
			require.Equal(t, want, got, name)
		}
		for line := range strings.SplitSeq(strings.TrimSpace(got), "\n") {
			require.Regexp(t, `^t\.yaml:\d+:\d+: `, line, name)
		}
	}
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o644))
	}
}
