package ecc_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/dram/ecc"
)

// Lines are a list in the order of use: the last of it is replaced, and written if it was changed.
func TestLinesReplaceTheLeastRecentlyUsed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "size")
		l := ecc.NewLines(ecc.Geometry{Banks: 2, Rows: 16, Columns: 8}, n)
		var held []int // the latest first
		dirty := map[int]bool{}
		for range rapid.IntRange(0, 60).Draw(t, "uses") {
			of, write := rapid.IntRange(0, 8).Draw(t, "of"), rapid.Bool().Draw(t, "write")
			_, hit, out := l.Use(of, write)
			at := slices.Index(held, of)
			require.Equal(t, at >= 0, hit)
			want := ecc.None
			switch {
			case at >= 0:
				held = slices.Delete(held, at, at+1)
			case len(held) == n:
				if last := held[n-1]; dirty[last] {
					want = last
					delete(dirty, last)
				}
				held = held[:n-1]
			}
			require.Equal(t, want, out)
			held = slices.Insert(held, 0, of)
			dirty[of] = dirty[of] || write
		}
	})
}

// Eight bursts have their check bits in one, in the last eighth of the rows of another bank; no two bursts of check bits lie at one place.
func TestPlaces(t *testing.T) {
	g := ecc.Geometry{Banks: 4, Rows: 32, Columns: 16}
	l := ecc.NewLines(g, 0)
	data := map[int]int{}
	at := map[ecc.Place]int{}
	for bank := range g.Banks {
		for row := range g.Rows {
			for col := range g.Columns {
				of := l.Of(bank, uint32(row), uint32(col))
				data[of]++
				p := l.Place(of)
				require.Equal(t, (bank+2)%4, p.Bank)
				require.GreaterOrEqual(t, p.Row, uint32(g.Rows-g.Rows/8))
				if other, ok := at[p]; ok {
					require.Equal(t, other, of)
				}
				at[p] = of
			}
		}
	}
	for _, n := range data {
		require.Equal(t, 8, n)
	}
	require.Len(t, at, len(data))
}

// Every read of data is told once, by Ask or by Come, and numbers are used again only when all were told.
func TestPending(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := ecc.NewPending()
		type state struct {
			joined, asked, told int
			came                bool
		}
		live := map[int]*state{}
		for range rapid.IntRange(0, 80).Draw(t, "steps") {
			ids := []int{}
			for i := range live {
				ids = append(ids, i)
			}
			slices.Sort(ids)
			what := rapid.IntRange(0, 3).Draw(t, "what")
			if what == 0 || len(ids) == 0 {
				i := p.Begin()
				require.NotContains(t, live, i)
				live[i] = &state{}
				continue
			}
			i := rapid.SampledFrom(ids).Draw(t, "read")
			s := live[i]
			switch {
			case what == 1 && !s.came:
				p.Join(i)
				s.joined++
			case what == 2 && s.asked < s.joined:
				s.asked++
				done, ok := p.Ask(i, ecc.Wait{Tag: uint32(i)})
				require.Equal(t, s.came, ok)
				if ok {
					require.EqualValues(t, 100+i, done)
					s.told++
				}
			case what == 3 && !s.came:
				s.came = true
				p.Come(i, int64(100+i), func(w ecc.Wait) {
					require.EqualValues(t, i, w.Tag)
					s.told++
				})
				require.Equal(t, s.asked, s.told)
			}
			if s.came && s.told == s.joined {
				delete(live, i)
			}
		}
	})
}

// The scrubber reads every burst once, row by row, and begins again.
func TestWalker(t *testing.T) {
	g := ecc.Geometry{Banks: 2, Rows: 3, Columns: 4}
	w := ecc.NewWalker(g)
	first := w.Next()
	seen := map[ecc.Place]bool{first: true}
	for range 23 {
		p := w.Next()
		require.False(t, seen[p])
		seen[p] = true
	}
	require.Equal(t, first, w.Next())
}

func TestSettings(t *testing.T) {
	require.NoError(t, ecc.DefaultSetting().Check())
	require.False(t, ecc.Setting{}.On())
	require.True(t, ecc.Setting{Kind: "inline"}.On())
	require.ErrorContains(t, ecc.Setting{Kind: "parity"}.Check(), `unknown kind "parity" (want one of: none, side_band, inline)`)
	require.ErrorContains(t, ecc.Setting{Kind: "inline", Cache: -1}.Check(), "a cache of -1 bursts")
}
