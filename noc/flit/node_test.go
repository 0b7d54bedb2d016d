package flit_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/flit"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// An end sends what it is given, one message per cycle if there is room, and
// keeps what comes. It takes a message only every so many cycles.
type end struct {
	*sim.ComponentBase
	port   *engine.Port
	ticker *engine.Ticker
	out    []sim.Msg
	in     []sim.Msg
	at     []uint64
	every  uint64
}

func newEnd(name string, e sim.Engine, c clock.Clock, every uint64) *end {
	x := &end{ComponentBase: sim.NewComponentBase(name), every: every}
	x.port = engine.NewPort(x, name+".Port", 2)
	x.AddPort("Port", x.port)
	x.ticker = engine.NewTicker(e, c, x)
	x.ticker.WakeAt(0)
	return x
}

func (x *end) Handle(e sim.Event) error {
	cycle := x.ticker.Cycle(e.Time())
	if cycle%x.every == 0 {
		if m := x.port.Retrieve(e.Time()); m != nil {
			x.in, x.at = append(x.in, m), append(x.at, cycle)
		}
	}
	if len(x.out) > 0 && x.port.CanSend() {
		if x.port.Send(x.out[0]) == nil {
			x.out = x.out[:copy(x.out, x.out[1:])]
		}
	}
	if len(x.out) > 0 || x.port.Len() > 0 {
		x.ticker.WakeAfter(e.Time())
	}
	return nil
}
func (x *end) NotifyRecv(now sim.VTimeInSec, _ sim.Port)     { x.ticker.WakeAfter(now) }
func (x *end) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { x.ticker.WakeAfter(now) }

// A rig is a network with an end at every terminal.
type rig struct {
	net  *flit.Comp
	ends []*end
}

// build wires ends of several clocks to a network; connect makes a connection.
func build(t require.TestingT, e sim.Engine, s setting.Spec, every uint64, connect func(i int) sim.Connection) *rig {
	net, err := flit.NewNode("Net", e, s, 1)
	require.NoError(t, err)
	r := &rig{net: net}
	clocks := []clock.Clock{clock.GHz, clock.Hz(940e6), clock.Period(416, 1e12)}
	for i := range net.Topology().Terminals() {
		x := newEnd(fmt.Sprintf("End[%d]", i), e, clocks[i%3], every)
		c := connect(i)
		c.PlugIn(x.port, 4)
		c.PlugIn(net.GetPortByName(fmt.Sprintf("Terminal[%d]", i)), 4)
		net.Reach(x.port, i)
		r.ends = append(r.ends, x)
	}
	return r
}

// load gives every end messages to random others: reads, and writes of all sizes.
func (r *rig) load(n, most int) {
	rng := rand.New(rand.NewPCG(1, 2))
	zeros := make([]byte, most)
	for i, x := range r.ends {
		for k := range n {
			dst := r.ends[rng.IntN(len(r.ends))].port
			if rng.IntN(2) == 0 {
				x.out = append(x.out, mem.ReadReqBuilder{}.WithSrc(x.port).WithDst(dst).WithAddress(uint64(i*n+k)).WithByteSize(64).Build())
				continue
			}
			m := mem.WriteReqBuilder{}.WithSrc(x.port).WithDst(dst).WithAddress(uint64(i*n + k)).WithData(zeros[:rng.IntN(most)]).Build()
			m.TrafficBytes = len(m.Data)
			x.out = append(x.out, m)
		}
	}
}

func spec(topo string, topoSpec any, alg string, algSpec any) setting.Spec {
	s := setting.DefaultSpec()
	s.Topology = network.Topology{Name: topo, Spec: topoSpec}
	s.Routing = network.Routing{Name: alg, Spec: algSpec}
	return s
}

// order checks that each end got all requests of each other end in the order sent.
func (r *rig) order(t require.TestingT, each int) string {
	got, text := 0, ""
	for _, x := range r.ends {
		last := map[sim.Port]uint64{}
		for i, m := range x.in {
			a := m.(mem.AccessReq)
			src := m.Meta().Src
			if before, ok := last[src]; ok {
				require.Greater(t, a.GetAddress(), before, "%s to %s", src.Name(), x.Name())
			}
			last[src] = a.GetAddress()
			text += fmt.Sprint(x.at[i], a.GetAddress(), " ")
			got++
		}
	}
	require.Equal(t, each*len(r.ends), got)
	for _, err := range r.net.Stats().Verify() {
		require.NoError(t, err)
	}
	return text
}

// Whatever the routing does, requests between two ends keep their order, nothing
// is lost, slow receivers hold back the network, and every engine gives the same.
func TestMessagesKeepTheirOrder(t *testing.T) {
	small := topology.DragonflySpec{P: 2, A: 2, H: 1}
	for name, s := range map[string]setting.Spec{
		"adaptive": spec("dragonfly", small, "ugal_l", routing.UGALSpec{Threshold: 0}),
		"o1turn":   spec("mesh", topology.GridSpec{Dims: []int{3, 3}}, "o1turn", nil),
		"packets": func() setting.Spec {
			s := spec("dragonfly", small, "val_group", nil)
			s.Packet, s.Header, s.Clock = 4, 8, units.Frequency{Clock: clock.Hz(1300e6)}
			return s
		}(),
		"fogsim": func() setting.Spec {
			s := spec("dragonfly", small, "val_group", nil)
			s.Router.Model = "fogsim"
			return s
		}(),
	} {
		for _, every := range []uint64{1, 37} {
			t.Run(fmt.Sprint(name, every), func(t *testing.T) {
				var first string
				for i, e := range []sim.Engine{engine.New(), engine.New(engine.Shuffle(7)), engine.Adopt(sim.NewSerialEngine()), engine.Adopt(sim.NewParallelEngine())} {
					r := build(t, e, s, every, func(k int) sim.Connection { return engine.NewWire(fmt.Sprintf("Wire[%d]", k), e) })
					n := 20
					if testing.Short() {
						n = 8
					}
					r.load(n, 2048)
					require.NoError(t, e.Run())
					got := r.order(t, n)
					if i == 0 {
						first = got
					}
					require.Equal(t, first, got)
				}
			})
		}
	}
}

// A message of one flit in an empty network takes what the stages add up to:
// terminal channel, routers and channels, terminal channel; and each further
// flit one cycle more. Reference: NOTES of BookSim, section 4.1: 7 + 5 per hop.
func TestUnloadedMessage(t *testing.T) {
	for bytes, flits := range map[int]uint64{0: 1, 16: 1, 17: 2, 4096: 256} {
		e := engine.New()
		s := spec("mesh", topology.GridSpec{Dims: []int{4, 4}}, "dor", nil)
		s.Router.Depth = 512
		r := build(t, e, s, 1, func(k int) sim.Connection { return engine.NewWire(fmt.Sprintf("Wire[%d]", k), e) })
		m := &stamped{}
		m.Src, m.Dst, m.TrafficBytes = r.ends[0].port, r.ends[15].port, bytes
		r.ends[0].out = []sim.Msg{m}
		require.NoError(t, e.Run())
		require.EqualValues(t, 6, m.stamp.Hops)
		require.Equal(t, 7+5*6+flits-1, m.stamp.Arrived-m.stamp.Taken)
		require.Equal(t, m.stamp.Taken, m.stamp.Injected)
		require.EqualValues(t, 1, m.stamp.Taken)
	}
}

// A channel of less than a flit per cycle is the bottleneck: 2.5 cycles per flit.
func TestTaperedMessage(t *testing.T) {
	for bytes, flits := range map[int]uint64{16: 1, 1600: 100} {
		e := engine.New()
		s := spec("dragonfly", df72, "min", nil)
		s.Router.Depth, s.Global.Bandwidth = 512, s.Full()*2/5
		r := build(t, e, s, 1, func(k int) sim.Connection { return engine.NewWire(fmt.Sprintf("Wire[%d]", k), e) })
		m := &stamped{}
		m.Src, m.Dst, m.TrafficBytes = r.ends[0].port, r.ends[60].port, bytes // local, global, local
		r.ends[0].out = []sim.Msg{m}
		require.NoError(t, e.Run())
		require.EqualValues(t, 3, m.stamp.Hops)
		whole, gaps, heads := uint64(3), ((flits-1)*5+1)/2, uint64(0) // a flit comes when all of it has
		if flits > 1 {
			heads = 2 * 2 // after the slow channel only heads wait for routing and a virtual channel, in two routers
		}
		require.Equal(t, 7+5*3+(whole-1)+gaps-heads, m.stamp.Arrived-m.stamp.Taken)
	}
}

// Around failed channels messages come at every fidelity of routing that knows
// the network; what does not go says why.
func TestFailedChannels(t *testing.T) {
	n := func(i int) *int { return &i }
	for _, alg := range []string{"", "up_down", "shortest"} {
		s := spec("dragonfly", df72, alg, nil)
		s.Failed = []network.Failure{{Router: 0, To: n(1)}, {Router: 3, Port: n(5)}, {Router: 2, Port: n(4)}}
		e := engine.New()
		r := build(t, e, s, 1, func(k int) sim.Connection { return engine.NewWire(fmt.Sprintf("Wire[%d]", k), e) })
		r.load(20, 256)
		require.NoError(t, e.Run())
		r.order(t, 20)
	}
	for _, c := range []struct {
		alg    string
		failed []network.Failure
		want   string
	}{
		{"ugal_l", []network.Failure{{Router: 0, Port: n(5)}}, "routing algorithm ugal_l does not find ways around failed channels (want one of: up_down, shortest, table)"},
		{"", []network.Failure{{Router: 0}}, "needs either port, or to"},
		{"", []network.Failure{{Router: 36, Port: n(5)}}, "router is 36 (want 0 to 35)"},
		{"", []network.Failure{{Router: 0, Port: n(9)}}, "port is 9 (want 0 to 6)"},
		{"", []network.Failure{{Router: 0, Port: n(1)}}, "port 1 of router 0 is no channel to another router, but terminal"},
		{"", []network.Failure{{Router: 0, To: n(35)}}, "no channel joins routers 0 and 35"},
		{"", []network.Failure{{Router: 0, To: n(1)}, {Router: 1, To: n(0)}}, "failed already, by failed[0]"},
		{"", []network.Failure{{Router: 0, To: n(1)}, {Router: 0, To: n(2)}, {Router: 0, To: n(3)}, {Router: 0, Port: n(5)}, {Router: 0, Port: n(6)}}, "no channel is left to router 0"},
	} {
		s := spec("dragonfly", df72, c.alg, nil)
		s.Failed = c.failed
		_, err := flit.NewNode("Net", engine.New(), s, 1)
		require.ErrorContains(t, err, c.want)
	}
}

type stamped struct {
	sim.MsgMeta
	stamp network.Stamp
}

func (m *stamped) Meta() *sim.MsgMeta           { return &m.MsgMeta }
func (m *stamped) NetworkStamp() *network.Stamp { return &m.stamp }

// BookSim's own map of virtual channels is refused, or blocks with small buffers
// and says who waits for whom.
func TestNodeBlocks(t *testing.T) {
	s := spec("dragonfly", df72, "ugal_l", routing.UGALSpec{Threshold: -1 << 20, VCMap: "booksim"})
	s.Router.Model, s.Router.Depth = "booksim", 2
	_, err := flit.NewNode("Net", engine.New(), s, 1)
	require.ErrorContains(t, err, "virtual channels form a cycle, and packets may block each other forever: cycle of channels: router ")
	s.UnsafeVCMap = true
	e := engine.New()
	r := build(t, e, s, 1, func(k int) sim.Connection { return engine.NewWire(fmt.Sprintf("Wire[%d]", k), e) })
	require.Len(t, r.net.Assumptions(), 1)
	r.load(200, 32)
	err = e.Run()
	var stuck *engine.Stuck
	require.True(t, errors.As(err, &stuck), "%v", err)
	require.NotEmpty(t, stuck.Circle())
	require.ErrorContains(t, err, " VC 0 waits for Net router ")
}

// Messages cost no allocation once pools have grown.
func BenchmarkMessages(b *testing.B) {
	e := engine.New()
	r := build(b, e, spec("mesh", topology.GridSpec{Dims: []int{4, 4}}, "dor", nil), 1, func(k int) sim.Connection { return engine.NewWire(fmt.Sprintf("Wire[%d]", k), e) })
	msgs := make([]stamped, 16)
	b.ReportAllocs()
	for b.Loop() {
		for i := range msgs {
			msgs[i].Src, msgs[i].Dst = r.ends[i].port, r.ends[(i*7+3)%16].port
			r.ends[i].out = append(r.ends[i].out[:0], &msgs[i])
			r.ends[i].in, r.ends[i].at = r.ends[i].in[:0], r.ends[i].at[:0]
			r.ends[i].ticker.WakeAfter(e.CurrentTime())
		}
		if err := e.Run(); err != nil {
			b.Fatal(err)
		}
	}
}
