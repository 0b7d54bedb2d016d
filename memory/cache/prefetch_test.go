package cache_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory/cache"
	"github.com/causeway-sim/causeway/memory/cache/prefetch"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// rule is a prefetcher by name, with a degree if it has one.
func rule(name string, degree int) cache.Prefetch {
	switch name {
	case "next_line", "tile", "stream":
		return prefetch.Named(name, prefetch.Ahead{Degree: degree})
	}
	return prefetch.Named(name, nil)
}

// Of a stream only what the prefetch cannot know misses: the first line, or with
// tiles the first request. Each line is brought once, and those ahead of the end.
func TestPrefetchOfAStream(t *testing.T) {
	const n, per = 64, 4 // requests of so many lines
	for _, c := range []struct {
		rule                       string
		degree                     int
		misses, prefetches, useful float64
	}{
		{"none", 1, n * per, 0, 0},
		{"next_line", 1, 1, n * per, n*per - 1},
		{"next_line", 4, 1, n*per + 3, n*per - 1},
		{"tile", 1, per, n * per, (n - 1) * per},
		{"tile", 2, per, (n + 1) * per, (n - 1) * per},
		{"stream", 20, 3 * 4, 61 * 4, 61 * 4}, // three lines of each page tell it
	} {
		list := []memtest.Request{}
		for i := range uint64(n) {
			list = append(list, memtest.Request{Cycle: i * 300, Bytes: per * 64, Addr: i * per * 64})
		}
		s := cache.DefaultTimedSpec()
		s.Prefetch = rule(c.rule, c.degree)
		for _, build := range []func(e *engine.Engine) node{
			func(e *engine.Engine) node { return newTimed(t, e, s) },
			func(e *engine.Engine) node {
				f, err := cache.NewFunctional("LLC", e, s.Spec)
				require.NoError(t, err)
				return f
			},
		} {
			e := engine.New()
			above, below := drive(t, e, build(e), 50, memtest.New("Core", e, clock.GHz, nil, list...))
			require.Equal(t, c.misses, above["misses"], "%+v", c)
			require.Equal(t, float64(n*per), above["hits"]+above["misses"])
			require.Equal(t, c.prefetches, above["prefetches"], "%+v", c)
			require.Equal(t, c.useful, above["useful_prefetches"], "%+v", c)
			require.Equal(t, 64*(c.misses+c.prefetches), below["read_bytes"], "%+v", c)
		}
	}
}

// A stream asks again for the lines that found no MSHR or no room: each line is brought once, and none is
// passed over.
func TestStreamsAskAgain(t *testing.T) {
	for _, mshrs := range []int{1, 2, 5, 64} {
		s := cache.DefaultTimedSpec()
		s.MSHRs, s.Prefetch = mshrs, rule("stream", 20)
		r := memtest.New("Core", nil, clock.GHz, nil)
		for i := range uint64(256) {
			r.List = append(r.List, memtest.Request{Cycle: i * 200, Bytes: 64, Addr: i * 64})
		}
		e := engine.New()
		above, below := drive(t, e, newTimed(t, e, s), 50, memtest.New("Core", e, clock.GHz, nil, r.List...))
		require.EqualValues(t, 256*64, below["read_bytes"], "%d MSHRs", mshrs)
		require.EqualValues(t, 256, above["misses"]+above["prefetches"])
		require.Equal(t, above["prefetches"], above["useful_prefetches"])
		if mshrs > 1 {
			require.EqualValues(t, 4*61, above["prefetches"], "all but the first three lines of each page")
		}
	}
}

// What is written around the cache is not read next, and calls for no prefetch; what is written into it does.
func TestWritesAroundPrefetchNothing(t *testing.T) {
	for write, want := range map[string]float64{"around": 0, "back": 4, "through": 4} {
		s := cache.DefaultTimedSpec()
		s.Write, s.Prefetch.Name = write, "next_line"
		for _, build := range both(t, s) {
			e := engine.New()
			var list []memtest.Request
			for i := range uint64(4) {
				list = append(list, memtest.Request{Cycle: 300 * i, Addr: 6400 * i, Bytes: 64, Write: true})
			}
			above, below := drive(t, e, build(e), 9, memtest.New("Core", e, clock.GHz, nil, list...))
			require.Equal(t, want, above["prefetches"], write)
			require.Equal(t, want, below["reads"], write)
		}
	}
}

// A prefetch that is on time hides the memory; one that is late, a part of it.
func TestPrefetchHidesLatency(t *testing.T) {
	s := cache.DefaultTimedSpec()
	s.Prefetch.Name = "next_line"
	e := engine.New()
	r := memtest.New("Core", e, clock.GHz, nil, memtest.Request{Bytes: 64}, memtest.Request{Cycle: 10, Bytes: 64, Addr: 64}, memtest.Request{Cycle: 200, Bytes: 64, Addr: 128})
	above, _ := drive(t, e, newTimed(t, e, s), 50, r)
	require.Equal(t, []uint64{74, 74, 222}, r.Answer)
	require.EqualValues(t, 1, above["delayed_hits"])
}

// What was prefetched is used, gone or there, in every fidelity and with every rule. Of what is used some is
// late, where memory is slow, and with few MSHRs some is dropped.
func TestPrefetchesAddUp(t *testing.T) {
	for _, name := range prefetch.All.Names() {
		if name == "none" || name == "next_tile" { // requests of these tests are of no tensor
			continue
		}
		s := cache.DefaultTimedSpec()
		s.Size, s.Ways, s.MSHRs, s.Prefetch = 8<<10, 4, 4, rule(name, 4)
		for fidelity, build := range fidelities(t, s) {
			if name == "berti" && fidelity == "functional" {
				continue
			}
			var list []memtest.Request
			for i := range uint64(2000) {
				line := i * 3 % 1024 // strides of pages, twice over
				list = append(list, memtest.Request{Cycle: i * 40, Bytes: 64, Addr: line * 64, Write: i%97 == 5})
			}
			e := engine.New()
			c := build(e)
			above, _ := drive(t, e, c, 100, memtest.New("Core", e, clock.GHz, nil, list...))
			there := 0.0
			for line := range uint64(1 << 12) {
				there += cache.LinesAhead(c, line)
			}
			require.Positive(t, above["prefetches"], "%s %s", name, fidelity)
			require.Equal(t, above["prefetches"], above["useful_prefetches"]+above["useless_prefetches"]+there, "%s %s", name, fidelity)
			if fidelity == "timed" {
				require.LessOrEqual(t, above["late_prefetches"], above["useful_prefetches"], name)
				require.True(t, name == "stream" || above["dropped_prefetches"]+above["late_prefetches"] > 0, "%s; a stream asks again", name)
			}
		}
	}
}

// With allocate: fill a miss calls for lines as with allocate: miss.
func TestPrefetchWhereLinesTakeTheirWaysLate(t *testing.T) {
	for _, allocate := range []string{"miss", "fill"} {
		s := cache.DefaultTimedSpec()
		s.Allocate, s.Prefetch = allocate, rule("next_line", 2)
		e := engine.New()
		above, _ := drive(t, e, newTimed(t, e, s), 50, memtest.New("Core", e, clock.GHz, nil,
			memtest.Request{Bytes: 64}, memtest.Request{Cycle: 20, Bytes: 64, Addr: 64}, memtest.Request{Cycle: 400, Bytes: 64, Addr: 128}))
		require.EqualValues(t, 4, above["prefetches"], allocate)
		require.EqualValues(t, 2, above["useful_prefetches"], allocate)
		require.EqualValues(t, 1, above["late_prefetches"], allocate)
	}
}

// A rule that measures times has none in a functional cache.
func TestTimersWantTime(t *testing.T) {
	s := cache.DefaultSpec()
	s.Prefetch = rule("berti", 0)
	_, err := cache.NewFunctional("LLC", engine.New(), s)
	require.ErrorContains(t, err, "want fidelity: timed")
}

// Lines ahead push out others: in a cache of one set they can do harm.
func TestPrefetchPollutes(t *testing.T) {
	s := cache.DefaultSpec()
	s.Size, s.Ways = 128, 2
	s.Prefetch.Name = "next_line"
	e := engine.New()
	c, err := cache.NewFunctional("LLC", e, s)
	require.NoError(t, err)
	var list []memtest.Request
	for i := range uint64(20) {
		list = append(list, memtest.Request{Bytes: 64, Addr: i % 2 * 6400})
	}
	above, _ := drive(t, e, c, 5, memtest.New("Core", e, clock.GHz, nil, list...))
	require.Zero(t, above["hits"])
	require.EqualValues(t, 20, above["prefetches"])
	require.Zero(t, above["useful_prefetches"])
	require.EqualValues(t, 38, above["unused_evictions"])
}
