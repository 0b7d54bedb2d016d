package serving

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/units"
)

// answerAll answers requests that come one step after the other, with room for few of them.
func answerAll(t *rapid.T, requests []Request, blocks int) (e *Engine, sizes []int) {
	s := DefaultSpec()
	s.Block, s.Tokens, s.Blocks, s.Ahead = 4, 40, []int{blocks}, 0
	e, err := New(s, requests)
	require.NoError(t, err)
	for now, next := units.Time(0), 0; next < len(requests) || e.Open() > 0; now++ {
		if next < len(requests) {
			e.Arrive(next)
			next++
		}
		if step, ok := e.Schedule(now); ok {
			sizes = append(sizes, step.Tokens)
			e.Complete(now, step)
		}
		require.Less(t, now, units.Time(10000))
	}
	require.NoError(t, e.Check())
	return e, sizes
}

// Conversations with declared turns share the same blocks as with all their tokens listed: steps
// and hits are equal.
func TestTurnsAreTheirTokens(t *testing.T) {
	hits := 0
	rapid.Check(t, func(t *rapid.T) {
		word := int32(0)
		var listed, told []Request
		for i := range rapid.IntRange(1, 8).Draw(t, "requests") {
			r := Request{Prompt: rapid.IntRange(1, 60).Draw(t, "prompt"), Output: rapid.IntRange(1, 20).Draw(t, "output")}
			x := r
			if i > 0 && rapid.Bool().Draw(t, "turn") {
				b := rapid.IntRange(0, i-1).Draw(t, "of")
				r.Before, r.Shared = b+1, rapid.IntRange(1, min(r.Prompt, len(listed[b].Tokens))).Draw(t, "shared")
				x.Tokens = append(x.Tokens, listed[b].Tokens[:r.Shared]...)
			}
			for len(x.Tokens) < x.Prompt+x.Output {
				word++
				x.Tokens = append(x.Tokens, word)
			}
			listed, told = append(listed, x), append(told, r)
		}
		blocks := rapid.IntRange(20, 60).Draw(t, "blocks")
		one, a := answerAll(t, listed, blocks)
		two, b := answerAll(t, told, blocks)
		require.Equal(t, a, b)
		for i := range listed {
			require.Equal(t, one.Sequence(i).Hits, two.Sequence(i).Hits, "request %d", i)
			hits += two.Sequence(i).Hits
		}
	})
	require.Positive(t, hits)
}

func TestReadTurns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "turns.csv")
	read := func(text string, all bool) ([]Request, error) {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		requests := []Request{{Name: "a", Prompt: 10, Output: 5}, {Name: "b", Prompt: 40, Output: 5}, {Name: "c", Prompt: 40, Output: 1, Prefix: "p", Shared: 3}}
		return requests, readTurns(path, requests, all)
	}
	const head = "# a comment\nrequest,begins_as,tokens\n"
	r, err := read(head+"b,a,12\n", true)
	require.NoError(t, err)
	require.Equal(t, Request{Name: "b", Prompt: 40, Output: 5, Before: 1, Shared: 12}, r[1])
	for text, want := range map[string]string{
		"":                         ":1:1: holds no columns (want request, begins_as, tokens)",
		"request,as,tokens\n":      `:1:9: column "as" (want begins_as)`,
		head + "b,a\n":             ":3:1: wrong number of fields",
		head + "d,a,1\n":           `:3:1: there is no request "d"`,
		head + "b,d,1\n":           `:3:3: there is no request "d"`,
		head + "a,b,1\n":           ":3:3: b does not come before a",
		head + "b,b,1\n":           ":3:3: b does not come before b",
		head + "b,a,16\n":          `:3:5: "16" is no number of tokens that a and the prompt of b have (want 1 to 15)`,
		head + "b,a,0\n":           `:3:5: "0" is no number of tokens`,
		head + "b,a,1\nb,a,2\n":    `:4:1: request "b" has two rows`,
		head + "c,a,1\n":           `:3:1: what request "c" shares is in the file of requests`,
		"request,begins_as\nb,a\n": "wrong number of fields",
	} {
		_, err := read(text, true)
		require.ErrorContains(t, err, want, "%q", text)
		require.True(t, strings.HasPrefix(err.Error(), path), err)
	}
	r, err = read(head+"b,d,1\n", false)
	require.NoError(t, err, "a request of a file that does not run")
	require.Zero(t, r[1].Before)
	_, err = New(DefaultSpec(), []Request{{Prompt: 4, Output: 1, Before: 1, Shared: 2}})
	require.ErrorContains(t, err, "request 0 begins as request 0, which does not come before it")
}
