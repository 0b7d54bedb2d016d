package experiment

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Whoever watches a run is told how far it is and who waits for whom, and the run goes on:
// here until it is told the second time.
func TestLive(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var seen []Live
	config := strings.Replace(observedConfig, "count: 3000", "count: 100000000", 1)
	x, err := Parse("c", []byte(config), Options{Live: func(l Live) {
		if seen = append(seen, l); len(seen) == 2 {
			stop()
		}
	}})
	require.NoError(t, err)
	r, _, err := x.Run(ctx, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, Incomplete, r.Status)
	require.Positive(t, seen[0].Time)
	require.Greater(t, seen[1].Time, seen[0].Time)
	require.Contains(t, strings.Join(seen[0].Waits, "\n"), "Driver waits for")
}
