package cache

import (
	"fmt"
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
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/policy"
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
	some := &block.Reads{Bytes: 2, Least: 0, Greatest: 4096}
	for _, addr := range []uint64{64, 126, 127, 64} { // the third crosses the end of its line
		some.Add(addr, 0, 0)
	}
	require.Equal(t, 2, with("ways: 4").Reads(some), "reads before the one that does not lie in one line")
	two := strings.NewReplacer("  - {name: Mem,", "  - {name: Mem, count: 2,", "Up.bottom -> Mem]\n", "Up.bottom -> Mem]\nmemory:\n  - {tier: near, node: Mem, size: 64KiB, interleave: 1KiB}\n").Replace(text)
	under := strings.NewReplacer("  - {name: Mem,", "  - {name: Down, kind: cache, fidelity: functional, size: 8KiB, sectors: 2}\n  - {name: Mem,", "Up.bottom -> Mem]", "Up.bottom -> Down.top, Down.bottom -> Mem]").Replace(text)
	for name, text := range map[string]string{"two memories by turns": two, "a cache with sectors below": under} {
		s := built(t, strings.Replace(text, "KEYS", "ways: 4", 1))
		require.NoError(t, s.Node("Driver").(system.Starter).Start())
		require.False(t, s.Node("Up").(*Functional).Takes(reads(64)), name)
	}
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

// Operations that there are not are bugs of whoever asks for them.
func TestUnknownOperations(t *testing.T) {
	for op, want := range map[memory.ControlOp]bool{0: true, memory.Clean: false, memory.Flush: false, memory.Invalidate: false, memory.Invalidate + 1: true} {
		c, err := NewFunctional("LLC", engine.New(), DefaultSpec())
		require.NoError(t, err)
		ask := func() { c.acceptControl(&memory.ControlReq{Op: op}, 7) }
		if !want {
			require.NotPanics(t, ask)
			continue
		}
		require.PanicsWithValue(t, fmt.Sprintf("cache: LLC at cycle 7: unknown operation %d", op), ask)
	}
}

// What a policy may know of a read is what its requester tells, and nothing of the read before.
func TestWhatAPolicyKnowsOfARead(t *testing.T) {
	c, err := NewTimed("LLC", engine.New(), DefaultTimedSpec())
	require.NoError(t, err)
	a := policy.Access{Line: 1, PC: 2, Core: 3, Reuse: 4, Tensor: 5}
	c.describeRead(&request{}, 9, &a)
	require.Equal(t, policy.Access{Line: 9}, a)
	r := &request{hint: &memory.Hint{PC: 7, Core: 6, Reuse: 5}}
	c.describeRead(r, 8, &a)
	require.Equal(t, policy.Access{Line: 8, PC: 7, Core: 6, Reuse: 5, Tensor: c.tensors.Of(r.hint)}, a)
	require.Equal(t, c.touch(r, 0).Access, policy.Access{PC: 7, Core: 6, Reuse: 5, Tensor: c.tensors.Of(r.hint)}, "so does the long way")
}

// No line is prefetched after the end of its tensor, or of the memories below; the last line of either is.
func TestPrefetchesEndWithTheirTensor(t *testing.T) {
	s := built(t, `schema: causeway/1
nodes:
  - {name: Driver, kind: driver, generate: {name: stream, count: 1}}
  - {name: Up, kind: cache, fidelity: functional, size: 8KiB, prefetch: {name: next_line, degree: 2}}
  - {name: Mem, kind: memory, fidelity: ideal, latency: 30ns}
links: [Driver -> Up.top, Up.bottom -> Mem]
memory:
  - {tier: near, node: Mem, size: 64KiB}
`)
	c := s.Node("Up").(*Functional)
	object := &memory.Tensor{Base: 256, Bytes: 128} // lines 4 and 5
	for _, x := range []struct {
		line  uint64
		d     int
		about *memory.Tensor
		write bool
		want  bool
	}{
		{4, 0, object, false, true}, {5, 0, object, false, false}, {4, 1, object, false, false}, {3, 1, object, false, true},
		{5, 0, nil, false, true}, {5, 0, &memory.Tensor{Base: 256}, false, true}, {1022, 0, nil, false, true}, {1023, 0, nil, false, false}, {1022, 1, nil, false, false}, {5, 0, nil, true, true},
	} {
		r := &request{hint: &memory.Hint{About: x.about}, addr: 64 * x.line, bytes: 8, write: x.write}
		touch := c.touch(r, 0)
		require.Equal(t, 2, c.calls(r, &touch, &tagstore.Result{}, 0, false))
		p, ok := c.prefetched(r, &touch, x.d)
		require.Equal(t, x.want, ok, "%+v", x)
		if ok {
			require.Equal(t, x.line+1+uint64(x.d), p.Line)
			require.False(t, p.Write)
			require.Zero(t, p.Reuse)
		}
	}
}
