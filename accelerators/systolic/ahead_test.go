package systolic

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Weights are fetched ahead where they come while the last step computes, or where no other core
// waits. What is not fetched ahead counts as no prefetch of the next job.
func TestWeightsAheadComeWithinTheLastStep(t *testing.T) {
	for _, c := range []struct {
		most, last uint64
		ahead      bool
	}{{0, 0, true}, {100, 100, true}, {101, 100, false}} {
		next := &job{early: 7}
		a := &lookahead{next: next, most: c.most}
		got := a.after(c.last)
		require.Equal(t, c.ahead, got == a, "%+v", c)
		require.Equal(t, c.ahead, got != nil, "%+v", c)
		require.Equal(t, c.ahead, next.early == 7, "%+v", c)
	}
	require.Nil(t, (*lookahead)(nil).after(5))
}

// Weights of the second step come before inputs of the first where they take no longer than twice the
// latency, or where the first step computes for less than the latency.
func TestWeightsOfTheSecondStepWait(t *testing.T) {
	for _, c := range []struct {
		first, weights int64
		ahead          bool
	}{{1000, 200, true}, {1000, 201, false}, {100, 1000, true}, {101, 1000, false}, {0, 0, true}} {
		require.Equal(t, c.ahead, secondAhead(c.first, c.weights, 100), "%+v", c)
	}
}
