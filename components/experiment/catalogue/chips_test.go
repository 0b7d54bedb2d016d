package catalogue

import (
	"testing"

	"github.com/stretchr/testify/require"

	_ "github.com/causeway-sim/causeway/configs/yaml"
)

// Every preset of a GPU is a row with units, peaks and a source, equal to its data sheet.
func TestChips(t *testing.T) {
	table, err := Chips()
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(table.Rows), 18)
	rows := map[any][]any{}
	for _, r := range table.Rows {
		rows[r[0]] = r
		require.NotZero(t, r[2], r[0])
		require.Greater(t, r[7], 0.0, r[0])
		require.NotEmpty(t, r[9], r[0])
	}
	a := rows["a100"]
	require.Equal(t, "sm80", a[1])
	require.InDelta(t, 312, a[4], 0.5)
	require.InDelta(t, 624, a[5], 1)
	require.InDelta(t, 2039, a[7], 1e-6)
	require.Equal(t, 80.0, ByName(table)["a100"]["GB"])
}

func TestASheetOfWrongUnitsIsAnError(t *testing.T) {
	_, err := readSheet("x", []byte("sms: 8\nclock: fast\n"))
	require.ErrorContains(t, err, "x.yaml:2:8")
}
