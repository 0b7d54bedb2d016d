package packet_test

import (
	"fmt"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/flit"
	"github.com/causeway-sim/causeway/noc/flow"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/packet"
	"github.com/causeway-sim/causeway/noc/topology"
)

type msg struct {
	sim.MsgMeta
	stamp network.Stamp
}

func (m *msg) Meta() *sim.MsgMeta           { return &m.MsgMeta }
func (m *msg) NetworkStamp() *network.Stamp { return &m.stamp }

// An end sends what it is given and counts what comes.
type end struct {
	*sim.ComponentBase
	port   *engine.Port
	ticker *engine.Ticker
	send   []*msg
	got    int
	slow   uint64 // takes one message every so many cycles
}

func (e *end) NotifyRecv(now sim.VTimeInSec, _ sim.Port)     { e.ticker.WakeAfter(now) }
func (e *end) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { e.ticker.WakeAfter(now) }
func (e *end) Handle(ev sim.Event) error {
	now := ev.Time()
	if c := e.ticker.Cycle(now); c%e.slow == 0 {
		for m := e.port.Retrieve(now); m != nil; m = nil {
			e.got++
		}
	}
	if e.port.Len() > 0 {
		e.ticker.WakeAt((e.ticker.Cycle(now)/e.slow + 1) * e.slow)
	}
	for len(e.send) > 0 && e.port.CanSend() {
		e.port.Send(e.send[0])
		e.send = e.send[1:]
	}
	return nil
}

type node interface {
	sim.Component
	Reach(p sim.Port, terminal int)
	Stats() *stats.Group
}

// run sends messages {src, dst, bytes} at once over a mesh of 4 x 4 and returns
// their times in the network. Receivers take a message every slow cycles.
func run(t *testing.T, e sim.Engine, net node, slow uint64, send [][3]int) (times []uint64) {
	ends := make([]*end, 16)
	for i := range ends {
		x := &end{ComponentBase: sim.NewComponentBase(fmt.Sprintf("End[%d]", i)), slow: slow}
		x.ticker = engine.NewTicker(e, clock.GHz, x)
		x.port = engine.NewPort(x, x.Name()+".Port", 4)
		w := engine.NewWire(fmt.Sprintf("Wire[%d]", i), e)
		w.PlugIn(x.port, 4)
		w.PlugIn(net.GetPortByName(fmt.Sprintf("Terminal[%d]", i)), 4)
		net.Reach(x.port, i)
		x.ticker.WakeAt(0)
		ends[i] = x
	}
	var all []*msg
	for i, s := range send {
		m := &msg{MsgMeta: sim.MsgMeta{ID: fmt.Sprint(i), Src: ends[s[0]].port, Dst: ends[s[1]].port, TrafficBytes: s[2]}}
		ends[s[0]].send = append(ends[s[0]].send, m)
		all = append(all, m)
	}
	require.NoError(t, e.Run())
	got := 0
	for _, x := range ends {
		got += x.got
	}
	require.Equal(t, len(send), got)
	for _, m := range all {
		times = append(times, m.stamp.Arrived-m.stamp.Taken)
	}
	return times
}

var mesh = network.Topology{Name: "mesh", Spec: topology.GridSpec{Dims: []int{4, 4}}}

// An empty network takes the same time at all three fidelities, and with congestion control.
func TestFidelitiesAgreeUnloaded(t *testing.T) {
	for _, send := range [][3]int{{0, 0, 16}, {0, 15, 1}, {5, 6, 64}, {12, 3, 100}, {15, 0, 256}} {
		var times []uint64
		for _, make := range []func(e sim.Engine) (node, error){
			func(e sim.Engine) (node, error) {
				s := setting.DefaultSpec()
				s.Topology, s.Router.Depth = mesh, 64
				return flit.NewNode("Net", e, s, 1)
			},
			func(e sim.Engine) (node, error) {
				s := packet.DefaultSpec()
				s.Topology = mesh
				return packet.New("Net", e, s, 1)
			},
			func(e sim.Engine) (node, error) {
				s := flow.DefaultSpec()
				s.Topology = mesh
				return flow.New("Net", e, s, 1)
			},
			func(e sim.Engine) (node, error) {
				s := packet.DefaultSpec()
				s.Topology, s.Congestion.Name = mesh, "swift"
				return packet.NewControlled("Net", e, s, 1)
			},
		} {
			e := engine.New()
			n, err := make(e)
			require.NoError(t, err)
			times = append(times, run(t, e, n, 1, [][3]int{send})[0])
		}
		require.Equal(t, times[0], times[1], "flit and packet: %v", send)
		require.Equal(t, times[0], times[2], "flit and flow: %v", send)
		require.Equal(t, times[0], times[3], "flit and packet with congestion: %v", send)
	}
}

// Load, receivers that are slow, and any engine: all arrives, the checks hold, the
// times are the same.
func TestEngines(t *testing.T) {
	var send [][3]int
	for i := range 200 {
		send = append(send, [3]int{i * 7 % 16, i * 3 % 5, 1 + i*37%900})
	}
	for _, buffer := range []int{0, 16} {
		engines(t, send, buffer)
	}
}

func engines(t *testing.T, send [][3]int, buffer int) {
	var want []uint64
	for i, e := range []sim.Engine{engine.New(), engine.Adopt(sim.NewSerialEngine()), engine.Adopt(sim.NewParallelEngine())} {
		s := packet.DefaultSpec()
		s.Topology, s.Buffer = mesh, &buffer
		n, err := packet.New("Net", e, s, 1)
		require.NoError(t, err)
		got := run(t, e, n, 17, send)
		require.Empty(t, n.Stats().Verify())
		if i == 0 {
			want = got
		}
		require.Equal(t, want, got)
	}
}
