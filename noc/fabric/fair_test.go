package fabric

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// The virtual channels of an input that all want one output, and always could send,
// are served in turn: in any row of grants each wins as often as the others, give or
// take one.
func TestVirtualChannelsShareAnOutputFairly(t *testing.T) {
	for _, a := range []setting.Allocator{setting.InputFirst, setting.ISLIP} {
		rapid.Check(t, func(t *rapid.T) {
			vcs := rapid.IntRange(2, 6).Draw(t, "vcs")
			first := rapid.IntRange(0, vcs-1).Draw(t, "pointer")
			top, err := topology.New("crossbar", topology.CrossbarSpec{Terminals: 3})
			require.NoError(t, err)
			alg, err := routing.New("min", top, nil)
			require.NoError(t, err)
			c := setting.BookSim(top, alg)
			c.VCs, c.Depth, c.Allocator = vcs, 128, a
			n, err := New(c)
			require.NoError(t, err)
			n.ports[1].vcPtr = int16(first)
			for i := range vcs { // a packet of 120 flits waits in each, and holds an output channel
				at := n.v + i
				n.Send(1, 0, 120, false)
				id := n.nics[1].last
				for k := range 120 {
					f := id << flitShift
					if k == 0 {
						f |= headFlit
					}
					if k == 119 {
						f |= tailFlit
					}
					if k == 0 {
						n.lanes[at].front = f
					} else {
						n.ring[at<<n.shift+k-1] = f
					}
				}
				l := &n.lanes[at]
				l.count, l.way = 120, 0
				n.hold(0, at, i)
				n.parts[0].wake(0)
			}
			n.nics[1] = nic{port: n.nics[1].port, lastVC: none}
			won := make([]int, vcs)
			for range rapid.IntRange(vcs, 15*vcs).Draw(t, "grants") {
				before := make([]int32, vcs)
				for i := range vcs {
					before[i] = n.lanes[n.v+i].count
				}
				n.parts[0].switchLanes(0, true)
				n.parts[0].now++
				for i := range vcs {
					won[i] += int(before[i] - n.lanes[n.v+i].count)
				}
			}
			least, most := won[0], won[0]
			for _, w := range won {
				least, most = min(least, w), max(most, w)
			}
			require.LessOrEqual(t, most-least, 1, fmt.Sprint(a, won))
		})
	}
}
