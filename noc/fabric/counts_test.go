package fabric_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// small is a network of BookSim's routers.
func small(t testing.TB, name string, spec any, alg string, change func(c *setting.Config)) *fabric.Network {
	top, err := topology.New(name, spec)
	require.NoError(t, err)
	a, err := routing.New(alg, top, nil)
	require.NoError(t, err)
	c := setting.BookSim(top, a)
	if change != nil {
		change(&c)
	}
	n, err := fabric.New(c)
	require.NoError(t, err)
	return n
}

var pair = topology.DragonflySpec{P: 1, A: 1, H: 1} // two terminals, a router each, one channel

// A terminal whose channel is limited sends and takes flits at that rate and no faster, whatever fraction of
// a cycle it is; a rate above that of a channel, or that no channel has, is refused.
func TestLimitedTerminals(t *testing.T) {
	for _, end := range []int{0, 1} { // the sender, the receiver
		for _, rate := range []float64{1, 0.5, 0.4, 0.13} {
			n := small(t, "dragonfly", pair, "min", func(c *setting.Config) { c.GlobalLatency = 5 })
			require.True(t, n.Limit(end, rate))
			const warm, cycles = 500, 4000
			from := uint64(0)
			for c := range warm + cycles {
				if c == warm {
					from = n.Ejected()
				}
				if !n.Queued(0) {
					n.Send(0, 1, 1, false)
				}
				n.Step()
			}
			require.InDelta(t, rate, float64(n.Ejected()-from)/cycles, 0.005, "terminal %d", end)
			require.NoError(t, n.Check())
		}
	}
	n := small(t, "dragonfly", pair, "min", nil)
	for _, rate := range []float64{1.01, 0, -1, math.NaN(), 0.9 / setting.MaxInterval} {
		require.False(t, n.Limit(0, rate), rate)
	}
	require.True(t, n.Limit(0, 1./setting.MaxInterval))
}

// What a held terminal has credits for still comes; the rest comes when it is let go, and no credit is lost.
func TestHeldTerminals(t *testing.T) {
	for _, depth := range []int{3, 8} {
		n := small(t, "dragonfly", pair, "min", func(c *setting.Config) { c.Depth, c.GlobalLatency = depth, 5 })
		n.Hold(1, true)
		for range 40 {
			n.Send(0, 1, 1, false)
		}
		for range 2000 {
			n.Step()
		}
		require.Positive(t, n.Ejected(), "the terminal has room for a buffer")
		require.Zero(t, n.Ejected()%uint64(depth))
		require.Less(t, n.Ejected(), uint64(40))
		require.NoError(t, n.Check())
		n.Hold(1, false)
		drain(t, n)
		require.EqualValues(t, 40, n.Ejected())
		for range 100 {
			n.Step()
		}
		require.NoError(t, n.Check())
		require.True(t, n.Quiet())
	}
}

// A quiet network may skip cycles, and is then as if it had simulated them; one that is busy may not, nor may
// one go back.
func TestSkippedCycles(t *testing.T) {
	arrivals := func(skip int64) (out []fabric.Delivery) {
		n := small(t, "mesh", topology.GridSpec{Dims: []int{3, 3}}, "dor", nil)
		n.Delivered = func(d fabric.Delivery) { out = append(out, d) }
		for k := range int64(3) {
			n.Send(0, 8, 3, false)
			if skip > 0 {
				require.Panics(t, func() { n.Skip(n.Now() + 1) })
			}
			for !n.Quiet() {
				n.Step()
			}
			if skip > 0 {
				n.Skip((k + 1) * 1000)
				require.Panics(t, func() { n.Skip(n.Now() - 1) })
			}
			for n.Now() < (k+1)*1000 {
				n.Step()
			}
			require.Equal(t, (k+1)*1000, n.Now())
		}
		return out
	}
	require.Equal(t, arrivals(0), arrivals(1))
}

// The flits of a source queue are those not injected yet; what waits counts from its creation on.
func TestBacklogIsCounted(t *testing.T) {
	n := small(t, "dragonfly", pair, "min", nil)
	require.Zero(t, n.Backlog(0))
	n.Send(0, 1, 5, false)
	n.Send(0, 1, 3, false)
	require.Equal(t, 8, n.Backlog(0))
	n.Step()
	require.Equal(t, 7, n.Backlog(0), "one has left")
	require.EqualValues(t, 8, n.Waiting())
	n.SendDue(1, 0, 2, false, -10)
	flits, created := n.Pending()
	require.EqualValues(t, 10, flits)
	require.EqualValues(t, -20, created, "two flits of cycle -10, others of cycle 0")
	require.EqualValues(t, 1, n.InFlight())
	drain(t, n)
	flits, created = n.Pending()
	require.Zero(t, flits)
	require.Zero(t, created)
	require.EqualValues(t, 10, n.Ejected())
}
