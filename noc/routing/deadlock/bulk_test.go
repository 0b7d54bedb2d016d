package deadlock

import (
	"errors"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// On small networks the walk in bulk finds every channel and step that the walk
// of every single packet finds, and the longest way.
func TestBulkIsExact(t *testing.T) {
	for _, s := range []topology.DragonflySpec{
		{P: 1, A: 4, H: 2}, {P: 1, A: 3, H: 1, Arrangement: topology.Palmtree}, {P: 1, A: 4, H: 2, G: 4, Arrangement: topology.Relative},
		{P: 1, A: 2, H: 1}, {P: 1, A: 3, H: 1, G: 1}, {P: 1, A: 1, H: 3},
	} {
		d, err := topology.NewDragonfly(s)
		require.NoError(t, err)
		for _, e := range routing.All.Entries() {
			a, err := e.New(d, nil)
			var not *routing.TopologyError
			if errors.As(err, &not) {
				continue
			}
			require.NoError(t, err)
			bulk, ok := a.(routing.Bulk)
			if !ok {
				continue
			}
			t.Run(fmt.Sprint(e.Name, s), func(t *testing.T) {
				all, few := newChecker(d, a, nil, 0), newChecker(d, a, bulk, 0)
				for _, c := range []*checker{all, few} {
					require.NoError(t, c.explore())
					require.NoError(t, c.depths())
					c.connect()
				}
				for i, w := range all.edges {
					require.Zero(t, w&^few.edges[i], "steps of channel %v", all.channel(int32(i/all.words)))
				}
				require.LessOrEqual(t, all.proof.MaxHops, few.proof.MaxHops)
				t.Logf("%d %d; %d %d", all.proof.Steps, few.proof.Steps, all.proof.Decisions, few.proof.Decisions)
			})
		}
	}
}

// 264 routers for every algorithm, and the 2,064 of a network of 16,512 terminals
// for the one that decides most, in fewer decisions than a node follows before a run.
func TestLargeNetworksAreDecided(t *testing.T) {
	const budget = 10_000_000
	for _, s := range []topology.DragonflySpec{{P: 4, A: 8, H: 4}, {P: 8, A: 16, H: 8}} {
		d, err := topology.NewDragonfly(s)
		require.NoError(t, err)
		for _, e := range routing.All.Entries() {
			a, err := e.New(d, nil)
			if err != nil || s.P > 4 && (e.Name != "rlm" || os.Getenv("CAUSEWAY_LONG") == "") {
				continue
			}
			proof, err := Check(d, a, budget)
			require.NoError(t, err)
			require.True(t, proof.Free(), "%s: %v", e.Name, proof)
		}
	}
}
