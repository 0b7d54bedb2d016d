package cause

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Each instant counts for one thing, and turns in one instant leave the last.
func TestTurns(t *testing.T) {
	var x Turns
	x.Turn(10, 1)
	x.Turn(15, 2)
	x.Turn(15, 1)
	x.Turn(30, 0)
	x.Turn(40, 2)
	x.Turn(41, 0)
	require.Equal(t, [3]uint64{20, 20, 1}, [3]uint64{x.Sum(0), x.Sum(1), x.Sum(2)})
}
