package loss

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// Changes happen in order of time, those of one time as they were planned; a hop that is
// lost twice is lost once.
func TestPlan(t *testing.T) {
	n := &transit.Network{}
	for range 3 {
		require.NoError(t, n.AddHop(&transit.Hop{}, link.DefaultConfig()))
	}
	n.Seal()
	var seen []string
	dead := func() (out string) {
		for _, h := range n.Hops {
			out += map[bool]string{true: "x", false: "-"}[h.Dead()]
		}
		return out
	}
	p := Plan{Network: n, Refill: func(at int64) error {
		require.EqualValues(t, 20, at)
		seen = append(seen, "refill "+dead())
		return nil
	}}
	require.EqualValues(t, link.Never, p.Next())
	p.FillAgain(20)
	p.Lose(n.Hops[2], 30)
	p.Lose(n.Hops[0], 10)
	p.Lose(n.Hops[1], 20) // after the tables of that time
	p.Lose(n.Hops[0], 30)
	for _, at := range []int64{10, 20, 20, 30, 30} {
		require.Equal(t, at, p.Next())
		require.NoError(t, p.Happen(at))
		seen = append(seen, dead())
	}
	require.Equal(t, []string{"x--", "refill x--", "x--", "xx-", "xxx", "xxx"}, seen)
	require.Zero(t, p.Len())
	require.EqualValues(t, link.Never, p.Next())
	for _, h := range n.Hops {
		require.EqualValues(t, link.Never, h.Next(), "nothing happens on a lost link")
	}
}
