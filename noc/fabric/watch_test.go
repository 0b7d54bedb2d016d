package fabric

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A logbook is a watcher that notes where sampled packets are.
type logbook struct {
	t      *testing.T
	n      *Network
	routes map[int32][]int // routers left, by packet under way
	hops   []int           // of packets that have come, in their order
}

func (l *logbook) Wants() bool { return true }

func (l *logbook) Enter(id, tag, flits int32, terminal int) {
	require.NotContains(l.t, l.routes, id)
	require.EqualValues(l.t, terminal, l.n.pool.at(id).Src)
	require.Zero(l.t, tag%network.Sampled)
	require.EqualValues(l.t, 3, flits)
	l.routes[id] = []int{}
}

func (l *logbook) Pass(id int32, router int) {
	require.Contains(l.t, l.routes, id)
	l.routes[id] = append(l.routes[id], router)
}

func (l *logbook) Leave(id int32) {
	require.Contains(l.t, l.routes, id)
	for i := 1; i < len(l.routes[id]); i++ {
		require.True(l.t, neighbours(l.n.cfg.Topology, l.routes[id][i-1], l.routes[id][i]))
	}
	l.hops = append(l.hops, len(l.routes[id]))
	delete(l.routes, id)
}

func neighbours(t topology.Topology, a, b int) bool {
	for p := range t.Ports(a) {
		if r, _, ok := t.Peer(a, p); ok && r == b {
			return true
		}
	}
	return false
}

// Every 64th packet is followed from its terminal, router by router, until it has come.
func TestSampledPackets(t *testing.T) {
	d, err := topology.NewDragonfly(topology.DragonflySpec{P: 2, A: 4, H: 2})
	require.NoError(t, err)
	min, err := routing.New("min", d, nil)
	require.NoError(t, err)
	for _, cfg := range []setting.Config{setting.BookSim(d, min), setting.FOGSim(d, min)} {
		n, err := New(cfg)
		require.NoError(t, err)
		log := &logbook{t: t, n: n, routes: map[int32][]int{}}
		n.Watch(log)
		var want []int // hops of all packets that were marked, in the order they came
		n.Delivered = func(d Delivery) {
			if d.Tag%network.Sampled == 0 {
				want = append(want, d.Hops)
			}
		}
		rng := rand.New(rand.NewPCG(1, 1))
		for i := range int32(1000) {
			src := rng.IntN(n.Terminals())
			n.SendTagged(src, (src+1+rng.IntN(n.Terminals()-1))%n.Terminals(), 3, i)
		}
		for !n.Quiet() {
			n.Step()
		}
		require.Len(t, want, 16)
		require.Equal(t, want, log.hops)
		require.Empty(t, log.routes)
	}
}
