package channel_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	_ "github.com/causeway-sim/causeway/configs/yaml"
	"github.com/causeway-sim/causeway/noc/channel"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// The counters of a line of three routers after one message of ten packets over both
// channels and one packet over the second alone.
func TestCounts(t *testing.T) {
	tp, alg := build(t, "mesh", topology.GridSpec{Dims: []int{3, 1}}, "dor")
	for _, buffer := range []int{0, 64} {
		n, err := channel.New(channel.Config{Topology: tp, Routing: alg, Packet: 64, Width: 16, Router: 2, Buffer: buffer,
			Terminal: channel.Link{Latency: 1, Rate: 16}, Local: channel.Link{Latency: 10, Rate: 16}})
		require.NoError(t, err)
		require.Equal(t, buffer > 0, n.Bounded())
		n.Send(channel.Message{ID: 1, Src: 0, Dst: 2, Bytes: 640}, 0)
		n.Send(channel.Message{ID: 2, Src: 1, Dst: 2, Bytes: 64}, 0)
		require.ErrorContains(t, n.Check(), "2 messages sent, 0 arrived")
		drain(n)
		require.NoError(t, n.Check())
		require.EqualValues(t, 11, n.Packets())
		require.EqualValues(t, 21, n.Hops())
		require.Equal(t, 4, n.Channels(), "two, in both directions")
		most, sum := n.Busy()
		require.Equal(t, []float64{44, 84}, []float64{most, sum}, "4 cycles per packet")
		out := func(from, to int) uint64 {
			for p := range tp.Ports(from) {
				if r, _, ok := tp.Peer(from, p); ok && r == to {
					return n.Bytes(from, p)
				}
			}
			return 0
		}
		require.Equal(t, []uint64{640, 704, 0, 0}, []uint64{out(0, 1), out(1, 2), out(1, 0), out(2, 1)})
	}
}

// A letter has a stamp.
type letter struct {
	sim.MsgMeta
	stamp network.Stamp
}

func (m *letter) Meta() *sim.MsgMeta           { return &m.MsgMeta }
func (m *letter) NetworkStamp() *network.Stamp { return &m.stamp }

// A place sends its letters, one per cycle, and takes one every so many cycles.
type place struct {
	*sim.ComponentBase
	port   *engine.Port
	ticker *engine.Ticker
	send   []sim.Msg
	got    []sim.Msg
	slow   uint64
}

func (p *place) NotifyRecv(now sim.VTimeInSec, _ sim.Port)     { p.ticker.WakeAfter(now) }
func (p *place) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { p.ticker.WakeAfter(now) }
func (p *place) Handle(e sim.Event) error {
	now, cycle := e.Time(), p.ticker.Cycle(e.Time())
	if p.port.Len() > 0 && cycle%p.slow == 0 {
		p.got = append(p.got, p.port.Retrieve(now))
	}
	if len(p.send) > 0 && p.port.CanSend() && p.port.Send(p.send[0]) == nil {
		p.send = p.send[1:]
	}
	if p.port.Len() > 0 || len(p.send) > 0 {
		p.ticker.WakeAt(cycle + 1)
	}
	return nil
}

// connected is a node with a place at every terminal.
func connected(t *testing.T, s channel.Spec, k channel.Packets) (*engine.Engine, *channel.Comp, []*place) {
	e := engine.New()
	c, err := channel.NewComp("Net", e, s, k, 1)
	require.NoError(t, err)
	var out []*place
	for i := range c.Topology().Terminals() {
		p := &place{ComponentBase: sim.NewComponentBase(fmt.Sprintf("Place[%d]", i)), slow: 1}
		p.ticker = engine.NewTicker(e, clock.GHz, p)
		p.port = engine.NewPort(p, p.Name()+".Port", 2)
		w := engine.NewWire(fmt.Sprintf("Wire[%d]", i), e)
		w.PlugIn(p.port, 2)
		w.PlugIn(c.GetPortByName(fmt.Sprintf("Terminal[%d]", i)), 2)
		c.Reach(p.port, i)
		p.ticker.WakeAt(0)
		out = append(out, p)
	}
	return e, c, out
}

func ring(size int) channel.Spec {
	s := channel.DefaultSpec()
	s.Topology = network.Topology{Name: "ring", Spec: topology.RingSpec{Size: size}}
	return s
}

// The nominal time of a node is the mean of one flit from every terminal to every one,
// each alone in the network.
func TestNominalIsTheMeanOfOneFlit(t *testing.T) {
	s := ring(5)
	s.Local.Latency = units.InCycles(7)
	s.Terminal.Bandwidth = units.Bandwidth(8 * 4e9) // 4 B per cycle: a flit takes 4
	s.Local.Bandwidth = s.Terminal.Bandwidth
	sum, latency := uint64(0), uint64(0)
	for src := range 5 {
		for dst := range 5 {
			e, c, places := connected(t, s, channel.Packets{})
			m := &letter{MsgMeta: sim.MsgMeta{Src: places[src].port, Dst: places[dst].port, TrafficBytes: 16}}
			places[src].send = []sim.Msg{m}
			require.NoError(t, e.Run())
			require.Equal(t, []sim.Msg{m}, places[dst].got)
			sum += m.stamp.Arrived - m.stamp.Taken
			_, latency = c.Through("terminal[0]")
		}
	}
	require.InDelta(t, float64(sum)/25, float64(latency), 0.5)
}

// A terminal whose receiver is slow gets all of its letters, in order, and holds up no other
// terminal. The node names the receiver that it waits for, and its metrics are those of the
// network inside.
func TestSlowReceiver(t *testing.T) {
	for _, buffer := range []int{0, 8} {
		e, c, places := connected(t, ring(4), channel.Packets{Bytes: 64, Buffer: buffer})
		var want []sim.Msg
		for range 150 { // more than are injected at a time
			want = append(want, &letter{MsgMeta: sim.MsgMeta{Src: places[1].port, Dst: places[2].port, TrafficBytes: 100}})
		}
		places[1].send, places[2].slow = want, 50
		free := &letter{MsgMeta: sim.MsgMeta{Src: places[0].port, Dst: places[3].port, TrafficBytes: 16}}
		places[0].send = []sim.Msg{free}
		require.NoError(t, e.RunUntil(1e-6))
		var who []string
		for _, w := range c.Waiting() {
			who = append(who, w.For+": "+w.Why)
		}
		require.Contains(t, who[0], "Place[2].Port: messages find no room")
		require.Contains(t, who[1], "Net.terminal[2]: ")
		require.EqualValues(t, 1, len(places[3].got))
		require.NoError(t, e.Run())
		require.Equal(t, want, places[2].got)
		require.Empty(t, c.Stats().Verify())
		m := map[string]float64{}
		for _, x := range c.Stats().Metrics() {
			m[x.Name] = x.Value
		}
		n := c.Network()
		require.EqualValues(t, 301, m["packets"])
		require.EqualValues(t, 301, m["packet_hops"])
		most, sum := n.Busy()
		require.Equal(t, most, m["channel_busy_max"])
		require.Equal(t, sum/8, m["channel_busy_mean"], "eight channels")
		require.Equal(t, 150*100./16, most)

		table := c.Channels()
		busy, flits := 0., uint64(0)
		for _, row := range table.Rows {
			if row[table.Index("class")] == "local" {
				busy += row[table.Index("busy")].(float64)
				flits += row[table.Index("flits")].(uint64)
			}
		}
		require.Equal(t, sum, busy)
		require.EqualValues(t, 150*(4+3)+1, flits)
	}
}

// Buffers that have an end want virtual channels without a cycle; where they may do
// without an end they do, and the run says so.
func TestBuffersAndCycles(t *testing.T) {
	s := channel.DefaultSpec()
	s.Topology = network.Topology{Name: "dragonfly", Spec: df72}
	s.Routing = network.Routing{Name: "ugal_l", Spec: routing.UGALSpec{VCMap: "booksim", Threshold: 30}}
	_, err := channel.NewComp("Net", engine.New(), s, channel.Packets{Bytes: 64, Buffer: 16}, 1)
	require.ErrorContains(t, err, "virtual channels form a cycle, and packets may block each other forever")
	c, err := channel.NewComp("Net", engine.New(), s, channel.Packets{Bytes: 64, Cover: true}, 1)
	require.NoError(t, err)
	require.False(t, c.Network().Bounded())
	require.Len(t, c.Assumptions(), 1)
	require.Contains(t, c.Assumptions()[0], "Net: queues have no end, because virtual channels form a cycle")

	s.Routing = network.Routing{Name: "ugal_l"}
	c, err = channel.NewComp("Net", engine.New(), s, channel.Packets{Bytes: 64, Cover: true}, 1)
	require.NoError(t, err)
	require.True(t, c.Network().Bounded())
	s.Routing = network.Routing{Name: "min"} // looks at no queue
	c, err = channel.NewComp("Net", engine.New(), s, channel.Packets{Bytes: 64, Cover: true}, 1)
	require.NoError(t, err)
	require.False(t, c.Network().Bounded())
}

// Values that make no sense are refused at their key, and an error that has no place
// gets that of the node.
func TestSpecIsChecked(t *testing.T) {
	for text, want := range map[string]string{
		"switching: cut":                "f.yaml:3:43: nodes.Net.switching: unknown switching \"cut\" (want one of: cut_through, store_and_forward; did you mean",
		"rounding: up":                  "nodes.Net.rounding: unknown rounding \"up\" (want one of: exact, down)",
		"router: {latency: 70000cycle}": "nodes.Net.router.latency: is 70000 cycles (want at most 65536)",
		"width: 0B":                     "nodes.Net.width: is 0B",
		"rounding: down":                "",
	} {
		d, err := configs.Parse("f.yaml", []byte("schema: causeway/1\nnodes:\n  - {name: Net, kind: network, "+text+"}\n"), configs.Options{})
		require.NoError(t, err)
		v := d.Root.Get("nodes").Items()[0]
		s := channel.DefaultSpec()
		err = v.Decode(&s, configs.Beside("name", "kind"))
		if err == nil {
			err = s.Check(v)
		}
		if want == "" {
			require.NoError(t, err)
			_, err = channel.Located(v, func() (*channel.Comp, error) { return nil, errors.New("no way") })
			require.EqualError(t, err, "f.yaml:3:5: nodes.Net: no way")
			n, err := channel.Located(v, func() (*channel.Comp, error) { return channel.NewComp("Net", engine.New(), s, channel.Packets{}, 1) })
			require.NoError(t, err)
			require.Equal(t, "Net", n.Name())
			continue
		}
		require.ErrorContains(t, err, want, text)
	}
}

// A channel that fails after the last message has arrived is a warning.
func TestFailureWithoutEffect(t *testing.T) {
	for at, want := range map[uint64]string{
		1 << 20: "1 of 1 failures of Net during the run (failed) have no effect: the next is at 1048576cycle, and the last message arrived at ",
		1:       "",
	} {
		s, fails, to := ring(5), units.InCycles(at), 1
		s.Failed = []network.Failure{{Router: 0, To: &to, At: &fails}}
		e, c, places := connected(t, s, channel.Packets{})
		places[0].send = []sim.Msg{&letter{MsgMeta: sim.MsgMeta{Src: places[0].port, Dst: places[1].port, TrafficBytes: 16}}}
		require.NoError(t, e.Run())
		told := strings.Join(c.Warnings(), "\n")
		require.Equal(t, want != "", told != "", told)
		require.Contains(t, told, want)
	}
}

// A failure that messages under way wait for has an effect, though none arrives after it. What
// waits is counted.
func TestFailureBehindTheLastArrival(t *testing.T) {
	s, at := ring(5), units.InCycles(300)
	for _, to := range []int{1, 4} {
		s.Failed = append(s.Failed, network.Failure{Router: 0, To: &to, At: &at})
	}
	e, c, places := connected(t, s, channel.Packets{})
	for _, bytes := range []int{16, 1 << 20, 1 << 10} {
		places[0].send = append(places[0].send, &letter{MsgMeta: sim.MsgMeta{Src: places[0].port, Dst: places[1].port, TrafficBytes: bytes}})
	}
	_ = e.Run()
	require.Empty(t, c.Warnings())
	waits := c.Waiting()
	require.Len(t, waits, 1)
	require.Equal(t, "2 messages of terminal[0] have no way on from router 0: 2 channels are down", waits[0].Why)
}
