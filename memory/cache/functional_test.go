package cache_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/memory/inorder"
	"github.com/causeway-sim/causeway/memory/memtest"
)

func metrics(g *stats.Group) map[string]float64 {
	out := map[string]float64{}
	for _, m := range g.Metrics() {
		out[m.Name] = m.Value
	}
	return out
}

// flat is a memory of fixed latency without limit of bandwidth. It implements
// inorder.Timing.
type flat uint64

func (f flat) Due(at, _ uint64, _ bool) uint64    { return at + uint64(f) }
func (f flat) Nominal() (uint64, units.Bandwidth) { return uint64(f), 0 }
func (f flat) Peak() units.Bandwidth              { return 0 }
func newFlat(e sim.Engine, latency uint64) *inorder.Comp {
	return inorder.New("Mem", e, clock.GHz, 0, flat(latency))
}

// node is what both fidelities are.
type node interface {
	sim.Component
	SetMap(string, *memory.Map) error
	Stats() *stats.Group
	engine.Waiter
	Finish(now sim.VTimeInSec) bool
}

// onMemory joins a cache with a memory below it.
func onMemory(t require.TestingT, e sim.Engine, c node, m *inorder.Comp) {
	w := engine.NewWire("Lower", e)
	top := m.GetPortByName("Top")
	w.Attach(c.GetPortByName("Bottom"), clock.GHz, engine.EndOptions{Buffer: 64})
	w.Attach(top, clock.GHz, engine.EndOptions{Buffer: 1024})
	homes, err := memory.NewMap(memory.Range{Size: 1 << 40, Ports: []sim.Port{top}, Paths: make([]memory.Path, 1)})
	require.NoError(t, err)
	require.NoError(t, c.SetMap("bottom", homes))
}

// drive runs requesters on a cache on a memory and returns the metrics of both.
func drive(t require.TestingT, e *engine.Engine, c node, latency uint64, rs ...*memtest.Requester) (above, below map[string]float64) {
	m := newFlat(e, latency)
	onMemory(t, e, c, m)
	memtest.Wire(e, c.GetPortByName("Top"), clock.GHz, rs...)
	for _, r := range rs {
		r.Dst = c.GetPortByName("Top")
		r.Start()
	}
	require.NoError(t, e.Run())
	require.Empty(t, c.Stats().Verify())
	require.Empty(t, m.Stats().Verify())
	for _, r := range rs {
		require.Equal(t, max(r.Repeat, 1)*len(r.List), r.Done())
	}
	require.Empty(t, c.Waiting())
	if c, ok := c.(*cache.Timed); ok {
		require.Zero(t, c.Hints(), "hints kept for requests below that are answered")
	}
	return metrics(c.Stats()), metrics(m.Stats())
}

// twin is a cache in ten obvious lines: LRU, sectors, write-back, whole requests
// at once. It counts bytes and line accesses.
type twin struct {
	sets, ways          int
	line, sector        uint64
	lines               [][]*twinLine // by set, most recent first
	hits, read, written uint64
}

type twinLine struct {
	line         uint64
	valid, dirty map[uint64]bool // by sector
}

func (w *twin) access(addr, bytes uint64, write bool) {
	for l := addr / w.line; l <= (addr+max(bytes, 1)-1)/w.line; l++ {
		set := int(l % uint64(w.sets))
		var at *twinLine
		for i, x := range w.lines[set] {
			if x.line == l {
				at = x
				w.lines[set] = append(w.lines[set][:i:i], w.lines[set][i+1:]...)
				break
			}
		}
		hit := at != nil
		if at == nil {
			if n := len(w.lines[set]); n == w.ways {
				w.written += uint64(len(w.lines[set][n-1].dirty)) * w.sector
				w.lines[set] = w.lines[set][:n-1]
			}
			at = &twinLine{l, map[uint64]bool{}, map[uint64]bool{}}
		}
		w.lines[set] = append([]*twinLine{at}, w.lines[set]...)
		for s := l * w.line; s < (l+1)*w.line; s += w.sector {
			from, to := max(s, addr), min(s+w.sector, addr+max(bytes, 1))
			if from >= to {
				continue
			}
			if !at.valid[s] && !(write && to-from == w.sector) {
				w.read += w.sector
				hit = false
			}
			at.valid[s] = true
			if write {
				at.dirty[s] = true
			}
		}
		if hit {
			w.hits++
		}
	}
}

// often draws n times as many cases as rapid does: a run with -short draws 20 else.
func often(t *testing.T, n int, f func(t *rapid.T)) {
	for range n {
		rapid.Check(t, f)
	}
}

func requests(t *rapid.T, n int, span uint64) []memtest.Request {
	var list []memtest.Request
	at := uint64(0)
	for range rapid.IntRange(1, n).Draw(t, "n") {
		at += rapid.Uint64Range(0, 6).Draw(t, "gap")
		q := memtest.Request{Cycle: at, Write: rapid.Bool().Draw(t, "write")}
		q.Addr = rapid.Uint64Range(0, span).Draw(t, "addr")
		q.Bytes = rapid.Uint64Range(1, 300).Draw(t, "bytes")
		if rapid.Bool().Draw(t, "aligned") {
			q.Addr, q.Bytes = q.Addr/64*64, (q.Bytes+63)/64*64
		}
		list = append(list, q)
	}
	return list
}

// Any requests against the twin: hits, and the bytes that go below.
func TestFunctionalEqualsTheTwin(t *testing.T) {
	often(t, 5, func(t *rapid.T) {
		w := &twin{sets: rapid.IntRange(1, 5).Draw(t, "sets"), ways: rapid.IntRange(1, 4).Draw(t, "ways"), line: 64}
		sectors := 1 << rapid.IntRange(0, 3).Draw(t, "sectors")
		w.sector = w.line / uint64(sectors)
		w.lines = make([][]*twinLine, w.sets)
		s := cache.DefaultSpec()
		s.Ways, s.Size, s.Sectors = w.ways, units.Bytes(w.sets*w.ways*64), sectors
		s.Burst = units.Bytes(64 << rapid.IntRange(0, 4).Draw(t, "burst"))
		e := engine.New()
		c, err := cache.NewFunctional("LLC", e, s)
		require.NoError(t, err)
		r := memtest.New("Core", e, clock.GHz, nil, requests(t, 80, 2000)...)
		above, below := drive(t, e, c, 7, r)
		for _, q := range r.List {
			w.access(q.Addr, q.Bytes, q.Write)
		}
		require.EqualValues(t, w.hits, above["hits"])
		require.EqualValues(t, w.read, below["read_bytes"])
		require.EqualValues(t, w.written, below["write_bytes"])
	})
}

// Whatever writes do, each byte written goes below once at once, or once per
// eviction; through and around leave nothing dirty.
func TestWaysToWrite(t *testing.T) {
	list := []memtest.Request{{Bytes: 64, Write: true}, {Cycle: 50, Bytes: 64}, {Cycle: 100, Bytes: 64, Write: true}, {Cycle: 150, Bytes: 64, Addr: 64}, {Cycle: 200, Bytes: 64}}
	for write, want := range map[string]map[string]float64{
		// one line: W miss, R hit, W hit, R of another line evicts, R miss
		"back":    {"hits": 2, "below_writes": 1, "below_reads": 2, "write_backs": 1, "bypasses": 0},
		"through": {"hits": 2, "below_writes": 2, "below_reads": 2, "write_backs": 0, "bypasses": 0},
		"around":  {"hits": 1, "below_writes": 2, "below_reads": 3, "write_backs": 0, "bypasses": 1},
	} {
		s := cache.DefaultSpec()
		s.Ways, s.Size, s.Write = 1, 64, write
		e := engine.New()
		c, err := cache.NewFunctional("LLC", e, s)
		require.NoError(t, err)
		above, _ := drive(t, e, c, 7, memtest.New("Core", e, clock.GHz, nil, list...))
		for name, v := range want {
			require.Equal(t, v, above[name], "%s: %s", write, name)
		}
	}
}

// A hit costs the links only; lines that miss side by side share a request below.
func TestFunctionalTiming(t *testing.T) {
	s := cache.DefaultSpec()
	e := engine.New()
	c, err := cache.NewFunctional("LLC", e, s)
	require.NoError(t, err)
	r := memtest.New("Core", e, clock.GHz, nil, memtest.Request{Bytes: 8192, Addr: 32}, memtest.Request{Cycle: 100, Bytes: 4096, Addr: 64})
	above, _ := drive(t, e, c, 10, r)
	require.Equal(t, []uint64{1 + 1 + 10 + 1 + 1, 102}, r.Answer)
	require.EqualValues(t, 3, above["below_reads"], "bytes 0 to 8256 in bursts of 4 KiB")
}

func TestFunctionalConformance(t *testing.T) {
	conforms(t, func(e sim.Engine) node {
		s := cache.DefaultSpec()
		s.Size, s.Ways, s.Policy.Name = 4096, 4, "drrip"
		c, err := cache.NewFunctional("LLC", e, s)
		require.NoError(t, err)
		return c
	})
}

// conforms checks for the same bytes under every engine and every order of
// equal-time events.
func conforms(t *testing.T, build func(sim.Engine) node) {
	run := func(e interface {
		sim.Engine
		Run() error
	}) string {
		c := build(e)
		m := newFlat(e, 9)
		onMemory(t, e, c, m)
		var rs []*memtest.Requester
		for i, k := range []clock.Clock{clock.GHz, clock.Period(416, 1e12), clock.Hz(940e6)} {
			r := memtest.New(fmt.Sprintf("Core[%d]", i), e, k, c.GetPortByName("Top"))
			r.Window = i + 2
			for j := range 120 {
				r.List = append(r.List, memtest.Request{Cycle: uint64(j * (i + 1)), Bytes: uint64(16 + 48*(j%5)), Write: j%3 == i%3, Addr: uint64(j * j * 40 % 9000)})
			}
			rs = append(rs, r)
		}
		memtest.Wire(e, c.GetPortByName("Top"), clock.GHz, rs...)
		for _, r := range rs {
			r.Start()
		}
		require.NoError(t, e.Run())
		var b strings.Builder
		for _, r := range rs {
			b.WriteString(r.Log())
		}
		require.Empty(t, c.Stats().Verify())
		fmt.Fprintln(&b, c.Stats().Metrics())
		return b.String()
	}
	want := run(engine.New())
	require.Equal(t, want, run(sim.NewSerialEngine()))
	require.Equal(t, want, run(sim.NewParallelEngine()))
	for seed := range uint64(10) {
		require.Equal(t, want, run(engine.New(engine.Shuffle(seed))))
	}
}
