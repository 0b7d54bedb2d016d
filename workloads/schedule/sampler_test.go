package schedule

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
)

// Layers are simulated until two in a row take and move the same; then all but the last are
// skipped, and that one tells the error. A later run that begins alike is known.
func TestSampler(t *testing.T) {
	s := NewSampler(0.01)
	ended := func(took units.Time, moved float64, after int) int {
		return s.Ended(Period{Signature: 7, Took: took, Difference: Difference{All: moved}, After: after})
	}
	s.Begin()
	require.Zero(t, ended(1200, 0, 9), "the first is cold")
	require.Zero(t, ended(1000, 0, 8), "another time")
	require.Zero(t, ended(1000, 0.2, 7), "another traffic")
	require.Equal(t, 5, ended(1005, 0.001, 6))
	require.Equal(t, units.Time(1005), s.Took())
	require.Zero(t, ended(1010, 0, 0), "the last one")
	require.InDelta(t, 5.0/1005, s.Count.Error, 1e-9)
	s.Begin()
	require.Equal(t, 9, ended(1203, 0, 9), "begins as the run before")
	require.Equal(t, units.Time(1005), s.Took())
	s.Begin()
	require.Zero(t, ended(1100, 0, 9), "begins otherwise")
	s.Begin()
	require.Zero(t, ended(1203, 0.1, 9), "begins at the same time, and moves otherwise")
	require.Empty(t, s.Doubts())

	note := func(d Difference) { s.Note(Period{Signature: 3, Took: 100, Difference: d}) }
	note(Difference{})
	_, ok := s.Known(3)
	require.False(t, ok)
	note(Difference{Node: 0.21})
	_, ok = s.Known(3)
	require.False(t, ok, "a node moves otherwise")
	note(Difference{})
	took, ok := s.Known(3)
	require.True(t, ok)
	require.Equal(t, units.Time(100), took)
}

// A period that does not take the predicted time is reported by Doubts, and the next run of its
// signature is measured anew.
func TestSamplerIsWrong(t *testing.T) {
	s := NewSampler(0.01)
	s.Begin()
	s.Ended(Period{Signature: 7, Took: 1000, After: 9})
	require.Equal(t, 7, s.Ended(Period{Signature: 7, Took: 1000, After: 8}))
	require.Zero(t, s.Ended(Period{Signature: 7, Took: 1040, Difference: Difference{Node: 0.5}}))
	require.Equal(t, "parts of the run taken as equal are not: one of those after them, simulated besides, took up to 4 % more or less than said (want at most 3 %) and moved up to 50 % more or less at a node than said (want at most 20 %) (simulation.repeat: exact simulates all)", strings.Join(s.Doubts(), "|"))
	s.Begin()
	require.Zero(t, s.Ended(Period{Signature: 7, Took: 1000, After: 9}))
}

// passes lets a store with place for size entries go by passes of n periods, each of which uses
// each entries of its own over and over; it returns how many were simulated in each pass, and
// how far the entries that came are from those of a run without sampling (the dumb twin).
func passes(size, each, n, times int) (simulated []int, off float64, doubts []string) {
	s := NewSampler(0.01)
	var real lru
	var twin lru
	came, want := 0.0, 0.0
	for pass := range times {
		s.Begin()
		count, before := 0, Store{}
		for k := 0; k < n; {
			p := Period{Signature: 1, Took: 1000, After: n - 1 - k, Again: pass < times-1}
			c, grown := real.use(k, each, size)
			x := Store{Where: "LLC", What: "lines", Size: uint64(size), Held: uint64(len(real)), Came: uint64(c), Grown: int64(grown)}
			p.Took += units.Time(c)
			if before.Size > 0 {
				p.Node = max(float64(x.Came), float64(before.Came)) - min(float64(x.Came), float64(before.Came)) + max(float64(x.Went()), float64(before.Went())) - min(float64(x.Went()), float64(before.Went()))
				p.Node /= max(float64(x.Came), 1)
			}
			p.Stores = []Store{x}
			before = x
			count++
			skip := s.Ended(p)
			came += float64(c * (1 + skip))
			k += 1 + skip
		}
		simulated = append(simulated, count)
		for k := range n {
			c, _ := twin.use(k, each, size)
			want += float64(c)
		}
	}
	all := 0
	for _, k := range simulated {
		all += k
	}
	if s.Count.Simulated != all || s.Count.Skipped != n*times-all || s.Count.Waited < 0 || s.Count.Waited > all || s.Count.Checked > 1 {
		doubts = append(doubts, fmt.Sprintf("%d of %d periods were simulated, counted as %+v", all, n*times, s.Count))
	}
	return simulated, came/want - 1, append(doubts, s.Doubts()...)
}

// lru is a store of which the entry goes that was used longest ago.
type lru []int

func (l *lru) use(period, each, size int) (came, grown int) {
	before := len(*l)
	for i := range each {
		e := period*each + i
		at := -1
		for k, x := range *l {
			if x == e {
				at = k
			}
		}
		if at < 0 {
			came++
		} else {
			*l = append((*l)[:at:at], (*l)[at+1:]...)
		}
		if *l = append(*l, e); len(*l) > size {
			*l = (*l)[1:]
		}
	}
	return came, len(*l) - before
}

// What comes into a store is that of the full run, whether it holds a part of a layer, some
// layers or the whole model; where it holds little or all, few layers are simulated.
func TestStores(t *testing.T) {
	for _, c := range []struct {
		size  int
		first int // periods simulated in the first pass, and in the last
		last  int
	}{{5, 4, 1}, {10, 4, 2}, {39, 12, 6}, {120, 32, 18}, {300, 32, 32}, {320 + 30, 4, 4}, {1000, 4, 4}} {
		got, off, doubts := passes(c.size, 10, 32, 4)
		require.InDelta(t, 0, off, 0.001, "%d: %v", c.size, got)
		require.Empty(t, doubts, c.size)
		require.LessOrEqual(t, got[0], c.first, "%d: %v", c.size, got)
		require.LessOrEqual(t, got[3], c.last, "%d: %v", c.size, got)
	}
}
