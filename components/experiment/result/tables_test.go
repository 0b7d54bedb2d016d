package result

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/stats"
)

// A joined table of many rows, which are made when they are read, prints as the tables one after
// the other do, and keeps no rows.
func TestJoinOfManyRows(t *testing.T) {
	part := func(columns string, n int) *stats.Table {
		t := &stats.Table{}
		for _, c := range columns {
			t.Columns = append(t.Columns, stats.Column{Name: string(c)})
		}
		for i := range n {
			row := []any{}
			for _, c := range columns {
				row = append(row, fmt.Sprintf("%c%d", c, i))
			}
			t.Append(row...)
		}
		return t
	}
	tables := []*stats.Table{part("ab", 3), part("ca", kept), part("b", 2)}
	many := Join([]string{"X", "Y", "Z"}, tables, stats.Column{Name: "where"})
	require.Empty(t, many.Rows)
	require.Equal(t, kept+5, many.Len())
	require.Equal(t, []any{"a2", "b2", "X", nil}, many.Row(2))
	require.Equal(t, []any{"a0", nil, "Y", "c0"}, many.Row(3))
	require.Equal(t, []any{nil, "b1", "Z", nil}, many.Row(kept+4))
	require.Equal(t, string(TableCSV(many.Held())), string(TableCSV(many)))
	few := Join([]string{"X", "Z"}, []*stats.Table{tables[0], tables[2]}, stats.Column{Name: "where"})
	require.Len(t, few.Rows, 5)
	require.Equal(t, []any{nil, "b1", "Z"}, Part(few, []int32{4, 0}).Row(0)[0:3])
}
