package fabric_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
)

// A held terminal gets no more than it has given credits for; let go, it gets
// all, in the time that the channel needs.
func TestHeldTerminalStopsTheNetwork(t *testing.T) {
	n, _ := scene{topology: "mesh", routing: "dor", pattern: "uniform"}.build(t, func(c *setting.Config) { c.Depth = 4; c.VCs = 2 })
	came := map[int]int{}
	n.Delivered = func(d fabric.Delivery) {
		require.EqualValues(t, 7, d.Tag)
		came[d.Dst]++
	}
	n.Hold(9, true)
	for i := range 300 {
		for src := range 4 {
			n.SendTagged(src*13, 9, 1, 7)
			n.SendTagged(src*13, 40, 1, 7)
		}
		if i == 299 {
			break
		}
		n.Step()
	}
	for range 3000 {
		n.Step()
		require.NoError(t, n.Check())
	}
	require.Equal(t, 2*4, came[9], "credits of two virtual channels of four flits")
	n.Hold(9, false)
	for range 6000 {
		n.Step()
	}
	require.Equal(t, map[int]int{9: 1200, 40: 1200}, came)
	require.True(t, n.Quiet())
	require.NoError(t, n.Check())
}

// A network that was quiet and skipped is as one that has stood all the time.
func TestSkippedCyclesAreAsEmptyOnes(t *testing.T) {
	run := func(skip bool) (out []int64) {
		n, _ := scene{topology: "dragonfly", spec: df72, routing: "min", pattern: "uniform"}.build(t, nil)
		n.Delivered = func(d fabric.Delivery) { out = append(out, d.Arrived, int64(d.Src)) }
		for _, at := range []int64{0, 400, 401, 5000} {
			for n.Now() < at {
				if skip && n.Quiet() {
					n.Skip(at)
				} else {
					n.Step()
				}
			}
			for src := range 72 {
				n.Send(src, (src*7+3)%72, 3, false)
			}
		}
		for !n.Quiet() {
			n.Step()
		}
		return out
	}
	a, b := run(false), run(true)
	require.Equal(t, a, b)
	require.Len(t, a, 2*4*72)
	n, _ := scene{topology: "mesh", routing: "dor", pattern: "uniform"}.build(t, nil)
	n.Send(0, 1, 1, false)
	require.Panics(t, func() { n.Skip(100) })
}
