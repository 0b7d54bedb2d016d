package plan

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWithoutIndices(t *testing.T) {
	require.Equal(t, "Tile.Core", withoutIndices("Tile[3].Core[0]"))
	require.Equal(t, "Core", withoutIndices("Core"))
}
