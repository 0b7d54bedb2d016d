package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/allocator"
)

// An input sends one credit per cycle, however many flits won in it.
func TestCreditsLeaveOnePerCycle(t *testing.T) {
	n := crossbar(t, 2)
	q := &n.ports[1]
	p := n.parts[0]
	p.back(0, q)
	p.back(1, q)
	first, second := p.now+int64(q.latency)+1, p.now+int64(q.latency)+2
	c := &n.credits[len(n.ports)+int(q.peer)]
	for vc, at := range []int64{first, second} {
		_, early := p.takeCredit(c, at-1)
		require.False(t, early)
		got, ok := p.takeCredit(c, at)
		require.True(t, ok)
		require.Equal(t, vc, got)
	}
	require.Zero(t, c.n)
}

// Of two virtual channels of an input that want one output that next to the
// pointer asks.
func TestLanesOfAnInputTakeTurns(t *testing.T) {
	n := crossbar(t, 4)
	n.ports[1].vcPtr = 2 // input 1: lanes 4 to 7
	want := func(lane int16, lanes ...int16) {
		t.Helper()
		var reqs []allocator.Request
		for _, l := range lanes {
			reqs = n.ask(0, reqs, 0, allocator.Request{In: 1, Lane: l})
		}
		require.Equal(t, []allocator.Request{{In: 1, Lane: lane}}, reqs)
	}
	want(6, 4, 5, 6, 7)
	want(7, 4, 5, 7)
	want(4, 4, 5)
	require.Len(t, n.ask(0, []allocator.Request{{In: 1, Lane: 4}}, 0, allocator.Request{In: 1, Out: 2, Lane: 5}), 2, "another output")
	require.Len(t, n.ask(0, []allocator.Request{{}}, 1, allocator.Request{In: 1, Lane: 5}), 2, "another input")
}

// Four packets of one flit each wait in four lanes of an input, for one output:
// they win in turn, and the pointer stands after the last.
func TestTheTurnMovesOn(t *testing.T) {
	n := crossbar(t, 4)
	for range 6 {
		n.Send(1, 0, 3, false)
	}
	turns := map[int16]bool{}
	for range 60 {
		before := n.flitHops
		n.Step()
		if n.flitHops != before {
			turns[n.ports[1].vcPtr] = true
		}
	}
	require.Len(t, turns, 4)
}

func TestStuckOnlyAfterPatience(t *testing.T) {
	n := crossbar(t, 1)
	n.Send(0, 1, 1, false)
	n.Step()
	require.EqualValues(t, 1, n.InFlight())
	p := n.parts[0]
	p.now = p.lastMove + patience + n.wheelMask - 1
	require.NoError(t, n.Stuck())
	p.now++
	require.Error(t, n.Stuck())
}
