package result_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/experiment/result"
	"github.com/causeway-sim/causeway/components/stats"
)

// Tables that hold their rows and those that make them when they are read are joined into the same
// rows, and the tables of the nodes stay as they are.
func TestJoinedRowsAreThoseOfTheNodes(t *testing.T) {
	columns := []stats.Column{{Name: "layer"}, {Name: "cycles", Unit: stats.Cycle}}
	var names []string
	var held, views []*stats.Table
	for node := range 3 {
		h := &stats.Table{Columns: columns}
		for i := range node + 1 {
			h.Append(append(make([]any, 0, 2+node), fmt.Sprintf("conv%d", i), uint64(10*node+i))...)
		}
		h.Rows[0] = append(make([]any, 0, 4), h.Rows[0]...) // with room for the name
		names, held = append(names, fmt.Sprintf("Core[%d]", node)), append(held, h)
		views = append(views, stats.View(columns, h.Len(), func(i int, row []any) { copy(row, h.Rows[i]) }))
	}
	where := stats.Column{Name: "where"}
	got, want := result.Join(names, held, where), result.Join(names, views, where)
	require.Equal(t, want.Columns, got.Columns)
	require.Equal(t, want.Rows, got.Rows)
	require.Len(t, got.Rows, 6)
	require.Equal(t, []any{"conv1", uint64(21), "Core[2]"}, got.Rows[4])
	for _, h := range held {
		require.Len(t, h.Rows[0], 2)
	}
}
