package scenario

import (
	"testing"

	"github.com/stretchr/testify/require"
)

const text = `# Why.

system x
  a b

play
  0 c

log
  one
    two
`

func TestParse(t *testing.T) {
	s, err := Parse("f.txt", text)
	require.NoError(t, err)
	require.Equal(t, "Why.\n", s.Why)
	require.Equal(t, "x", s.Player)
	require.Equal(t, []Line{{"f.txt", 4, "  a b"}}, s.System)
	require.Equal(t, []string{"0", "c"}, s.Play[0].Words())
	require.Equal(t, "one\n  two\n", s.Log)
	require.Equal(t, text, rewritten(text, s.Log))
	require.NotEqual(t, text, rewritten(text, "one\n"))
	require.Contains(t, difference("a\nb\nc", "a\nx\nc"), "line 2 of the log\n  want\n    b")
}

func TestBadFiles(t *testing.T) {
	for text, want := range map[string]string{
		"# a\nplay\n":                          "f:2: section play (want: system, then play, then log)",
		"# a\nsystem\n":                        `f:2: want "system PLAYER"`,
		"# a\nsystem x y\n":                    `f:2: want "system PLAYER"`,
		"# a\nsystem x\nplay y\n":              `f:3: want "play"`,
		"# a\n  b\n":                           "f:2: a line before the first section",
		"# a\nsystem x\nplay\n":                "f: section log is missing",
		"system x\nplay\nlog\n":                "f: no comment says why the case exists",
		"# a\nsystem x\nplay\nlog\nsystem x\n": "f:5: section system",
	} {
		_, err := Parse("f", text)
		require.ErrorContains(t, err, want, text)
	}
	_, err := Line{"f", 3, ""}.Number("x")
	require.ErrorContains(t, err, `f:3: "x" is no number`)
}
