package fabric

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/random"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/routing/deadlock"
	"github.com/causeway-sim/causeway/noc/topology"
)

// uniform offers packets of a flit to any terminal, at a load in thousandths.
type uniform struct {
	n       *Network
	ends    []int
	load    int
	streams random.Streams
	come    [][]network.Packet // of each part
}

func (u *uniform) Cause(int32) task.ID { return 0 }

func (u *uniform) Offer(part int, cycle int64) {
	first := 0
	if part > 0 {
		first = u.ends[part-1]
	}
	for t := first; t < u.ends[part]; t++ {
		if u.streams.IntN(t, 1000) < u.load && u.n.Free(t) {
			u.n.Offer(part, t, u.streams.IntN(t, len(u.streams)), 1, cycle)
		}
	}
}

func (u *uniform) Come(part int, p *network.Packet) {
	if u.come != nil {
		u.come[part] = append(u.come[part], *p)
	}
}

// driveUniform makes a dragonfly of BookSim's routers that packets are handed to by value.
func driveUniform(t testing.TB, p, a, h, load int) (*Network, *uniform) {
	d, err := topology.NewDragonfly(topology.DragonflySpec{P: p, A: a, H: h})
	require.NoError(t, err)
	alg, err := routing.New("min", d, nil)
	require.NoError(t, err)
	n, err := New(setting.BookSim(d, alg))
	require.NoError(t, err)
	proof, err := deadlock.Check(d, alg, 10_000_000)
	require.NoError(t, err)
	u := &uniform{n: n, load: load, streams: random.New(7, "load", d.Terminals())}
	var ahead int64
	u.ends, ahead = n.Drive(u, nil, proof)
	require.Len(t, u.ends, d.Groups())
	require.EqualValues(t, 101, ahead)
	return n, u
}

// The same packets come in the same cycles to every part, whichever worker simulates it and
// wherever a run is cut; and no flit and no credit is lost.
func TestWorkersAgree(t *testing.T) {
	run := func(workers int, cuts ...int64) (got [][]network.Packet) {
		n, u := driveUniform(t, 2, 4, 2, 300)
		u.come = make([][]network.Packet, len(u.ends))
		from := int64(0)
		for _, to := range append(cuts, 700) {
			for from < to {
				from = n.Window(from, to, false, workers)
			}
			n.TakeTally()
		}
		require.NoError(t, n.Check())
		for _, list := range u.come {
			for i := range list {
				list[i].ID = 0 // which packet's memory it is decides nothing
			}
			got = append(got, slices.Clone(list))
		}
		return got
	}
	want := run(1)
	require.Greater(t, len(want[0]), 500)
	for _, workers := range []int{2, 3, 8, 100} {
		require.Equal(t, want, run(workers), "%d workers", workers)
	}
	require.Equal(t, want, run(2, 1, 2, 100, 101, 102, 333, 606))
}
