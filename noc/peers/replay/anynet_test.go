package replay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// anyMesh is the mesh as the artifact's BookSim builds it: four terminals first, then
// neighbours by number.
func anyMesh(t testing.TB, n int) (topology.Topology, routing.Algorithm) {
	var text strings.Builder
	for v := range n * n {
		fmt.Fprintf(&text, "terminals %d 4\n", v)
		if v%n+1 < n {
			fmt.Fprintf(&text, "channel %d %d\n", v, v+1)
		}
		if v+n < n*n {
			fmt.Fprintf(&text, "channel %d %d\n", v, v+n)
		}
	}
	top, err := topology.Read(strings.NewReader(text.String()), "mesh")
	require.NoError(t, err)
	return top, &anyRoute{top, n}
}

type anyRoute struct {
	t topology.Topology
	n int
}

func (a *anyRoute) Classes() int { return 1 }
func (a *anyRoute) Next(v routing.View, p *routing.Packet) routing.Hop {
	to, port := a.t.Home(int(p.Dst))
	at := v.Router()
	if at == to {
		return routing.Hop{Port: port, Class: routing.AnyClass}
	}
	x, tx, y, ty := at%a.n, to%a.n, at/a.n, to/a.n
	next := at
	switch {
	case ty < y:
		next -= a.n
	case tx < x:
		next--
	case tx > x:
		next++
	default:
		next += a.n
	}
	return routing.Hop{Port: topology.Between(a.t, at, next)[0], Class: 0}
}
