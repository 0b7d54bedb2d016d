package channel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/noc/topology"
)

// play carries out a schedule whose sums take no time, and returns its cycles.
func play(t *testing.T, n *channel.Network, s *collective.Schedule) (at uint64) {
	type end struct{ rank, op int32 }
	sends := map[int32]end{}
	came, started := map[int32]bool{}, map[int32]end{}
	tr := collective.NewTracker(s)
	var now uint64
	var begin func(rank, op int32)
	done := func(e end) { tr.Done(e.rank, e.op, begin) }
	begin = func(rank, op int32) {
		switch o := s.Ops[rank][op]; o.Kind {
		case collective.Send:
			sends[o.Tag] = end{rank, op}
			n.Send(channel.Message{ID: o.Tag, Src: rank, Dst: o.Peer, Bytes: o.Bytes}, now)
		case collective.Copy:
			done(end{rank, op})
		default:
			if started[o.Tag] = (end{rank, op}); came[o.Tag] {
				done(started[o.Tag])
			}
		}
	}
	tr.Start(begin)
	for next := uint64(0); next != channel.None; {
		now = next
		var got []int32
		next = n.Advance(now, func(a channel.Arrival) { got = append(got, a.ID) })
		for _, tag := range got {
			at = now
			done(sends[tag])
			came[tag] = true
			if e, ok := started[tag]; ok {
				done(e)
			}
		}
		if len(got) > 0 {
			next = min(next, now+1)
		}
	}
	return at
}

// Where links of one level cost nothing, a collective of two levels takes what the other
// level's bytes take, uncontended: g ranks in each of k groups, B bytes, rates in bytes per
// cycle of a rank's link and of what a group's ranks share between two groups.
func TestLevelsTimes(t *testing.T) {
	const g, k, n = 4, 4, 16
	const b = 64 * n * n
	tp, alg := build(t, "fully_connected", topology.FullSpec{Routers: k, Concentration: g}, "min")
	for o, want := range map[collective.Operation][2]uint64{
		collective.AllReduce:     {2 * (g - 1) * b / g, 2 * (k - 1) * b / n},
		collective.ReduceScatter: {(g - 1) * b / g, (k - 1) * b / n},
		collective.AllGather:     {(g - 1) * k * b, (k - 1) * b},
	} {
		s, err := collective.New("hierarchical", collective.Request{Operation: o, Ranks: n, Bytes: b}, collective.HierarchicalSpec{Pipeline: collective.Pipeline{Chunks: 1}, Group: g})
		require.NoError(t, err)
		run := func(terminal, local float64) uint64 {
			net, err := channel.New(channel.Config{Topology: tp, Routing: alg, Width: 1, Terminal: channel.Link{Rate: terminal}, Local: channel.Link{Rate: local}})
			require.NoError(t, err)
			return play(t, net, s)
		}
		across := run(0, g) // g ranks share what lies between two groups
		require.InDelta(t, float64(want[1]), float64(across), float64(k*2), "%s across", o)
		inside := run(1, 0)
		require.GreaterOrEqual(t, inside, want[0], "%s inside", o)
		require.LessOrEqual(t, inside, want[0]+want[1]+4*n, "%s: a rank's link carries both levels", o)
	}
}
