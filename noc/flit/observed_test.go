package flit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/topology"
)

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
