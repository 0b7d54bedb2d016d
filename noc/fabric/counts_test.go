package fabric_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/noc/fabric"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/network"
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

// channelUses are the uses of a node's channels, from its table.
func channelUses(t *testing.T, table *stats.Table) (flits, stalls, busy float64) {
	for _, row := range table.All() {
		for j, v := range row {
			x, _ := v.(float64)
			if u, ok := v.(uint64); ok {
				x = float64(u)
			}
			switch table.Columns[j].Name {
			case "flits":
				flits += x
			case "stalls":
				stalls += x
			case "busy":
				busy += x
			}
		}
	}
	return flits, stalls, busy
}

// The table of channels has the flits that passed them, as the hops of flits have them, each at its cycle. Counting
// stalls changes no time. A message alone is never held up; many for one terminal are.
func TestChannelsAreCounted(t *testing.T) {
	for _, crowd := range []bool{false, true} {
		run := func(record bool) (string, *rig) {
			e := engine.New()
			r := build(t, e, spec("mesh", topology.GridSpec{Dims: []int{3, 3}}, "dor", nil), 1, func(k int) sim.Connection { return engine.NewWire(fmt.Sprintf("Wire[%d]", k), e) })
			if record {
				r.net.RecordChannels()
			}
			if crowd {
				r.load(12, 1024)
			} else {
				r.load(1, 64)
				for _, x := range r.ends[1:] {
					x.out = nil
				}
			}
			require.NoError(t, e.Run())
			var log strings.Builder
			for _, x := range r.ends {
				fmt.Fprintln(&log, len(x.in), x.at)
			}
			return log.String(), r
		}
		plain, r := run(false)
		counted, with := run(true)
		require.Equal(t, plain, counted)
		require.Equal(t, value(t, r, "flit_hops"), value(t, with, "flit_hops"))
		flits, stalls, busy := channelUses(t, with.net.Channels())
		require.Equal(t, flits, busy)
		require.Equal(t, value(t, with, "flit_hops"), flits, "each flit that passes a router leaves by a channel")
		require.Equal(t, crowd, stalls > 0)
		for _, m := range with.net.Stats().Metrics() {
			if m.Name == "channel_busy_max" {
				require.LessOrEqual(t, m.Value, flits)
			}
		}
	}
}

// taskLog keeps what a network reports.
type taskLog struct {
	begun map[task.Kind]int
	ended map[task.ID]bool
	kind  map[task.ID]task.Kind
	steps map[task.ID]int
	bytes map[task.Kind]uint64
}

func (l *taskLog) Task(_ *task.Stream, e task.Event) {
	switch e.Phase {
	case task.Begin:
		l.begun[e.Kind]++
		l.kind[e.ID] = e.Kind
		l.bytes[e.Kind] += e.Bytes
	case task.Step:
		l.steps[e.ID]++
	case task.End:
		l.ended[e.ID] = true
	}
}

// Every message is a task, and every network.Sampled-th packet one of its flits, which passes a router for each
// step and ends. Whether it is observed changes no time.
func TestPacketsAreTasks(t *testing.T) {
	for name, s := range map[string]setting.Spec{
		"mesh":      spec("mesh", topology.GridSpec{Dims: []int{4, 1}}, "dor", nil),
		"dragonfly": spec("dragonfly", topology.DragonflySpec{P: 2, A: 2, H: 1}, "min", nil),
	} {
		run := func(observe bool) (string, *taskLog, float64) {
			e := engine.New()
			r := build(t, e, s, 1, func(k int) sim.Connection { return engine.NewWire(fmt.Sprintf("Wire[%d]", k), e) })
			log := &taskLog{begun: map[task.Kind]int{}, ended: map[task.ID]bool{}, kind: map[task.ID]task.Kind{}, steps: map[task.ID]int{}, bytes: map[task.Kind]uint64{}}
			var stream *task.Stream
			if observe {
				stream = task.NewStream(e, []task.Reporter{r.net}, log)
			}
			r.load(40, 256)
			require.NoError(t, e.Run())
			if stream != nil {
				stream.Close()
			}
			return r.order(t, 40), log, value(t, r, "packets")
		}
		want, _, _ := run(false)
		got, log, packets := run(true)
		require.Equal(t, want, got, name)
		require.EqualValues(t, packets, log.begun[task.Message], "a packet for each message")
		require.InDelta(t, packets/network.Sampled, log.begun[task.Flit], 1)
		for id, kind := range log.kind {
			require.True(t, log.ended[id], "%s: every task ends", name)
			if kind == task.Flit {
				require.LessOrEqual(t, log.steps[id], 4)
			}
		}
	}
}

// Repeat doubles what is counted of a network.
func TestRepeatDoublesCounts(t *testing.T) {
	e := engine.New()
	r := build(t, e, spec("mesh", topology.GridSpec{Dims: []int{3, 3}}, "dor", nil), 1, func(k int) sim.Connection { return engine.NewWire(fmt.Sprintf("Wire[%d]", k), e) })
	before := r.net.Stats().Tally()
	r.load(10, 512)
	require.NoError(t, e.Run())
	once := map[string]float64{}
	for _, m := range r.net.Stats().Metrics() {
		once[m.Name] = m.Value
	}
	r.net.Stats().Repeat(before, r.net.Stats().Tally(), 1)
	require.Empty(t, r.net.Stats().Verify())
	for _, name := range []string{"flit_hops", "packets", "channel_busy_max", "channel_busy_mean"} {
		require.Equal(t, 2*once[name], value(t, r, name), name)
		require.Positive(t, once[name], name)
	}
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
