package packet_test

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
	"github.com/causeway-sim/causeway/noc/fabric/setting"
	"github.com/causeway-sim/causeway/noc/flit"
	"github.com/causeway-sim/causeway/noc/network"
	"github.com/causeway-sim/causeway/noc/packet"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A partner asks others, and takes every answer; or it answers, and takes no
// request while an answer of its own waits.
type partner struct {
	*sim.ComponentBase
	port    *engine.Port
	ticker  *engine.Ticker
	ask     []sim.Msg // left to send
	answer  sim.Msg
	answers int
}

func newPartner(name string, e sim.Engine) *partner {
	x := &partner{ComponentBase: sim.NewComponentBase(name)}
	x.port = engine.NewPort(x, name+".Port", 2)
	x.AddPort("Port", x.port)
	x.ticker = engine.NewTicker(e, clock.GHz, x)
	x.ticker.WakeAt(0)
	return x
}

func (x *partner) Handle(e sim.Event) error {
	now, moved := e.Time(), false
	if x.answer == nil && x.port.Len() > 0 {
		moved = true
		switch m := x.port.Retrieve(now).(type) {
		case *mem.ReadReq:
			x.answer = mem.DataReadyRspBuilder{}.WithSrc(x.port).WithDst(m.Src).WithRspTo(m.ID).WithData(make([]byte, 64)).Build()
		case *mem.DataReadyRsp:
			x.answers++
		}
	}
	if x.answer != nil && x.port.CanSend() && x.port.Send(x.answer) == nil {
		x.answer, moved = nil, true
	} else if len(x.ask) > 0 && x.port.CanSend() && x.port.Send(x.ask[0]) == nil {
		x.ask, moved = x.ask[1:], true
	}
	if moved {
		x.ticker.WakeAfter(now)
	}
	return nil
}
func (x *partner) NotifyRecv(now sim.VTimeInSec, _ sim.Port)     { x.ticker.WakeAfter(now) }
func (x *partner) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { x.ticker.WakeAfter(now) }

type meshed interface {
	sim.Component
	Reach(p sim.Port, terminal int)
	Topology() topology.Topology
}

// Memories that take no request before their answer is on its way block a network
// whose answers share buffers with requests. With a virtual network for each all
// answers come, at both fidelities.
func TestAnswersPassRequests(t *testing.T) {
	grid := network.Topology{Name: "mesh", Spec: topology.GridSpec{Dims: []int{3, 3}, Concentration: 2}}
	for name, build := range map[string]func(e sim.Engine, networks int) (meshed, error){
		"flit": func(e sim.Engine, networks int) (meshed, error) {
			s := setting.DefaultSpec()
			s.Topology, s.VirtualNetworks, s.Router.VCs, s.Router.Depth = grid, networks, 2, 2
			return flit.NewNode("Net", e, s, 1)
		},
		"flit, shared buffers": func(e sim.Engine, networks int) (meshed, error) {
			s := setting.DefaultSpec()
			s.Topology, s.VirtualNetworks, s.Router.VCs, s.Router.Depth, s.Router.Shared = grid, networks, 2, 1, 2
			return flit.NewNode("Net", e, s, 1)
		},
		"flit, whole packets": func(e sim.Engine, networks int) (meshed, error) {
			s := setting.DefaultSpec()
			s.Topology, s.VirtualNetworks, s.Router.Model, s.Router.VCs, s.Router.InjectVCs = grid, networks, "fogsim", 2, 2
			s.Router.Depth, s.Router.TerminalDepth, s.Router.OutputDepth = 4, 4, 4
			return flit.NewNode("Net", e, s, 1)
		},
		"packet": func(e sim.Engine, networks int) (meshed, error) {
			s := packet.DefaultSpec()
			s.Topology, s.VirtualNetworks, s.Packet, s.Buffer = grid, networks, 4, new(int)
			*s.Buffer = 4
			return packet.New("Net", e, s, 1)
		},
	} {
		for _, networks := range []int{1, 2} {
			t.Run(fmt.Sprint(name, networks), func(t *testing.T) {
				const each = 300
				e := engine.New()
				net, err := build(e, networks)
				require.NoError(t, err)
				var all []*partner
				for i := range net.Topology().Terminals() {
					x := newPartner(fmt.Sprintf("End[%d]", i), e)
					w := engine.NewWire(fmt.Sprintf("Wire[%d]", i), e)
					w.PlugIn(x.port, 2)
					w.PlugIn(net.GetPortByName(fmt.Sprintf("Terminal[%d]", i)), 2)
					net.Reach(x.port, i)
					all = append(all, x)
				}
				rng := rand.New(rand.NewPCG(1, 2))
				for i := 0; i < len(all); i += 2 { // even ones ask odd ones
					for range each {
						r := mem.ReadReqBuilder{}.WithSrc(all[i].port).WithDst(all[2*rng.IntN(len(all)/2)+1].port).WithByteSize(64).Build()
						all[i].ask = append(all[i].ask, r)
					}
				}
				err = e.Run()
				got := 0
				for _, x := range all {
					got += x.answers
				}
				if networks == 2 {
					require.NoError(t, err)
					require.Equal(t, each*len(all)/2, got)
					return
				}
				require.Less(t, got, each*len(all)/2)
				var stuck *engine.Stuck
				require.True(t, err == nil || errors.As(err, &stuck), "%v", err)
			})
		}
	}
}
