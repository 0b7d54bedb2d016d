package fabric

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A ring of credits against a plain list of them: the same come in the same cycles,
// whenever a sender looks, however often the ring has grown, and where the low bits of cycles
// begin anew.
func TestCreditsAreAList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := crossbar(t, 4)
		p := n.parts[0]
		type one struct {
			cycle int64
			vc    int
		}
		var list []one
		out := int(n.nics[1].port)
		now := rapid.SampledFrom([]int64{0, 1<<27 - 40, 1<<32 - 20, 1<<40 + 5}).Draw(t, "now")
		latest := now
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "send") {
				latest = max(latest, now) + rapid.Int64Range(0, 30).Draw(t, "later")
				vc := rapid.IntRange(0, 3).Draw(t, "vc")
				p.now, p.creditedUntil = now, now
				n.lanes[out*n.v+vc].used++
				n.ports[out].used++
				p.credit(int32(out), latest, vc)
				list = append(list, one{latest, vc})
				continue
			}
			now += rapid.Int64Range(0, 20).Draw(t, "wait")
			p.now, p.creditedUntil = now, now
			p.recount(out)
			for len(list) > 0 && list[0].cycle <= now {
				list = list[1:]
			}
			used := make([]int32, n.v)
			for _, c := range list {
				used[c.vc]++
			}
			for vc, want := range used {
				require.Equal(t, want, n.lanes[out*n.v+vc].used)
			}
			require.EqualValues(t, len(list), n.ports[out].used)
		}
	})
}

func crossbar(t require.TestingT, vcs int) *Network {
	top, err := topology.New("crossbar", topology.CrossbarSpec{Terminals: 3})
	require.NoError(t, err)
	alg, err := routing.New("min", top, nil)
	require.NoError(t, err)
	c := setting.BookSim(top, alg)
	c.VCs = vcs
	n, err := New(c)
	require.NoError(t, err)
	return n
}

// Credits that were not asked for stay good however long a network rests: a packet as
// long as all buffers on its way gets through before and after.
func TestOldCreditsCount(t *testing.T) {
	for _, rest := range []int64{100, era, 1 << 26, 1<<26 + 1<<25, 1 << 27, 1 << 31} {
		d, err := topology.NewDragonfly(topology.DragonflySpec{P: 2, A: 4, H: 2})
		require.NoError(t, err)
		alg, err := routing.New("min", d, nil)
		require.NoError(t, err)
		cfg := setting.BookSim(d, alg)
		cfg.Depth = 32
		n, err := New(cfg)
		require.NoError(t, err)
		for range 2 {
			n.Send(0, 70, 32, false)
			for range 1000 {
				n.Step()
			}
			require.Zero(t, n.Waiting(), "after a rest of %d cycles", rest)
			require.NoError(t, n.Check())
			require.True(t, n.Quiet())
			n.Skip(n.Now() + rest)
		}
	}
}
