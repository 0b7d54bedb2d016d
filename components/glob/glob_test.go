package glob

import (
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The dumb twin of Match is path.Match, which stops at slashes.
func TestMatchIsThatOfPaths(t *testing.T) {
	require.True(t, Match("*/w", "a/b/w"))
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.StringMatching(`[ab*?]{0,8}`).Draw(t, "pattern")
		s := rapid.StringMatching(`[ab]{0,10}`).Draw(t, "text")
		want, err := path.Match(p, s)
		require.NoError(t, err)
		require.Equal(t, want, Match(p, s), "%q %q", p, s)
	})
	long := strings.Repeat("a", 2000)
	require.False(t, Match(strings.Repeat("a*", 200)+"b", long))
}

func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		p, s string
		want bool
	}{{"conv*", "conv1", true}, {"conv*", "xconv1", false}, {"*", "", true}, {"a?c", "abc", true}, {"a?c", "ac", false},
		{"*.q", "L0.q", true}, {"*.q", "L0.qk", false}, {"L*q*p", "L10.q.pp", true}, {"", "a", false}, {"a*b*c", "aXbYbZc", true}} {
		require.Equal(t, c.want, Match(c.p, c.s), "%s %s", c.p, c.s)
	}
}
