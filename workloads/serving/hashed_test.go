package serving

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
)

// Four prompts of Mooncake's form. Of the second two blocks of 512 are those of the first, of the third
// one, which is all that is there of it (1,000 tokens are one block and a part), and the fourth is new.
const hashedTrace = `{"timestamp": 0, "input_length": 1536, "output_length": 4, "hash_ids": [0, 1, 2]}
{"timestamp": 1000, "input_length": 2000, "output_length": 4, "hash_ids": [0, 1, 3, 4]}
{"timestamp": 2000, "input_length": 1000, "output_length": 1, "hash_ids": [0, 5]}
{"timestamp": 3000, "input_length": 1536, "output_length": 4, "hash_ids": [0, 1, 2]}
{"timestamp": 4000, "input_length": 600, "output_length": 4, "hash_ids": [7, 8]}
`

// hits serves requests one after the other with room for all, and returns the tokens of each that were found.
func hits(t *testing.T, block int, requests []Request) (out []int, e *Engine) {
	s := DefaultSpec()
	s.Block, s.Tokens, s.Ahead = block, 1<<20, 0
	e, err := New(s, requests)
	require.NoError(t, err)
	for i := range requests {
		e.Arrive(i)
		for now := units.Time(0); e.Sequence(i).State != Done; now++ {
			step, ok := e.Schedule(now)
			require.True(t, ok)
			e.Complete(now, step)
		}
		out = append(out, e.Sequence(i).Hits)
	}
	return out, e
}

// By hand: whole blocks of the cache that are in named blocks found before, but for the last token.
func TestPrefixesByHashes(t *testing.T) {
	got, err := Read("trace.jsonl", []byte(hashedTrace))
	require.NoError(t, err)
	require.Equal(t, []int64{0, 1, 3, 4}, got[1].Hashes)
	require.Equal(t, units.Second, got[1].Arrival)
	for block, want := range map[int][]int{
		16:   {0, 1024, 512, 1520, 0}, // the last block of the fourth has the token that is computed
		512:  {0, 1024, 512, 1024, 0},
		1024: {0, 1024, 0, 1024, 0}, // a block of two names
	} {
		found, e := hits(t, block, got)
		require.Equal(t, want, found, block)
		require.NoError(t, e.Check())
		sum := 0
		for _, n := range want {
			sum += n
		}
		require.EqualValues(t, sum, e.Hits)
		require.EqualValues(t, 1536+2000+1000+1536+600, e.Asked)
	}
	for text, want := range map[string]string{
		`{"timestamp": 0, "input_length": 513, "output_length": 1, "hash_ids": [0]}`:                        "f:1:1: 1 hash_ids of a prompt of 513 tokens (want one for each 512)",
		`{"timestamp": 0, "input_length": 2, "output_length": 1, "hash_ids": [0], "input_tok_ids": [1, 2]}`: "something else says too what it shares",
		`{"timestamp": 0, "input_length": 2, "output_length": 1, "hash_ids": ["a"]}`:                        "f:1:57: hash_ids: json:",
		`{"timestamp": 0, "input_length": 2, "output_length": 1, "hash_ids": [0], "cached_length": 1}`:      "says hash_ids, and how many tokens are there already",
		`{"timestamp": -1, "input_length": 2, "output_length": 1}`:                                          `"-1" is no time of 0 or more`,
	} {
		_, err := Read("f", []byte(text))
		require.ErrorContains(t, err, want, text)
	}
	_, err = Read("f", []byte("timestamp,input_length,output_length,hash_ids\n"))
	require.ErrorContains(t, err, `column "hash_ids" has no place here`)
}

// Reference: Mooncake's conversation trace. The engine finds the tokens that a count of its IDs gives.
func TestMooncakeIsCounted(t *testing.T) {
	path := filepath.Join(os.Getenv("CAUSEWAY_INPUTS"), "llm", "mooncake", "conversation_trace.jsonl")
	if _, err := os.Stat(path); err != nil || testing.Short() {
		t.Skip("not there, or too long")
	}
	got, err := ReadFile(path)
	require.NoError(t, err)
	require.Len(t, got, 3000)
	require.EqualValues(t, 987*units.Second, got[2999].Arrival)
	for i := range got {
		got[i].Output = 1
	}
	seen, want := map[int64]bool{}, 0
	for _, r := range got {
		n := 0
		for n < len(r.Hashes) && seen[r.Hashes[n]] {
			n++
		}
		for _, id := range r.Hashes {
			seen[id] = true
		}
		want += min(n*HashedBlock, (r.Prompt-1)/16*16)
	}
	_, e := hits(t, 16, got)
	require.EqualValues(t, want, e.Hits)
	require.EqualValues(t, 40550180, e.Asked)
}

// The blocks are those of the prompt, in whatever order the keys of a line are.
func TestHashesAreOfThePrompt(t *testing.T) {
	got, err := Read("f", []byte(`{"hash_ids": [9], "output_length": 1, "input_length": 5, "timestamp": 27.5}`))
	require.NoError(t, err)
	require.Equal(t, 5, got[0].Hashed)
}
