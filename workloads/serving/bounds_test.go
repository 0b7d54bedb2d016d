package serving

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory/tiering/placement"
)

// A server takes keys at their bounds, and refuses those beyond.
func TestBoundsOfServers(t *testing.T) {
	for what, change := range map[string]struct{ least, most, under, over func(*Spec) }{
		"tokens of a step":  {func(s *Spec) { s.Tokens = 1 }, func(s *Spec) { s.Tokens = MaxTokens }, func(s *Spec) { s.Tokens = 0 }, func(s *Spec) { s.Tokens = MaxTokens + 1 }},
		"sequences":         {func(s *Spec) { s.Sequences = 1 }, func(s *Spec) { s.Sequences = MaxTokens }, func(s *Spec) { s.Sequences = 0 }, func(s *Spec) { s.Sequences = MaxTokens + 1 }},
		"tokens of a block": {func(s *Spec) { s.Block = 1 }, func(s *Spec) { s.Block = MaxTokens }, func(s *Spec) { s.Block = 0 }, func(s *Spec) { s.Block = MaxTokens + 1 }},
		"blocks":            {func(s *Spec) { s.Blocks = []int{1, 0} }, func(s *Spec) { s.Blocks = []int{1, MaxBlocks} }, func(s *Spec) { s.Blocks = []int{1, -1} }, func(s *Spec) { s.Blocks = []int{1, MaxBlocks + 1} }},
		"steps ahead":       {func(s *Spec) { s.Ahead = 0 }, func(s *Spec) { s.Ahead = 1 }, func(s *Spec) { s.Ahead = -1 }, func(s *Spec) { s.Ahead = 2 }},
		"requests lag":      {func(s *Spec) { s.Lag = 0 }, func(s *Spec) { s.Lag = 65536 }, func(s *Spec) { s.Lag = -1 }, func(s *Spec) { s.Lag = 65537 }},
	} {
		for _, fits := range []func(*Spec){change.least, change.most} {
			s := DefaultSpec()
			fits(&s)
			require.NoError(t, s.check(), what)
		}
		for _, beyond := range []func(*Spec){change.under, change.over} {
			s := DefaultSpec()
			beyond(&s)
			require.ErrorContains(t, s.check(), what)
		}
	}
	p, err := placement.New("lru", nil)
	require.NoError(t, err)
	for _, x := range []struct {
		every, moves int
		ok           bool
	}{{1, 0, true}, {0, 0, false}, {1, -1, false}, {5, 5, true}} {
		s := DefaultSpec()
		s.Policy, s.Every, s.Moves = p, x.every, x.moves
		require.Equal(t, x.ok, s.check() == nil, x)
	}
	requests := []Request{{Prompt: 16, Output: 1}, {Prompt: 16, Output: 2}, {Prompt: 1, Output: 1}}
	s := DefaultSpec()
	require.Equal(t, 1+2+1, s.Need(requests))
}

// A request has a prompt and an answer, and parts of the prompt that are there, shared or named are no longer than it.
func TestBoundsOfRequests(t *testing.T) {
	ids := func(n int) []int32 { return make([]int32, n) }
	for _, x := range []struct {
		r  Request
		ok bool
	}{
		{Request{Prompt: 1, Output: 1}, true}, {Request{Prompt: MaxTokens, Output: MaxTokens}, true}, {Request{Output: 1}, false}, {Request{Prompt: 1}, false},
		{Request{Prompt: MaxTokens + 1, Output: 1}, false}, {Request{Prompt: 1, Output: MaxTokens + 1}, false},
		{Request{Prompt: 5, Output: 1, Cached: 4}, true}, {Request{Prompt: 5, Output: 1, Cached: 5}, false}, {Request{Prompt: 5, Output: 1, Cached: -1}, false},
		{Request{Prompt: 5, Output: 1, Shared: 5}, true}, {Request{Prompt: 5, Output: 1, Shared: 6}, false}, {Request{Prompt: 5, Output: 1, Shared: -1}, false},
		{Request{Prompt: 5, Output: 1, Tokens: ids(5)}, true}, {Request{Prompt: 5, Output: 1, Tokens: ids(4)}, false}, {Request{Prompt: 5, Output: 1, Tokens: ids(5), Shared: 1}, false},
		{Request{Prompt: 513, Output: 1, Hashes: make([]int64, 2), Hashed: 513}, true}, {Request{Prompt: 512, Output: 1, Hashes: make([]int64, 1), Hashed: 512}, true},
		{Request{Prompt: 513, Output: 1, Hashes: make([]int64, 1), Hashed: 513}, false}, {Request{Prompt: 512, Output: 1, Hashes: make([]int64, 2), Hashed: 513}, false},
		{Request{Prompt: 512, Output: 1, Hashes: []int64{}, Hashed: -1}, false}, {Request{Prompt: 512, Output: 1, Hashes: make([]int64, 1), Hashed: 512, Shared: 1}, false},
		{Request{Prompt: 512, Output: 1, Hashes: make([]int64, 1), Hashed: 512, Tokens: ids(512)}, false},
	} {
		require.Equal(t, x.ok, x.r.check() == nil, "%+v", x.r)
	}
	require.Equal(t, 5+3-1, (&Request{Prompt: 5, Output: 3}).entries(), "those of the last token are never read")
}

// Spans of entries, against a list of places: each entry of a sequence is in its block's frame, and neighbours are one span.
func TestSpansOfEntries(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size, tiers := rapid.IntRange(1, 5).Draw(t, "block"), []int{rapid.IntRange(1, 6).Draw(t, "near"), rapid.IntRange(1, 6).Draw(t, "far")}
		e := &Engine{spec: Spec{Batching: Batching{Block: size}}, pool: newPool(tiers, false)}
		blocks := rapid.Permutation(func() (out []int32) {
			for b := range e.pool.blocks {
				out = append(out, int32(b))
			}
			return out
		}()).Draw(t, "blocks")
		p := &Part{Blocks: blocks, Entries: rapid.IntRange(0, len(blocks)*size-1).Draw(t, "entries")}
		p.Tokens = rapid.IntRange(1, len(blocks)*size-p.Entries).Draw(t, "tokens")
		places := func(spans []Span) (out [][2]int) {
			for i, s := range spans {
				for k := range s.N {
					out = append(out, [2]int{s.Tier, s.At + k})
				}
				if i > 0 {
					require.False(t, spans[i-1].Tier == s.Tier && spans[i-1].At+spans[i-1].N == s.At, "two spans are one")
				}
			}
			return out
		}
		want := func(from, to int) (out [][2]int) {
			for i := from; i < to; i++ {
				b := int(blocks[i/size])
				tier := 0
				if b >= tiers[0] {
					b, tier = b-tiers[0], 1
				}
				out = append(out, [2]int{tier, b*size + i%size})
			}
			return out
		}
		require.Equal(t, want(0, p.Entries), places(e.Read(nil, p)))
		require.Equal(t, want(p.Entries, p.Entries+p.Tokens), places(e.Written(nil, p)))
	})
	// A move goes from a block's frame to the other's, and back where both move.
	e := &Engine{spec: Spec{Batching: Batching{Block: 4}}, pool: newPool([]int{2, 3}, false)}
	from, to := e.Paths(nil, nil, &Move{Block: 1, With: 4})
	require.Equal(t, [][]Span{{{0, 4, 4}}, {{1, 8, 4}}}, [][]Span{from, to})
	from, to = e.Paths(nil, nil, &Move{Block: 1, With: 4, Both: true})
	require.Equal(t, [][]Span{{{0, 4, 4}, {1, 8, 4}}, {{1, 8, 4}, {0, 4, 4}}}, [][]Span{from, to})
}

// Why sequences wait after a step: none does, places, tokens, or blocks are missing.
func TestWhySequencesWait(t *testing.T) {
	step := func(change func(*Spec), requests ...Request) Left {
		s := small()
		if change != nil {
			change(&s)
		}
		e, err := New(s, requests)
		require.NoError(t, err)
		for i := range requests {
			e.Arrive(i)
		}
		x, ok := e.Schedule(0)
		require.True(t, ok)
		return x.Left
	}
	require.Equal(t, None, step(nil, Request{Prompt: 4, Output: 2}, Request{Prompt: 4, Output: 2}))
	require.Equal(t, ForTokens, step(nil, Request{Prompt: 8, Output: 2}, Request{Prompt: 4, Output: 2}))
	require.Equal(t, ForPlaces, step(func(s *Spec) { s.Sequences = 1 }, Request{Prompt: 4, Output: 2}, Request{Prompt: 4, Output: 2}))
	require.Equal(t, ForBlocks, step(func(s *Spec) { s.Blocks = []int{2} }, Request{Prompt: 4, Output: 2}, Request{Prompt: 8, Output: 1}))
	require.Equal(t, ForTokens, step(func(s *Spec) { s.Chunked = false }, Request{Prompt: 4, Output: 2}, Request{Prompt: 5, Output: 2}), "a whole prompt has no room")
	require.Equal(t, "waiting held killed", fmt.Sprint(Waiting, " ", Held, " ", Killed))
}

// What a server without room refuses: more blocks than there are, and without chunks a prompt longer than a step.
func TestWhatIsRefused(t *testing.T) {
	arrive := func(change func(*Spec), r Request) State {
		s := small()
		s.Blocks = []int{3}
		if change != nil {
			change(&s)
		}
		e, err := New(s, []Request{r})
		require.NoError(t, err)
		require.Equal(t, e.Fits(0), e.blocksOf(r.entries()) <= 3)
		return e.Arrive(0)
	}
	whole := func(s *Spec) { s.Chunked = false }
	require.Equal(t, Waiting, arrive(nil, Request{Prompt: 10, Output: 3}), "12 entries")
	require.Equal(t, Refused, arrive(nil, Request{Prompt: 10, Output: 4}))
	require.Equal(t, Waiting, arrive(whole, Request{Prompt: 8, Output: 1}))
	require.Equal(t, Refused, arrive(whole, Request{Prompt: 9, Output: 1}))
}

// Keys of requests without a file: lengths, shares of them, common prefixes and clients in a loop, with their faults at the
// key. As many requests are made, in order, with their common tokens before the prompt.
func TestRequestsThatAreDrawn(t *testing.T) {
	make := func(text string) ([]Request, error) {
		v := value(t, text)
		var s Source
		if err := v.Decode(&s); err != nil {
			return nil, err
		}
		return s.Make(v, nil, rand.New(rand.NewPCG(1, 2)))
	}
	for text, want := range map[string]string{
		"{prompt: 5}": "output is missing", "{output: 5}": "prompt is missing", "{prompt: 5, output: 5, upscale: {factor: 2}}": "has no effect: there is no file",
		"{prompt: 5, output: 5, prefix: 16777212}": "is 16777212 (want 0 or more, at most 16777216 with the prompt)", "{prompt: 5, output: 5, prefixes: 2}": "has no effect without prefix",
		"{prompt: 5, output: 5, prefix: 3, prefixes: 3, count: 2}": "is 3 (want 1 to 2", "{prompt: 5, output: 5, rounds: 2}": "has no effect without concurrency",
		"{prompt: 5, output: 5, concurrency: 1048576, rounds: 2}":                         "2 rounds of 1048576 clients are more than 1048576 requests",
		"{prompt: 5, output: 5, concurrency: 2, arrivals: {name: periodic, period: 1ms}}": "concurrency: has no effect with arrivals",
		"{prompt: 5, output: 5, turns_file: x.csv}":                                       "has no effect: there is no file of requests",
	} {
		_, err := make(text)
		require.ErrorContains(t, err, want, text)
	}
	for text, n := range map[string]int{"{prompt: 5, output: 5}": 1, "{prompt: 5, output: 5, count: 7}": 7, "{prompt: 5, output: 5, concurrency: 3, rounds: 4}": 12, "{prompt: 5, output: 5, prefix: 16777211}": 1,
		"{prompt: 5, output: 5, concurrency: 3}": 1, "{prompt: 5, output: 5, concurrency: 3, rounds: 4, count: 7}": 7} {
		out, err := make(text)
		require.NoError(t, err, text)
		require.Len(t, out, n, text)
	}
	out, err := make("{prompt: 5..9, output: 2, count: 60, prefix: 10, prefixes: 3, spread: 0.5}")
	require.NoError(t, err)
	named, least, most := map[string]int{}, 99, 0
	for _, r := range out {
		named[r.Prefix]++
		require.Equal(t, 10, r.Shared)
		least, most = min(least, r.Prompt), max(most, r.Prompt)
		require.Contains(t, []int{1, 2}, r.Output)
	}
	require.Len(t, named, 3)
	require.Equal(t, []int{10 + 4, 10 + 9}, []int{least, most}, "from half of nine on")
	out, err = make("{prompt: 5, output: 2, count: 4, arrivals: {name: periodic, period: 3ms}}")
	require.NoError(t, err)
	for i, r := range out {
		require.Equal(t, units.Time(i)*3*units.Millisecond, r.Arrival)
	}
	for _, text := range []string{"1", "16777216", "1..16777216"} {
		require.NoError(t, new(Length).UnmarshalText([]byte(text)))
	}
	require.Error(t, new(Length).UnmarshalText([]byte("16777217")))
}

// A file's requests are its first ones, in the order of their times from the first on; keys that the file answers have no
// effect, and it bounds how many there are.
func TestRequestsOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.csv")
	require.NoError(t, os.WriteFile(path, []byte("arrived_at,prompt_tokens,output_tokens\n2,30,4\n1,20,3\n4,10,2\n"), 0o644))
	make := func(more string) ([]Request, error) {
		v := value(t, "{file: r.csv"+more+"}")
		var s Source
		require.NoError(t, v.Decode(&s))
		out, err := s.Make(v, func(configs.Value) (string, error) { return path, nil }, rand.New(rand.NewPCG(1, 2)))
		if strings.Contains(more, "arrivals") && err == nil {
			require.Equal(t, 3*units.Second, s.Replaced)
		}
		return out, err
	}
	all := []Request{{Prompt: 20, Output: 3}, {Prompt: 30, Output: 4, Arrival: units.Second}, {Prompt: 10, Output: 2, Arrival: 3 * units.Second}}
	for more, want := range map[string][]Request{"": all, ", count: 2": all[:2], ", count: 3": all} {
		out, err := make(more)
		require.NoError(t, err)
		require.Equal(t, want, out)
	}
	out, err := make(", arrivals: {name: periodic, period: 1ms}")
	require.NoError(t, err)
	require.Equal(t, 2*units.Millisecond, out[2].Arrival)
	for more, want := range map[string]string{
		", count: 4": "is 4, and the file has 3 requests", ", prompt: 5": "prompt: has no effect: the file says", ", spread: 0.5": "spread: has no effect", ", prefix: 5": "prefix: has no effect",
		", arrivals: {name: periodic, period: 1ms}, upscale: {factor: 2}": "upscale: has no effect: arrivals stand", ", turns_file: t.csv, upscale: {factor: 2}": "has no meaning with turns_file",
	} {
		_, err := make(more)
		require.ErrorContains(t, err, want, more)
	}
	for text, want := range map[string]string{
		"arrived_at,prompt_tokens,output_tokens,hash_ids\n":                                       `column "hash_ids" has no place here`,
		"time,prompt_length,target_length,cached_length\n0,5,1,16777216\n":                        "f:2:1: a prompt of 16777221 tokens",
		`{"timestamp":0,"input_length":600,"output_length":1,"hash_ids":[1,2],"cached_length":3}`: "says hash_ids, and how many tokens are there already",
		`{"timestamp":0,"input_length":600,"output_length":1,"hash_ids":[1]}`:                     "1 hash_ids of a prompt of 600 tokens",
		"arrived_at,prompt_tokens,output_tokens\n0,5,1\n1e17,5,1\n":                               "f:3:1: arrives 1e+17 s after the first",
		"timestamp,prompt_tokens,output_tokens\nnow,5,1\n":                                        `"now" is no date and time`,
	} {
		_, err := Read("f", []byte(text))
		require.ErrorContains(t, err, want, text)
	}
	mooncake, err := Read("f", []byte(`{"timestamp":5,"input_length":600,"output_length":1,"hash_ids":[7,8]}`+"\n"+`{"timestamp":8,"input_length":12,"output_length":1,"hash_ids":[9]}`))
	require.NoError(t, err)
	require.Equal(t, []Request{{Prompt: 600, Output: 1, Hashes: []int64{7, 8}, Hashed: 600}, {Prompt: 12, Output: 1, Hashes: []int64{9}, Hashed: 12, Arrival: 3 * units.Millisecond}}, mooncake)
}

// Prompts of trtllm wait until all that fit have the share of a step's tokens, and no longer than their steps.
func TestHowLongPromptsWait(t *testing.T) {
	e := &Engine{spec: Spec{Batching: Batching{Tokens: 100}}}
	for _, n := range []int{30, 20, 60} {
		e.waiting = append(e.waiting, &Sequence{Request: &Request{Prompt: n, Output: 1}})
	}
	r := &trtllm{BatchWaiting: BatchWaiting{Wait: 2, Share: 0.6}}
	require.True(t, r.waits(e, 95), "5 + 30 + 20 of 60")
	require.False(t, r.waits(e, 90), "10 + 30 + 20")
	require.False(t, r.waits(e, 49), "51 + 30")
	r.Share = 0.9
	require.True(t, r.waits(e, 49), "81 of 90: 19 tokens are left, and none fits any more")
	require.False(t, r.waits(e, 29), "none fits")
	r.waited = 1
	require.True(t, r.waits(e, 49))
	r.waited = 2
	require.False(t, r.waits(e, 49))
}

// Check finds whatever of an engine's state contradicts itself: blocks and their users, requests and their tokens, lists of free
// blocks and frames of memory.
func TestCheckFindsContradictions(t *testing.T) {
	engine := func() *Engine {
		s := small()
		s.Blocks = []int{3, 4}
		e, err := New(s, []Request{{Prompt: 6, Output: 3}, {Prompt: 2, Output: 2}, {Prompt: 2, Output: 1}})
		require.NoError(t, err)
		e.Arrive(0)
		e.Arrive(1)
		_, ok := e.Schedule(0)
		require.True(t, ok)
		require.NoError(t, e.Check())
		return e
	}
	for what, wrong := range map[string]func(e *Engine){
		"a request without blocks is open":  func(e *Engine) { e.open++ },
		"an open request is not counted":    func(e *Engine) { e.open-- },
		"a waiting sequence has blocks":     func(e *Engine) { e.all[0].State, e.all[0].Computed = Waiting, 0 },
		"a refused sequence has blocks":     func(e *Engine) { e.all[0].State = Refused; e.open-- },
		"more tokens than asked for":        func(e *Engine) { e.all[0].Got, e.all[0].issued = 4, 4 },
		"more tokens issued than asked for": func(e *Engine) { e.all[0].issued = 4 },
		"a token that was not issued":       func(e *Engine) { e.all[0].Got = e.all[0].issued + 1 },
		"a block with too many users":       func(e *Engine) { e.pool.blocks[e.all[0].blocks[0]].users = 2 },
		"a block with a user too few":       func(e *Engine) { e.all[1].blocks = append(e.all[1].blocks, e.all[0].blocks[0]) },
		"two blocks in one frame":           func(e *Engine) { e.pool.blocks[5].frame = 6 },
		"a frame of another tier":           func(e *Engine) { e.pool.blocks[5].tier = 0 },
		"a free block that has a user":      func(e *Engine) { e.pool.blocks[e.pool.tiers[1].head].users = 1 },
		"a list that is shorter":            func(e *Engine) { e.pool.tiers[1].count-- },
		"blocks in use":                     func(e *Engine) { e.pool.used++ },
		"blocks that were given":            func(e *Engine) { e.pool.given++ },
		"blocks that moves keep":            func(e *Engine) { e.pool.kept++ },
	} {
		e := engine()
		wrong(e)
		require.Error(t, e.Check(), what)
	}
	e := engine()
	e.all[0].State = Held // it has blocks, and is not open
	e.open--
	require.NoError(t, e.Check())
}

// A victim goes to host memory if all of its blocks have room there, and is computed again if one has not. What is in host
// memory is given back when its sequence goes on, is killed, or has all its tokens.
func TestRoomInHostMemory(t *testing.T) {
	for host, swapped := range map[int]int{0: 0, 1: 0, 2: 2, 3: 2} {
		s := small()
		s.Blocks, s.Preempt, s.Host, s.Prefix = []int{4}, preemption("swap"), host, false
		e, err := New(s, []Request{{Prompt: 6, Output: 6}, {Prompt: 7, Output: 3}})
		require.NoError(t, err)
		e.Arrive(0)
		e.Arrive(1)
		for now := units.Time(0); e.Preemptions == 0; now++ {
			x, ok := e.Schedule(now)
			require.True(t, ok)
			e.Complete(now+1, x)
		}
		require.Equal(t, []int{swapped, swapped, swapped}, []int{e.Sequence(1).swapped, e.host, int(e.Out)}, "%d blocks of host memory", host)
		require.Equal(t, swapped > 0, e.Sequence(1).Computed > 0)
		e.Kill(1)
		require.Zero(t, e.host)
		require.Equal(t, Killed, e.Sequence(1).State)
		require.NoError(t, e.Check())
		e.Kill(1) // again: nothing
		require.Equal(t, 1, e.Open())
	}
	e, err := New(small(), []Request{{Prompt: 6, Output: 1}})
	require.NoError(t, err)
	e.Kill(0)
	require.Equal(t, []any{Killed, 0}, []any{e.Sequence(0).State, e.Open()}, "its client went before it came")
	require.Panics(t, func() { e.Arrive(0) })
}

// Prompts wait, and sequences decode, as far as the scheduler knows of them.
func TestWhatWaitsAndWhatDecodes(t *testing.T) {
	waits := func(e *Engine) [2]bool {
		prompts, decodes := e.Waits()
		return [2]bool{prompts, decodes}
	}
	s := small()
	s.Lag = 2
	e, err := New(s, []Request{{Prompt: 12, Output: 9}, {Prompt: 4, Output: 2}})
	require.NoError(t, err)
	require.Equal(t, [2]bool{}, waits(e))
	e.Arrive(0)
	require.Equal(t, [2]bool{true, false}, waits(e), "none runs, so that it is seen at once")
	step := func() {
		x, ok := e.Schedule(0)
		require.True(t, ok)
		e.Complete(1, x)
	}
	step()
	require.Equal(t, [2]bool{true, false}, waits(e), "four tokens of its prompt are left")
	step()
	require.Equal(t, [2]bool{false, true}, waits(e))
	e.Arrive(1)
	require.Equal(t, [2]bool{false, true}, waits(e), "it is not known yet")
	step()
	require.Equal(t, [2]bool{false, true}, waits(e))
	step()
	require.Equal(t, [2]bool{true, true}, waits(e), "two steps later it is")
}

// Requests end with the times that their source gives.
func TestTimesThatEnd(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.csv")
	require.NoError(t, os.WriteFile(path, []byte("time\n0\n1000000\n"), 0o644))
	v := value(t, "{prompt: 5, output: 2, count: 3, arrivals: {name: trace, file: t.csv}}")
	var s Source
	if err := v.Decode(&s); err != nil {
		require.ErrorContains(t, err, "arrivals")
		return
	}
	_, err := s.Make(v, func(configs.Value) (string, error) { return path, nil }, rand.New(rand.NewPCG(1, 2)))
	require.Error(t, err)
}

// A tier policy is asked with each of so many steps; a trace is scaled down to one request at the least; each request of a
// server that fails gives back what it holds in host memory, and one that came from another engine holds none.
func TestLeastOfEach(t *testing.T) {
	for every := 1; every < 4; every++ {
		s := small()
		s.Blocks, s.Policy, s.Every = []int{8, 8}, everything{}, every
		e, err := New(s, []Request{{Prompt: 4, Output: 12}})
		require.NoError(t, err)
		e.Arrive(0)
		asked := []int{}
		for k := range 7 {
			if e.Asks() {
				asked = append(asked, k)
			}
			x, ok := e.Schedule(units.Time(k))
			require.True(t, ok)
			e.Complete(units.Time(k), x)
		}
		for i, k := range asked {
			require.Equal(t, every-1+i*every, k, "every %d steps", every)
		}
		require.Len(t, asked, 7/every)
	}
	plain, err := New(small(), []Request{{Prompt: 4, Output: 1}})
	require.NoError(t, err)
	require.False(t, plain.Asks())
	for n, want := range map[float64]int{0.001: 1, 0.4: 1, 0.5: 2, 1.5: 5} {
		require.Equal(t, want, Upscale{Factor: n}.count(3), n)
	}
	for text, ok := range map[string]bool{"1": true, "2": true, "0": false, "3": false} {
		v := value(t, "{prompt: 5, output: 2, count: 2, prefix: 3, prefixes: "+text+"}")
		var s Source
		err := v.Decode(&s)
		if err == nil {
			_, err = s.Make(v, nil, rand.New(rand.NewPCG(1, 2)))
		}
		require.Equal(t, ok, err == nil, text)
	}
	s := small()
	s.Host, s.Preempt = 8, preemption("swap")
	e, err := New(s, []Request{{Prompt: 9, Output: 3, Cached: 8}})
	require.NoError(t, err)
	require.True(t, e.Accept(0))
	e.Ready(0)
	e.Fail()
	require.Zero(t, e.host)
	require.Equal(t, []any{Waiting, 0}, []any{e.Sequence(0).State, e.Sequence(0).Computed})
	require.NoError(t, e.Check())
}
