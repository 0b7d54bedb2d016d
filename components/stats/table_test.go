package stats

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// A table of a view reads as one that was filled with its rows, also after Settle.
func TestAViewReadsAsAFilledTable(t *testing.T) {
	columns := []Column{{Name: "layer"}, {Name: "start", Unit: Cycle}, {Name: "share", Unit: Percent}}
	cells := func(i int) []any {
		if i == 2 {
			return []any{"c", uint64(2), math.NaN()}
		}
		return []any{string(rune('a' + i)), uint64(i), 1.5 * float64(i)}
	}
	held := &Table{Columns: columns}
	for i := range 4 {
		held.Append(cells(i)...)
	}
	view := View(columns, 4, func(i int, row []any) { copy(row, cells(i)) })
	require.Empty(t, view.Rows)
	require.Equal(t, held.Settle("t"), view.Settle("t"))
	require.Equal(t, held.Rows, view.Held().Rows)
	require.Nil(t, view.Row(2)[2])
	require.Equal(t, held.Len(), view.Len())
	for i, row := range view.All() {
		require.Equal(t, held.Row(i), row)
	}
	for _, x := range []*Table{held, view} {
		n := 0
		for i, row := range x.Each() {
			require.Equal(t, held.Row(i), row)
			n++
		}
		require.Equal(t, 4, n)
	}
	require.True(t, view.Any(func(row []any) bool { return row[0] == "d" }))
	require.False(t, view.Any(func(row []any) bool { return row[0] == "e" }))
	require.Panics(t, func() { view.Append("e", uint64(4), 0.0) })
}
