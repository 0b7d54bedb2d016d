package hammer_test

import (
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
			if d.Activated(0, uint32(r)).Low {
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
		require.False(t, d.Activated(0, 5).Low)
	}
	for range 3 {
		d.Refreshed(0)
	}
	for range 9 {
		require.False(t, d.Activated(0, 5).Low)
	}
	require.True(t, d.Activated(0, 5).High)
}

// A regular refresh takes the threshold of RFM off the count of a bank.
func TestRefreshCountsForRFM(t *testing.T) {
	d, err := hammer.Setting{Mitigation: "rfm", Threshold: 3}.New(hammer.Chip{Banks: 2, Rows: 64, Refreshes: 3})
	require.NoError(t, err)
	require.Zero(t, d.Activated(0, 1))
	require.Zero(t, d.Activated(0, 1))
	d.Refreshed(0)
	require.Zero(t, d.Activated(0, 2))
	require.Zero(t, d.Activated(0, 2))
	require.Equal(t, hammer.Ask{Manage: hammer.RFMOfBank, Times: 1}, d.Activated(0, 2))
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
	chip := hammer.Chip{Banks: 1, Rows: 64, Refreshes: 8192}
	for want, s := range map[string]hammer.Setting{
		`unknown mitigation "trr" (want one of: none, para, graphene, rfm, prac)`: {Mitigation: "trr"},
		"probability 1.5":   {Mitigation: "para", Probability: 1.5},
		"threshold -1":      {Mitigation: "rfm", Threshold: -1},
		"3 RFM commands an": {Mitigation: "prac", PerAlert: 3},
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
