package cache_test

import (
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/memory/memtest"
)

func newTimed(t require.TestingT, e sim.Engine, s cache.TimedSpec) *cache.Timed {
	c, err := cache.NewTimed("LLC", e, s)
	require.NoError(t, err)
	return c
}

// Unloaded latency is the sum of its stages: one cycle on the link, the cache, one
// back; a miss has two more cycles of links and the memory between.
func TestTimedLatencyIsExact(t *testing.T) {
	for _, c := range []struct{ latency, tag, memory uint64 }{{20, 6, 50}, {1, 0, 0}, {5, 5, 9}, {0, 0, 0}} {
		s := cache.DefaultTimedSpec()
		s.Latency, s.TagLatency = units.InCycles(c.latency), units.InCycles(c.tag)
		e := engine.New()
		r := memtest.New("Core", e, clock.GHz, nil, memtest.Request{Bytes: 64}, memtest.Request{Cycle: 1000, Bytes: 64}, memtest.Request{Cycle: 2000, Bytes: 256})
		drive(t, e, newTimed(t, e, s), c.memory, r)
		require.Equal(t, []uint64{c.memory + c.latency + 4, 1000 + c.latency + 2, 2000 + c.latency + 4 + c.memory + 3}, r.Answer)
	}
}

// A bank begins one line per cycle; half the width takes two. Four banks of a
// slice, or four slices, are four times as fast.
func TestBanksAndWidth(t *testing.T) {
	for _, c := range []struct {
		slices, banks int
		width         units.Bytes
		cycles        uint64 // for 64 lines that hit
	}{{1, 1, 0, 64}, {1, 1, 32, 128}, {1, 4, 0, 16}, {4, 1, 64, 16}, {2, 2, 16, 64}} {
		s := cache.DefaultTimedSpec()
		s.Slices, s.Banks, s.Width = c.slices, c.banks, c.width
		e := engine.New()
		r := memtest.New("Core", e, clock.GHz, nil, memtest.Request{Bytes: 4096}, memtest.Request{Cycle: 2000, Bytes: 4096})
		drive(t, e, newTimed(t, e, s), 50, r)
		require.Equal(t, 2000+1+20+c.cycles-1+1, r.Answer[1], "%+v", c)
	}
}

// Reference: the closed form of misses in parallel, throughput = min(width, M /
// latency). A register is taken for the tags, two links and the memory.
func TestMSHRsBoundTheThroughput(t *testing.T) {
	const n, latency, tag = 2000, 50, 6
	for _, m := range []int{1, 2, 8, 32, 64} {
		s := cache.DefaultTimedSpec()
		s.MSHRs, s.Queue = m, 64
		e := engine.New()
		r := memtest.New("Core", e, clock.GHz, nil)
		for i := range uint64(n) {
			r.List = append(r.List, memtest.Request{Bytes: 64, Addr: i * 64})
		}
		above, _ := drive(t, e, newTimed(t, e, s), latency, r)
		want := min(1, float64(m)/(latency+tag+2))
		require.InEpsilon(t, want, n/float64(r.Answer[n-1]-r.Answer[0]), 0.01, "%d MSHRs", m)
		require.EqualValues(t, min(m, latency+tag+2), above["mshrs_max"])
	}
}

// Hits go on while misses are under way, until a miss finds no MSHR.
func TestHitUnderMiss(t *testing.T) {
	s := cache.DefaultTimedSpec()
	s.MSHRs = 1
	e := engine.New()
	r := memtest.New("Core", e, clock.GHz, nil,
		memtest.Request{Bytes: 64},                                                                // fills line 0
		memtest.Request{Cycle: 500, Bytes: 64, Addr: 640}, memtest.Request{Cycle: 501, Bytes: 64}, // a hit behind a miss
		memtest.Request{Cycle: 502, Bytes: 64, Addr: 1280}, memtest.Request{Cycle: 503, Bytes: 64}) // a hit after a miss that waits
	above, _ := drive(t, e, newTimed(t, e, s), 50, r)
	require.EqualValues(t, 500+74, r.Answer[1])
	require.EqualValues(t, 501+22, r.Answer[2])
	freed := uint64(501 + 6 + 52)
	require.EqualValues(t, freed+73, r.Answer[3])
	require.EqualValues(t, freed+1+21, r.Answer[4])
	require.EqualValues(t, 1, above["mshr_waits"])
}

// Accesses to a line under way wait for it; more than merges wait in front.
func TestMerging(t *testing.T) {
	for merges, waits := range map[int]float64{8: 0, 2: 1} {
		s := cache.DefaultTimedSpec()
		s.Merges = merges
		e := engine.New()
		r := memtest.New("Core", e, clock.GHz, nil, memtest.Request{Bytes: 8}, memtest.Request{Bytes: 8, Addr: 8}, memtest.Request{Bytes: 8, Addr: 16}, memtest.Request{Bytes: 8, Addr: 24})
		above, below := drive(t, e, newTimed(t, e, s), 50, r)
		require.EqualValues(t, 1, below["reads"])
		require.EqualValues(t, 3, above["hits"])
		require.EqualValues(t, 1, above["misses"])
		require.EqualValues(t, waits, above["merge_waits"])
		if merges == 8 {
			require.Equal(t, []uint64{74, 74, 74, 74}, r.Answer)
			require.EqualValues(t, 3, above["delayed_hits"])
		} else {
			require.Equal(t, []uint64{74, 74, 1 + 59 + 20, 1 + 59 + 21}, r.Answer)
		}
	}
}

// Missing lines side by side share requests of up to burst bytes.
func TestRunsShareRequests(t *testing.T) {
	for burst, reads := range map[units.Bytes]float64{64: 64, 256: 16, 4096: 8} {
		s := cache.DefaultTimedSpec()
		s.Slices, s.Hash, s.Burst = 8, "ipoly", burst
		e := engine.New()
		r := memtest.New("Core", e, clock.GHz, nil, memtest.Request{Bytes: 4096, Addr: 8192})
		_, below := drive(t, e, newTimed(t, e, s), 50, r)
		require.Equal(t, reads, below["reads"], "burst %s", burst) // 8 slices find 8 lines in a cycle
	}
}

// randomSpec is a small cache of any shape.
func randomSpec(t *rapid.T) cache.TimedSpec {
	s := cache.DefaultTimedSpec()
	s.Ways = rapid.IntRange(1, 4).Draw(t, "ways")
	s.Slices = 1 << rapid.IntRange(0, 2).Draw(t, "slices")
	s.Hash = rapid.SampledFrom([]string{"linear", "xor", "ipoly"}).Draw(t, "hash")
	s.Sectors = 1 << rapid.IntRange(0, 3).Draw(t, "sectors")
	s.Size = units.Bytes(s.Slices*s.Ways*64) * units.Bytes(rapid.IntRange(1, 4).Draw(t, "sets"))
	s.Write = rapid.SampledFrom([]string{"back", "through", "around"}).Draw(t, "writes")
	s.Burst = units.Bytes(64 << rapid.IntRange(0, 3).Draw(t, "burst"))
	s.Policy.Name = rapid.SampledFrom([]string{"lru", "srrip", "drrip", "mru", "dco", "mockingjay"}).Draw(t, "policy")
	s.Banks = rapid.IntRange(1, 3).Draw(t, "banks")
	s.MSHRs = rapid.IntRange(1, 6).Draw(t, "mshrs")
	s.Merges = rapid.IntRange(1, 4).Draw(t, "merges")
	s.WriteBuffer = rapid.IntRange(1, 5).Draw(t, "buffer")
	s.Queue = rapid.IntRange(1, 4).Draw(t, "queue")
	s.Prefetch = rule(rapid.SampledFrom([]string{"none", "next_line", "tile", "stream", "stride", "spp", "bingo", "next_tile"}).Draw(t, "prefetch"), rapid.IntRange(1, 3).Draw(t, "degree"))
	s.Posted = rapid.Bool().Draw(t, "posted")
	s.Allocate = rapid.SampledFrom([]string{"miss", "fill"}).Draw(t, "allocate")
	s.Latency, s.TagLatency = units.InCycles(rapid.Uint64Range(2, 9).Draw(t, "latency")), units.InCycles(rapid.Uint64Range(0, 2).Draw(t, "tag"))
	return s
}

// One request at a time, both fidelities do the same: hits, misses, evictions and
// bytes below, whatever the cache is like.
func TestTimedEqualsFunctional(t *testing.T) {
	often(t, 4, func(t *rapid.T) {
		s := randomSpec(t)
		list := requests(t, 60, 3000)
		if s.Allocate == "fill" {
			// several lines under way at once take their ways in the order of their data
			s.Posted = false
			for i := range list {
				list[i].Addr &^= 63
				list[i].Bytes = min(list[i].Bytes, 64)
			}
		}
		run := func(build func(e *engine.Engine) node) map[string]float64 {
			e := engine.New()
			r := memtest.New("Core", e, clock.GHz, nil, list...)
			for i := range r.List {
				r.List[i].Cycle = 0
			}
			r.Window = 1
			c := build(e)
			above, _ := drive(t, e, c, 30, r)
			return above
		}
		// Requests of several lines reach the banks of a cache at once; only
		// where one bank has all of a slice are they in the order of addresses,
		// and policies of one state for all sets want one slice too.
		s.Banks, s.Slices = 1, 1
		s.Prefetch.Name = "none" // those that find no MSHR are dropped
		s.Size = units.Bytes(s.Ways * 64 * 3)
		timed := run(func(e *engine.Engine) node { return newTimed(t, e, s) })
		functional := run(func(e *engine.Engine) node {
			c, err := cache.NewFunctional("LLC", e, s.Spec)
			require.NoError(t, err)
			return c
		})
		names := []string{"hits", "evictions", "bypasses", "write_backs", "sector_misses", "below_write_bytes"}
		for _, n := range names {
			require.Equal(t, functional[n], timed[n], n)
		}
		require.Equal(t, functional["misses"], timed["misses"]+timed["merges"])
	})
}

// Whatever binds, all requests are answered, nothing is left under way, and where
// ways are taken at once the misses are those of the functional cache.
func TestTimedAnswersEverything(t *testing.T) {
	often(t, 4, func(t *rapid.T) {
		s := randomSpec(t)
		if rapid.IntRange(0, 8).Draw(t, "berti") == 0 { // which a functional cache does not have
			s.Prefetch = rule("berti", 0)
		}
		list := requests(t, 80, 3000)
		run := func(build func(e *engine.Engine) node, n int) map[string]float64 {
			e := engine.New()
			var rs []*memtest.Requester
			for i := range n {
				rs = append(rs, memtest.New([]string{"A", "B"}[i], e, clock.GHz, nil, list...))
			}
			above, _ := drive(t, e, build(e), rapid.Uint64Range(0, 40).Draw(t, "memory"), rs...)
			return above
		}
		run(func(e *engine.Engine) node { return newTimed(t, e, s) }, 2)
		if s.Allocate == "miss" {
			s.Prefetch.Name = "none" // a prefetch that comes late is no hit yet
			s.Slices, s.Banks = 1, 1
			timed := run(func(e *engine.Engine) node { return newTimed(t, e, s) }, 1)
			functional := run(func(e *engine.Engine) node {
				c, err := cache.NewFunctional("LLC", e, s.Spec)
				require.NoError(t, err)
				return c
			}, 1)
			require.Equal(t, functional["hits"], timed["hits"])
			require.Equal(t, functional["misses"], timed["misses"]+timed["merges"])
		}
	})
}

// Lines that wait are not looked up again before something has changed for them, and reads
// in a cache of whole lines take a shorter way; nothing shows it: neither times nor what was
// counted.
func TestWaitingLinesMissNothing(t *testing.T) {
	waited := 0.0
	check := func(t *rapid.T) {
		s := randomSpec(t)
		if rapid.Bool().Draw(t, "whole lines") {
			s.Sectors, s.Prefetch.Name, s.Allocate = 1, "none", "miss"
			s.WriteBuffer = rapid.SampledFrom([]int{1, 3, 6, 12, 32}).Draw(t, "entries")
			s.Width = units.Bytes(rapid.SampledFrom([]int{0, 16}).Draw(t, "width"))
		}
		memory := rapid.Uint64Range(0, 60).Draw(t, "memory")
		list := requests(t, 80, 3000)
		run := func(patient bool) (map[string]float64, []string) {
			e := engine.New()
			rs := []*memtest.Requester{memtest.New("A", e, clock.GHz, nil, list...), memtest.New("B", e, clock.GHz, nil, list...)}
			c := newTimed(t, e, s)
			if !patient {
				c.Impatient()
			}
			above, _ := drive(t, e, c, memory, rs...)
			return above, []string{rs[0].Log(), rs[1].Log()}
		}
		want, times := run(false)
		got, patient := run(true)
		require.Equal(t, want, got)
		require.Equal(t, times, patient)
		waited += got["mshr_waits"] * got["merge_waits"] * got["write_buffer_waits"]
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 5 { // what goes wrong with a write buffer that is full now and then is rare
			check(t)
		}
	})
	require.Positive(t, waited)
}

func TestTimedConformance(t *testing.T) {
	conforms(t, func(e sim.Engine) node {
		s := cache.DefaultTimedSpec()
		s.Size, s.Ways, s.Policy.Name, s.MSHRs, s.Slices, s.Sectors, s.WriteBuffer = 4096, 4, "drrip", 3, 4, 2, 3
		return newTimed(t, e, s)
	})
}

// A memory that does not answer is named.
func TestTimedSaysWhatItWaitsFor(t *testing.T) {
	e := engine.New()
	c := newTimed(t, e, cache.DefaultTimedSpec())
	m := newFlat(e, 1<<40)
	onMemory(t, e, c, m)
	r := memtest.New("Core", e, clock.GHz, c.GetPortByName("Top"), memtest.Request{Bytes: 64}, memtest.Request{Bytes: 64, Addr: 4096})
	memtest.Wire(e, c.GetPortByName("Top"), clock.GHz, r)
	r.Start()
	require.NoError(t, e.RunUntil(1e-6))
	require.Len(t, c.Waiting(), 1)
	require.Equal(t, "LLC waits for Mem.Top: 2 requests below are not answered", c.Waiting()[0].String())
	require.NotEmpty(t, c.Stats().Verify())
}

// deaf takes no answer.
type deaf struct{ *sim.ComponentBase }

func (deaf) Handle(sim.Event) error                  { return nil }
func (deaf) NotifyRecv(sim.VTimeInSec, sim.Port)     {}
func (deaf) NotifyPortFree(sim.VTimeInSec, sim.Port) {}

// A requester that takes no answer is named by the cache whose answers wait for it.
func TestTimedSaysWhoTakesNoAnswer(t *testing.T) {
	e := engine.New()
	c := newTimed(t, e, cache.DefaultTimedSpec())
	onMemory(t, e, c, newFlat(e, 10))
	x := deaf{sim.NewComponentBase("Core")}
	port, top := engine.NewPort(x, "Core.Mem", 1), c.GetPortByName("Top")
	w := engine.NewWire("Wire", e)
	w.Attach(port, clock.GHz, engine.EndOptions{Latency: 1, Buffer: 8})
	w.Attach(top, clock.GHz, engine.EndOptions{Latency: 1, Buffer: 2})
	require.Empty(t, c.Waiting())
	for range 8 {
		require.Nil(t, port.Send(mem.ReadReqBuilder{}.WithSrc(port).WithDst(top).WithByteSize(8).Build()))
	}
	var stuck *engine.Stuck
	require.ErrorAs(t, e.Run(), &stuck)
	require.Len(t, c.Waiting(), 1)
	require.Regexp(t, "^LLC waits for Core.Mem: 5 answers are not sent$", c.Waiting()[0].String())
}

// The time and the bandwidth that a timed cache promises are the latency of a hit and what all banks read in a cycle, with a
// clock of any period.
func TestNominal(t *testing.T) {
	for _, hz := range []uint64{1e9, 1.5e9, 0.7e9} {
		e := engine.New()
		s := cache.DefaultTimedSpec()
		s.Slices, s.Banks, s.Width = 2, 4, 32
		s.Clock.Clock = clock.Hz(hz)
		cycles, bandwidth := newTimed(t, e, s).Nominal()
		require.EqualValues(t, 20, cycles)
		require.InEpsilon(t, 32*8*8*float64(hz), float64(bandwidth), 1e-9) // bits per second
	}
}

// A cache of more banks than a word has bits, whose misses wait for registers, looks up each line in the bank that it
// belongs to: all requests are answered, with the hits and misses of a cache of one bank.
func TestManyBanks(t *testing.T) {
	var list []memtest.Request
	for i := range uint64(600) {
		list = append(list, memtest.Request{Addr: 64 * (i * 37 % 400), Bytes: 64, Write: i%5 == 0})
	}
	run := func(slices, banks int) map[string]float64 {
		s := cache.DefaultTimedSpec()
		s.Size, s.Slices, s.Banks, s.MSHRs, s.WriteBuffer = 128<<10, slices, banks, 1, 1024
		e := engine.New()
		got, _ := drive(t, e, newTimed(t, e, s), 50, memtest.New("A", e, clock.GHz, nil, list...))
		return got
	}
	one, many := run(1, 1), run(32, 4)
	for _, name := range []string{"accesses", "misses", "evictions"} {
		require.Equal(t, one[name], many[name], name)
	}
	require.EqualValues(t, 600, many["accesses"])
	require.Positive(t, many["mshr_waits"])
}
