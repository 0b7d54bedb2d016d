package hammer_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/memory/dram/hammer"
)

// Graphene keeps its promise with a table as small as the paper allows: no row is activated more
// often than the threshold before its neighbours are refreshed, whatever the order of rows.
//
// Reference: Park et al., MICRO 2020, section IV-C.
func TestGrapheneLetsNoRowPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		threshold := rapid.IntRange(2, 20).Draw(t, "threshold")
		n := rapid.IntRange(1, 600).Draw(t, "activations")
		rows := rapid.SliceOfN(rapid.IntRange(0, rapid.IntRange(0, 60).Draw(t, "rows")), n, n).Draw(t, "row")
		s := hammer.Setting{Mitigation: "graphene", Threshold: threshold}
		d, err := s.New(hammer.Chip{Banks: 1, Rows: 64, Window: n, Refreshes: 8192})
		require.NoError(t, err)
		since := map[int]int{}
		for _, r := range rows {
			since[r]++
			if d.Activated(0, uint32(r), 0).Low {
				since[r] = 0
			}
			require.Less(t, since[r], threshold)
		}
	})
}

// After the refreshes of a window the tables are empty: a row starts anew.
func TestGrapheneStartsAnew(t *testing.T) {
	d, err := hammer.Setting{Mitigation: "graphene", Threshold: 10, Entries: 4}.New(hammer.Chip{Banks: 1, Rows: 64, Refreshes: 3})
	require.NoError(t, err)
	for range 9 {
		require.False(t, d.Activated(0, 5, 0).Low)
	}
	for range 3 {
		d.Refreshed(0)
	}
	for range 9 {
		require.False(t, d.Activated(0, 5, 0).Low)
	}
	require.True(t, d.Activated(0, 5, 0).High)
}

// A regular refresh takes the threshold of RFM off the count of a bank.
func TestRefreshCountsForRFM(t *testing.T) {
	d, err := hammer.Setting{Mitigation: "rfm", Threshold: 3}.New(hammer.Chip{Banks: 2, Rows: 64, Refreshes: 3})
	require.NoError(t, err)
	require.Zero(t, d.Activated(0, 1, 0))
	require.Zero(t, d.Activated(0, 1, 0))
	d.Refreshed(0)
	require.Zero(t, d.Activated(0, 2, 0))
	require.Zero(t, d.Activated(0, 2, 0))
	require.Equal(t, hammer.Ask{Manage: hammer.RFMOfBank, Times: 1}, d.Activated(0, 2, 0))
	row, ok := d.Managed(0)
	require.True(t, ok)
	require.Equal(t, uint32(2), row)
	_, ok = d.Managed(1)
	require.False(t, ok, "of a bank without activations")
}

// The exposure of a row ends with its own activation, its regular refresh and one inside the chip.
func TestExposure(t *testing.T) {
	e := hammer.NewExposure(hammer.Chip{Banks: 1, Rows: 16, Refreshes: 8})
	for range 5 {
		e.Activate(0, 3)
		e.Activate(0, 5)
	}
	require.Equal(t, 5, e.Rows)
	require.Equal(t, 10, e.Near)
	e.Activate(0, 4)
	e.Activate(0, 3)
	require.Equal(t, 10, e.Near, "row 4 was opened")
	for range 9 {
		e.Activate(0, 5)
	}
	require.Equal(t, 14, e.Near, "of row 6, which nothing refreshed")
	e.Inside(0, 6)
	for range 4 { // rows 0 to 7
		e.Refreshed(0)
	}
	e.Activate(0, 5)
	require.Equal(t, 14, e.Near)
	require.Equal(t, 14, e.Rows)
	e.Activate(0, 0)
	e.Activate(0, 15)
}

func TestSettings(t *testing.T) {
	chip := hammer.Chip{Banks: 1, Rows: 64, Refreshes: 8192, Burst: 4, Columns: 1}
	for want, s := range map[string]hammer.Setting{
		`unknown mitigation "trr" (want one of: none, para, graphene, rfm, prac, hydra, blockhammer)`: {Mitigation: "trr"},
		"probability 1.5":   {Mitigation: "para", Probability: 1.5},
		"threshold -1":      {Mitigation: "rfm", Threshold: -1},
		"3 RFM commands an": {Mitigation: "prac", PerAlert: 3},
		"a limit of 17 activations with a threshold of 9 (want at least tw": {Mitigation: "blockhammer", Threshold: 9, Limit: 17},
		"20 entries of hydra (want up to 16, or a mul":                      {Mitigation: "hydra", Entries: 20},
		"group -1": {Mitigation: "hydra", Group: -1},
		"counters of 64 rows a bank fill the memory": {Mitigation: "hydra", Threshold: 1 << 20},
	} {
		_, err := s.New(chip)
		require.ErrorContains(t, err, want)
	}
	d, err := hammer.Setting{Mitigation: "none"}.New(chip)
	require.NoError(t, err)
	require.Nil(t, d)
	require.True(t, hammer.Reads("prac", "per_alert"))
	require.False(t, hammer.Reads("rfm", "per_alert"))
}

// BlockHammer keeps its promise, however small the filters are, and whatever the order in which rows are asked for: no row is
// opened more often than the limit in two halves of a refresh window one after the other. In a window that begins within
// a half these are twice the threshold, and the delays of half a window.
//
// Reference: Yağlıkçı et al., HPCA 2021, section 5.
func TestBlockHammerLimitsRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		threshold := rapid.IntRange(1, 20).Draw(t, "threshold")
		limit := 2*threshold + rapid.IntRange(0, 20).Draw(t, "more")
		const clocks, cycle = 4000, 10
		delay := (clocks - threshold*cycle + limit - threshold - 1) / (limit - threshold)
		s := hammer.Setting{Mitigation: "blockhammer", Threshold: threshold, Limit: limit, Entries: rapid.IntRange(1, 64).Draw(t, "entries")}
		d, err := s.New(hammer.Chip{Banks: 1, Rows: 64, Clocks: clocks, Cycle: cycle})
		require.NoError(t, err)
		b := d.(hammer.Delayer)
		opened := map[uint32][]int64{}
		now := int64(0)
		rows := rapid.IntRange(1, 4).Draw(t, "rows")
		for now < 5*clocks {
			row := uint32(rapid.IntRange(0, rows-1).Draw(t, "row"))
			if rapid.IntRange(0, 50).Draw(t, "pause") == 0 {
				now += clocks / 7
			}
			b.Delays(now)
			at := b.Until(0, row, now)
			b.Activated(0, row, at)
			now = at + cycle
			list := append(opened[row], at)
			opened[row] = list
			if n, most := len(list), max(limit, 2*threshold+clocks/2/delay); n > most {
				require.Greater(t, at-list[n-1-most], int64(clocks), "row %d", row)
			}
			from := max(0, at/(clocks/2)-1) * (clocks / 2)
			first, _ := slices.BinarySearch(list, from)
			require.LessOrEqual(t, len(list)-first, limit, "row %d", row)
		}
	})
}

// Hydra counts no row less than it is opened: none is opened more often than the threshold before its neighbours are
// refreshed, with whatever cache.
func TestHydraLetsNoRowPass(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		threshold := rapid.IntRange(2, 30).Draw(t, "threshold")
		s := hammer.Setting{Mitigation: "hydra", Threshold: threshold, Group: rapid.IntRange(1, 20).Draw(t, "group"), Entries: rapid.SampledFrom([]int{1, 3, 16, 32}).Draw(t, "entries")}
		d, err := s.New(hammer.Chip{Banks: 2, Rows: 64, Refreshes: 8192, Burst: 8, Columns: 4})
		require.NoError(t, err)
		since := map[[2]int]int{}
		held := map[[2]int]bool{}
		for range rapid.IntRange(1, 800).Draw(t, "activations") {
			at := [2]int{rapid.IntRange(0, 1).Draw(t, "bank"), rapid.IntRange(0, 59).Draw(t, "row")}
			since[at]++
			ask := d.Activated(at[0], uint32(at[1]), 0)
			if ask.Low {
				since[at] = 0
			}
			require.Less(t, since[at], threshold)
			for _, a := range ask.Accesses {
				require.True(t, a.Row >= 60 && a.Row < 64 && a.Col < 4 && a.Bank < 2, "the last rows: %v", a)
				held[[2]int{int(a.Row), int(a.Col)*2 + a.Bank}] = held[[2]int{int(a.Row), int(a.Col)*2 + a.Bank}] || a.Write
				require.True(t, held[[2]int{int(a.Row), int(a.Col)*2 + a.Bank}], "a counter is written before it is read")
			}
		}
	})
}

// Rows that hold counters are counted in the controller, and after the refreshes of a window all counts start anew.
func TestHydraCountsItsOwnRows(t *testing.T) {
	d, err := hammer.Setting{Mitigation: "hydra", Threshold: 10}.New(hammer.Chip{Banks: 1, Rows: 64, Refreshes: 3, Burst: 64, Columns: 4})
	require.NoError(t, err)
	for i := range 30 {
		require.Equal(t, hammer.Ask{Low: i%10 == 9, High: i%10 == 9}, d.Activated(0, 63, 0))
	}
	for range 8 {
		require.Empty(t, d.Activated(0, 5, 0))
	}
	require.Equal(t, []hammer.Access{{Row: 63, Write: true}, {Row: 63}}, d.Activated(0, 5, 0).Accesses, "the group is full")
	require.True(t, d.Activated(0, 5, 0).Low)
	for range 3 {
		d.Refreshed(0)
	}
	for range 8 {
		require.Empty(t, d.Activated(0, 5, 0))
	}
	require.Len(t, d.Activated(0, 5, 0).Accesses, 2)
}
