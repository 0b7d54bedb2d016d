package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/workloads/graph"
)

func TestInLayer(t *testing.T) {
	for name, want := range map[string]struct {
		n    int
		rest string
		ok   bool
	}{"L3.q": {3, "q", true}, "L12.E4.gate": {12, "E4.gate", true}, "norm": {0, "norm", false}, "lm.head": {0, "lm.head", false}, "L-1.q": {0, "L-1.q", false}, "L7": {0, "L7", false}} {
		n, rest, ok := graph.InLayer(name)
		require.Equal(t, want.ok, ok, name)
		require.Equal(t, want.n, n, name)
		require.Equal(t, want.rest, rest, name)
	}
}
