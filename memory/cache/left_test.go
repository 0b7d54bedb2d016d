package cache

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/cache/below"
)

// Whatever is left under way at the end of a run, be it one, is reported; at rest nothing is.
func TestWhatIsLeftIsReported(t *testing.T) {
	const requests, lines, counts = "every request is answered once", "nothing is under way", "hits and misses add up to accesses"
	for what, c := range map[string]struct {
		leave func(c *Timed)
		check string
	}{
		"nothing":                {func(*Timed) {}, ""},
		"a line not looked up":   {func(c *Timed) { c.waiting = 1 }, lines},
		"an MSHR":                {func(c *Timed) { c.mshrs.Take(7, 0) }, lines},
		"a write":                {func(c *Timed) { c.held = 1 }, lines},
		"a write not sent":       {func(c *Timed) { c.writes.Push(fetch{}) }, lines},
		"a fetch":                {func(c *Timed) { c.fetches.Push(fetch{}) }, lines},
		"a request":              {func(c *Timed) { c.requests.Take() }, requests},
		"an answer too few":      {func(c *Timed) { c.count.Reads++ }, requests},
		"an answer too many":     {func(c *Timed) { c.count.answered++ }, requests},
		"an order that waits":    {func(c *Timed) { c.below.Queue.Push(below.Order{}) }, requests},
		"an access not counted":  {func(c *Timed) { c.core.Count.Hits++ }, counts},
		"an access counted more": {func(c *Timed) { c.core.Count.Accesses++ }, counts},
	} {
		llc, err := NewTimed("LLC", engine.New(), DefaultTimedSpec())
		require.NoError(t, err)
		c.leave(llc)
		found := llc.Stats().Verify()
		if c.check == "" {
			require.Empty(t, found)
			continue
		}
		require.Len(t, found, 1, what)
		require.ErrorContains(t, found[0], c.check, what)
	}
}

// What is not sent below is waited for, be it one fetch, one write or one order, as long as nothing is
// under way there.
func TestUnsentRequestsAreWaitedFor(t *testing.T) {
	for what, leave := range map[string]func(c *Timed){
		"a fetch":  func(c *Timed) { c.fetches.Push(fetch{}) },
		"a write":  func(c *Timed) { c.writes.Push(fetch{}) },
		"an order": func(c *Timed) { c.below.Queue.Push(below.Order{}) },
	} {
		llc, err := NewTimed("LLC", engine.New(), DefaultTimedSpec())
		require.NoError(t, err)
		require.Empty(t, llc.Waiting())
		leave(llc)
		require.Len(t, llc.Waiting(), 1, what)
		require.Equal(t, "LLC waits for LLC.Bottom: 1 requests below are not sent", llc.Waiting()[0].String())
	}
}

// A functional cache answers by calls only what a wire takes at once: 32 messages of one cycle. A
// request may want each sector of its line and of the lines to prefetch, as many write-backs, and its
// own write.
func TestCallsSendNoMoreThanAWireTakes(t *testing.T) {
	for keys, quick := range map[string]bool{
		"":           true,
		"sectors: 8": true, // 17
		"sectors: 4, prefetch: {name: next_line, degree: 2}":  true,  // 25
		"sectors: 4, prefetch: {name: next_line, degree: 3}":  false, // 33
		"sectors: 8, prefetch: {name: next_line, degree: 1}":  false, // 33
		"sectors: 1, prefetch: {name: next_line, degree: 14}": true,  // 31
		"sectors: 1, prefetch: {name: next_line, degree: 15}": false, // 33
	} {
		s := runSystem(t, `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, generate: {name: stream, count: 1}}
  - {name: Up, kind: cache, fidelity: functional, size: 8KiB, `+keys+`}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 30ns}
links: [Driver -> Up.top, Up.bottom -> Mem]
`)
		cycles, ok := s.Node("Up").(*Functional).Worst()
		require.Equal(t, quick, ok, keys)
		if quick {
			require.EqualValues(t, 1+30+1, cycles, keys)
		}
	}
}

// often draws n times as many cases as rapid does.
func often(t *testing.T, n int, f func(t *rapid.T)) {
	for range n {
		rapid.Check(t, f)
	}
}

// built is a system as it is before its run.
func built(t require.TestingT, text string) *system.System {
	d, err := configs.Parse("t.yaml", []byte(text), configs.Options{Dir: "."})
	require.NoError(t, err)
	s, err := system.Build(d, &system.Env{Engine: engine.New()})
	require.NoError(t, err)
	return s
}

// A dirty line that an inclusive cache takes back while it is warmed goes to the memory below it.
func TestWarmingTakesDirtyLinesBack(t *testing.T) {
	s := built(t, `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, generate: {name: stream, count: 1}}
  - {name: Up, kind: cache, fidelity: functional, size: 8KiB}
  - {name: Down, kind: cache, fidelity: functional, size: 64B, ways: 1, inclusion: inclusive}
  - {name: Last, kind: cache, fidelity: functional, size: 8KiB}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 30ns}
links: [Driver -> Up.top, Up.bottom -> Down.top, Down.bottom -> Last.top, Last.bottom -> Mem]
`)
	up, last, from := s.Node("Up").(*Functional), s.Node("Last").(*Functional), s.Node("Driver").PortSpecs()[0].Ports[0]
	up.Warm(memory.Request{Addr: 64 * 5, Bytes: 8, Write: true, Hint: &memory.Hint{}}, from)
	require.Equal(t, []any{true, uint64(1), uint64(0)}, []any{up.core.Has(5), up.core.Dirty(), last.core.Dirty()})
	up.Warm(memory.Request{Addr: 64 * 6, Bytes: 8, Hint: &memory.Hint{}}, from)
	require.Equal(t, []any{false, uint64(0), uint64(1)}, []any{up.core.Has(5), up.core.Dirty(), last.core.Dirty()})
}

// Calls take requests of one line, to its last byte; many at once reads alone, of no more than a line, while
// nothing dirty would have to go. Nothing is taken while something is under way.
func TestWhatCallsTake(t *testing.T) {
	const text = `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, generate: {name: stream, count: 1}}
  - {name: Up, kind: cache, fidelity: functional, size: 8KiB, KEYS}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 30ns}
links: [Driver -> Up.top, Up.bottom -> Mem]
`
	with := func(keys string) *Functional {
		s := built(t, strings.Replace(text, "KEYS", keys, 1))
		require.NoError(t, s.Node("Driver").(system.Starter).Start()) // which makes the block
		return s.Node("Up").(*Functional)
	}
	c := with("ways: 4")
	for q, fits := range map[[2]uint64]bool{{63, 1}: true, {63, 2}: false, {0, 64}: true, {0, 65}: false, {64, 0}: true, {127, 0}: true, {32, 32}: true, {33, 32}: false} {
		require.Equal(t, fits, c.Fits(&block.Request{Addr: q[0], Bytes: q[1]}), q)
	}
	reads := func(bytes uint64) *block.Reads { return &block.Reads{Bytes: bytes, Least: 64, Greatest: 4096} }
	require.True(t, c.Takes(reads(64)))
	require.False(t, c.Takes(reads(65)))
	require.True(t, c.Ready())
	c.below.Queue.Push(below.Order{})
	require.False(t, c.Ready(), "an order waits")
	c.below.Queue.Pop()
	c.ready.Push(0)
	require.False(t, c.Ready(), "an answer waits")
	c.ready.Pop()
	require.True(t, c.Ready())
	c.Warm(memory.Request{Addr: 64, Bytes: 8, Write: true, Hint: &memory.Hint{}}, c.top)
	require.False(t, c.Takes(reads(64)), "a line is dirty")
	for _, keys := range []string{"sectors: 2", "regions: [{size: 1KiB, bypass: true}]", "reuse_distance: true", "detail: [slice]"} {
		require.False(t, with(keys).Takes(reads(64)), keys)
		require.Zero(t, with(keys).Hits(reads(64)), keys)
	}
}
