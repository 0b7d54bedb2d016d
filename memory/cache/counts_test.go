package cache_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// parts are the times of a cache's causes in nanoseconds.
func parts(c node) map[string]float64 {
	out := map[string]float64{}
	for _, p := range c.(system.Causal).Causes().Parts {
		out[p.Name] = p.Time
	}
	return out
}

// The causes of a cache with time add up to the cycles in which a request is open, from its acceptance
// to its answer. A cache without time reports the latencies of its requests, and no more than the time
// from the first request to the last answer.
func TestCausesAddUpToTheOpenTime(t *testing.T) {
	often(t, 4, func(t *rapid.T) {
		s := randomSpec(t)
		list := requests(t, 40, 3000)
		for name, build := range fidelities(t, s) {
			e := engine.New()
			r := memtest.New("Core", e, clock.GHz, nil, list...)
			r.Window = rapid.IntRange(1, 4).Draw(t, "window") // as many as the cache accepts at once
			c := build(e)
			drive(t, e, c, rapid.Uint64Range(0, 40).Draw(t, "memory"), r)
			type span struct{ from, to uint64 }
			var spans []span
			latencies := uint64(0)
			for i := range list {
				spans = append(spans, span{r.Send[i] + 1, r.Answer[i] - 1})
				latencies += r.Answer[i] - r.Send[i] - 2
			}
			slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
			open, until, last := uint64(0), uint64(0), uint64(0)
			for _, x := range spans {
				open += max(x.to, until) - max(x.from, until)
				until = max(until, x.to)
				last = max(last, x.to)
			}
			sum := 0.0
			for _, ns := range parts(c) {
				sum += ns
			}
			want := open
			if name == "functional" {
				want = min(latencies, last-spans[0].from)
			}
			require.InDelta(t, want, sum, 1e-6, name)
		}
	})
}

// Each cause on requests few enough to follow by hand: latency 20, tags 6, memory 50, a cycle on each
// link. A line is under way for 6+52 cycles, and its data take the other 14 of the latency.
func TestCausesByHand(t *testing.T) {
	line := func(cycle, n uint64) memtest.Request {
		return memtest.Request{Cycle: cycle, Addr: 64 * n, Bytes: 64}
	}
	written := func(q memtest.Request) memtest.Request { q.Write = true; return q }
	for name, c := range map[string]struct {
		change func(s *cache.TimedSpec)
		list   []memtest.Request
		want   map[string]float64
	}{
		"a miss":                  {nil, []memtest.Request{line(0, 0)}, map[string]float64{"below": 58, "lookup": 14}},
		"a hit after it":          {nil, []memtest.Request{line(0, 0), line(500, 0)}, map[string]float64{"below": 58, "lookup": 14 + 20}},
		"two misses, one MSHR":    {func(s *cache.TimedSpec) { s.MSHRs = 1 }, []memtest.Request{line(0, 0), line(0, 1)}, map[string]float64{"below": 1 + 58, "mshrs_full": 57, "lookup": 14}},
		"merges of one":           {func(s *cache.TimedSpec) { s.Merges = 1 }, []memtest.Request{line(0, 0), line(0, 0)}, map[string]float64{"below": 1, "merges_full": 57, "lookup": 20}},
		"eight lines in one bank": {nil, []memtest.Request{line(0, 0), {Cycle: 500, Addr: 0, Bytes: 512}, {Cycle: 1000, Addr: 0, Bytes: 512}}, map[string]float64{"below": 58 + 58, "lookup": 14 + 14 + 20, "bank_conflicts": 7 + 7}},
		"writes, a buffer of one": {func(s *cache.TimedSpec) { s.WriteBuffer, s.Write = 1, "around" }, []memtest.Request{written(line(0, 0)), written(line(0, 1))}, map[string]float64{"lookup": 1 + 20, "write_buffer_full": 51}},
	} {
		s := cache.DefaultTimedSpec()
		if c.change != nil {
			c.change(&s)
		}
		e := engine.New()
		llc := newTimed(t, e, s)
		drive(t, e, llc, 50, memtest.New("Core", e, clock.GHz, nil, c.list...))
		require.Equal(t, c.want, parts(llc), name)
	}
}

// A run that is continued by Repeat has the metrics of one that ran as long: all that grows is declared,
// and what Repeat leaves as it is stays by its nature.
func TestRepeatIsRunningLonger(t *testing.T) {
	const period, more = 5000, 3
	s := cache.DefaultTimedSpec()
	s.Size, s.Ways, s.MSHRs, s.WriteBuffer, s.Merges, s.Detail = 1024, 2, 2, 1, 1, []string{"slice", "kind"}
	s.ReuseDistance, s.Sectors = true, 2
	for name, build := range fidelities(t, s) {
		run := func(periods int, repeat uint64) (map[string]float64, map[string]float64, []string) {
			e := engine.New()
			c, m := build(e), newFlat(e, 50)
			onMemory(t, e, c, m)
			r := memtest.New("Core", e, clock.GHz, c.GetPortByName("Top"))
			for p := range periods {
				for i := range uint64(60) {
					r.List = append(r.List, memtest.Request{Cycle: period*uint64(p) + 3*i, Addr: 96 * (i * i % 23), Bytes: 96, Write: i%3 == 0})
				}
			}
			memtest.Wire(e, r.Dst, clock.GHz, r)
			r.Start()
			require.NoError(t, e.RunUntil(1.5*period*1e-9))
			from := c.Stats().Tally()
			require.NoError(t, e.RunUntil(2.5*period*1e-9))
			to := c.Stats().Tally()
			require.NoError(t, e.Run())
			if repeat > 0 {
				c.Stats().Repeat(from, to, repeat)
			}
			return metrics(c.Stats()), parts(c), c.Stats().Stayed()
		}
		long, longParts, _ := run(3+more, 0)
		short, shortParts, stayed := run(3, more)
		require.Subset(t, []string{"dirty_bytes", "reuse_distance_p50", "reuse_distance_p90", "reuse_distance_p99", "cold_misses", "lru_hits"}, stayed)
		require.Subset(t, stayed, []string{"dirty_bytes", "reuse_distance_p50", "reuse_distance_p90", "reuse_distance_p99", "cold_misses", "lru_hits"})
		for _, metric := range append(stayed, "bandwidth") { // time itself is not repeated here
			delete(long, metric)
			delete(short, metric)
		}
		require.InDeltaMapValues(t, long, short, 1e-6, name)
		if name == "timed" {
			require.InDeltaMapValues(t, longParts, shortParts, 1e-6)
			for _, metric := range []string{"mshr_waits", "merge_waits", "write_buffer_waits"} {
				require.Positive(t, long[metric], metric)
			}
		}
	}
}

// The metrics of a cache are those of its keys.
func TestMetricsOfKeys(t *testing.T) {
	base := strings.Fields(`accesses area area_policy bandwidth below_read_bytes below_reads below_write_bytes below_writes bypasses
		controls dirty_bytes energy evictions hit_rate hits latency_max latency_mean miss_ratio misses read_bytes reads sector_misses
		unused_evictions write_backs write_bytes writes back_invalidations clean_victims dirty_lines_lost lines_lost lines_moved_up victims`)
	timed := strings.Fields("delayed_hits merge_waits merges mshr_waits mshrs_max write_buffer_waits")
	for _, c := range []struct {
		change    func(s *cache.TimedSpec)
		more, not string
	}{
		{func(*cache.TimedSpec) {}, "", ""},
		{func(s *cache.TimedSpec) { s.Energy.Process = "none" }, "", "energy"},
		{func(s *cache.TimedSpec) { s.Flush.Op = "clean" }, "flushed_bytes flush_time", ""},
		{func(s *cache.TimedSpec) { s.Prefetch = rule("next_line", 1) }, "prefetches useful_prefetches useless_prefetches", ""},
		{func(s *cache.TimedSpec) { s.ReuseDistance = true }, "cold_misses lru_hits reuse_distance_p50 reuse_distance_p90 reuse_distance_p99", ""},
		{func(s *cache.TimedSpec) { s.Detail = []string{"slice"} }, "slice_0_accesses slice_0_hits slice_0_bypasses", ""},
	} {
		s := cache.DefaultTimedSpec()
		c.change(&s)
		for name, build := range fidelities(t, s) {
			want := slices.Concat(base, strings.Fields(c.more))
			if name == "timed" {
				want = append(want, timed...)
				if s.Prefetch.On() {
					want = append(want, "late_prefetches", "dropped_prefetches")
				}
			}
			want = slices.DeleteFunc(want, func(m string) bool { return slices.Contains(strings.Fields(c.not), m) })
			var got []string
			llc := build(engine.New())
			for _, m := range llc.Stats().Declared() {
				if !strings.HasSuffix(m.Name, "_hit_rate") { // of what detail counts
					got = append(got, m.Name)
				}
			}
			require.ElementsMatch(t, want, got, name)
			h := llc.Stats().Holdings()
			require.Len(t, h, 1)
			require.Equal(t, h[0].Size*64, h[0].Bytes, "lines of 64 B")
			require.Zero(t, h[0].Held)
		}
	}
}

// What takes no time has no bandwidth, and what misses nothing has no latency but its own.
func TestMetricsOfOneRequest(t *testing.T) {
	for _, build := range both(t, cache.DefaultTimedSpec())[1:] {
		e := engine.New()
		got, _ := drive(t, e, build(e), 9, memtest.New("Core", e, clock.GHz, nil, memtest.Request{Bytes: 64, Write: true}))
		require.NotContains(t, got, "bandwidth")
		require.Zero(t, got["latency_max"])
		require.Equal(t, []float64{0, 1}, []float64{got["hit_rate"], got["miss_ratio"]})
		require.Contains(t, got, "hit_rate")
	}
	for _, build := range both(t, cache.DefaultTimedSpec()) {
		e := engine.New()
		llc := build(e)
		onMemory(t, e, llc, newFlat(e, 9))
		for _, metric := range []string{"hit_rate", "miss_ratio", "bandwidth", "latency_mean", "latency_max"} {
			require.NotContains(t, metrics(llc.Stats()), metric, "without a request")
		}
	}
}

// The distances of reuse are those of a list: between two accesses to a line lie so many others, and percentile p is that of index p n / 100. A fully
// associative LRU cache hits what lies closer than its lines.
func TestReuseDistancesOfAList(t *testing.T) {
	often(t, 3, func(t *rapid.T) {
		s := cache.DefaultTimedSpec()
		s.Ways, s.ReuseDistance = rapid.IntRange(1, 4).Draw(t, "ways"), true
		lines := 2 * s.Ways
		s.Size = units.Bytes(64 * lines)
		var list []memtest.Request
		var stack []uint64 // the line used last in front
		cold, hits, distances := 0, 0, []int{}
		for range rapid.IntRange(1, 60).Draw(t, "n") {
			l := rapid.Uint64Range(0, 12).Draw(t, "line")
			list = append(list, memtest.Request{Addr: 64 * l, Bytes: 64})
			i := slices.Index(stack, l)
			if i < 0 {
				cold++
			} else {
				distances = append(distances, i)
				stack = slices.Delete(stack, i, i+1)
				if i < lines {
					hits++
				}
			}
			stack = slices.Insert(stack, 0, l)
		}
		slices.Sort(distances)
		for name, build := range fidelities(t, s) {
			e := engine.New()
			got, _ := drive(t, e, build(e), 9, memtest.New("Core", e, clock.GHz, nil, list...))
			require.EqualValues(t, cold, got["cold_misses"], name)
			require.EqualValues(t, hits, got["lru_hits"], name)
			if len(distances) == 0 {
				require.NotContains(t, got, "reuse_distance_p50")
				continue
			}
			for p, metric := range map[int]string{50: "reuse_distance_p50", 90: "reuse_distance_p90", 99: "reuse_distance_p99"} {
				require.EqualValues(t, distances[p*len(distances)/100], got[metric], "%s: %s of %v", name, metric, distances)
			}
		}
	})
}

// An observer sees each byte that is asked for once, while its line takes its bank, and never more at a time than
// the banks move.
func TestMovedBytesAreThoseOfRequests(t *testing.T) {
	often(t, 2, func(t *rapid.T) {
		s := randomSpec(t)
		s.Width = units.Bytes(rapid.SampledFrom([]int{0, 8, 64}).Draw(t, "width"))
		list := requests(t, 40, 3000)
		e := engine.New()
		c := newTimed(t, e, s)
		moved := c.Stats().Observable()[0]
		require.Equal(t, "moved_bytes", moved.Name)
		series := moved.Watch()
		got, _ := drive(t, e, c, 30, memtest.New("Core", e, clock.GHz, nil, list...))
		require.InDelta(t, got["read_bytes"]+got["write_bytes"], series.Sum(), 1e-6)
		width := s.Width
		if width == 0 {
			width = 64
		}
		require.InDelta(t, float64(int(width)*s.Slices*s.Banks), moved.Peak(), 1e-9)
	})
}
