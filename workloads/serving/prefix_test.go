package serving

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
)

// A plainCache is blocks in a list, named by all tokens up to their end: the least recently
// freed goes first, the end of a request before its beginning.
type plainCache struct {
	free  []int
	names []string       // by block
	found map[string]int // the first block of a name
}

// serve answers a request alone and returns the tokens that it need not compute.
func (c *plainCache) serve(tokens []int32, prompt, size int) int {
	name := func(i int) string { return fmt.Sprint(tokens[:(i+1)*size]) }
	var blocks []int
	for i := 0; (i+1)*size < prompt; i++ {
		b, ok := c.found[name(i)]
		if !ok {
			break
		}
		blocks = append(blocks, b)
		c.free = slices.DeleteFunc(c.free, func(x int) bool { return x == b })
	}
	hits, named := len(blocks), len(blocks)
	for n := prompt; n < len(tokens); n++ { // the prompt at once, then a token at a time
		for len(blocks)*size < n {
			b := c.free[0]
			c.free = c.free[1:]
			if c.found[c.names[b]] == b {
				delete(c.found, c.names[b])
			}
			c.names[b] = ""
			blocks = append(blocks, b)
		}
		for ; (named+1)*size <= n; named++ {
			c.names[blocks[named]] = name(named)
			if _, ok := c.found[name(named)]; !ok {
				c.found[name(named)] = blocks[named]
			}
		}
	}
	slices.Reverse(blocks)
	c.free = append(c.free, blocks...)
	return hits * size
}

// What the prefix cache finds is what a list of all blocks and their tokens says, in a memory
// that is too small for them.
func TestPrefixesAreThoseOfAPlainList(t *testing.T) {
	hits := 0
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 3))
		s := small()
		s.Block, s.Blocks, s.Tokens, s.Ahead = 1+r.IntN(4), []int{25 + r.IntN(20)}, 64, r.IntN(2)
		var requests []Request
		for range 30 {
			q := Request{Prompt: 1 + r.IntN(16), Output: 1 + r.IntN(6)}
			q.Tokens = make([]int32, q.Prompt+q.Output)
			for i := range q.Tokens {
				q.Tokens[i] = int32(r.IntN(20) / 17)
			}
			requests = append(requests, q)
		}
		e, err := New(s, requests)
		require.NoError(t, err)
		plain := &plainCache{names: make([]string, s.Blocks[0]), found: map[string]int{"": -1}}
		for b := range s.Blocks[0] {
			plain.free = append(plain.free, b)
		}
		for i := range requests {
			e.Arrive(i)
			var under []*Step
			for now := units.Time(1); e.Open() > 0; now++ {
				for x, ok := e.Schedule(now); ok; x, ok = e.Schedule(now) {
					under = append(under, x)
				}
				e.Complete(now, under[0])
				under = under[1:]
			}
			require.Equal(t, plain.serve(requests[i].Tokens, requests[i].Prompt, s.Block), e.Sequence(i).Hits, "seed %d, request %d", seed, i)
			hits += e.Sequence(i).Hits
		}
	}
	require.Greater(t, hits, 1000)
}

// A prefix that has a name is shared in whole blocks, by requests of that name alone.
func TestNamedPrefix(t *testing.T) {
	e, lines := run(t, small(), []Request{
		{Prompt: 8, Output: 1, Shared: 7, Prefix: "a"}, {Prompt: 8, Output: 1, Shared: 7, Prefix: "a"}, {Prompt: 8, Output: 1, Shared: 7, Prefix: "b"},
	})
	require.Equal(t, []string{"0: 0/8@0*", "1: 1/4@4* 2/4@0", "2: 2/4@4*"}, lines)
	require.EqualValues(t, 4, e.Hits)
	require.EqualValues(t, 24, e.Asked)
}
