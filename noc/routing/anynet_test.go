package routing_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// search is Dijkstra's as BookSim's anynet does it: the first router on the way from
// one to another.
func search(near func(v int) []int, n, from int) (first []int) {
	dist, prev, done := make([]int, n), make([]int, n), make([]bool, n)
	for v := range dist {
		dist[v], prev[v] = math.MaxInt, -1
	}
	dist[from] = 0
	for range n {
		best := -1
		for v := range n {
			if !done[v] && (best < 0 || dist[v] < dist[best]) {
				best = v
			}
		}
		done[best] = true
		for _, u := range near(best) {
			if dist[best]+1 < dist[u] {
				dist[u], prev[u] = dist[best]+1, best
			}
		}
	}
	first = make([]int, n)
	for v := range n {
		first[v] = v
		for v != from && prev[first[v]] != from {
			first[v] = prev[first[v]]
		}
	}
	return first
}

func TestAnynetIsTheSearch(t *testing.T) {
	for _, dims := range [][]int{{4, 4}, {8, 8}, {5, 3}, {1, 6}, {7, 1}} {
		top, err := topology.New("mesh", topology.GridSpec{Dims: dims})
		require.NoError(t, err)
		alg, err := routing.New("anynet", top, nil)
		require.NoError(t, err)
		near := func(v int) (out []int) {
			for p := range top.Ports(v) {
				if u, _, ok := top.Peer(v, p); ok {
					out = append(out, u)
				}
			}
			return out
		}
		n := top.Routers()
		for from := range n {
			want := search(near, n, from)
			for to := range n {
				hop := alg.Next(&standing{router: from}, &routing.Packet{Dst: int32(to)})
				next, _, ok := top.Peer(from, hop.Port)
				if to == from {
					require.False(t, ok)
					continue
				}
				require.Equal(t, want[to], next, "%v: %d to %d", dims, from, to)
			}
		}
	}
}

// standing is a view that knows where the packet is.
type standing struct {
	routing.View
	router int
}

func (s *standing) Router() int { return s.router }
