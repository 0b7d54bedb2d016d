package system_test

import (
	"fmt"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// A hub passes messages from one side to the other, unchanged: the smallest
// network that works.
type hub struct {
	*fake
	ticker *engine.Ticker
}

func (h *hub) Through(port string) ([]string, uint64) {
	if port == "near" {
		return []string{"far"}, 0
	}
	return []string{"near"}, 0
}

func (h *hub) NotifyRecv(now sim.VTimeInSec, _ sim.Port)     { h.ticker.WakeAfter(now) }
func (h *hub) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { h.ticker.WakeAfter(now) }

func (h *hub) Handle(e sim.Event) error {
	near, far := h.specs[0].Ports[0], h.specs[1].Ports[0]
	for _, way := range [][2]sim.Port{{near, far}, {far, near}} {
		for way[0].Peek() != nil && way[1].CanSend() {
			m := way[0].Retrieve(e.Time())
			m.Meta().SendTime = e.Time()
			way[1].Send(m)
		}
	}
	return nil
}

func init() {
	system.Register(system.Kind[struct{}]{
		Name: "hub", Doc: "Passes messages from one side to the other.",
		New: func(env *system.Env, name string, _ struct{}, _ configs.Value) (system.Node, error) {
			h := &hub{fake: newFake(name, nil)}
			h.ticker = engine.NewTicker(env.Engine, clock.GHz, h)
			for _, side := range []string{"Near", "Far"} {
				p := engine.NewPort(h, name+"."+side, 16)
				spec := system.PortSpec{Name: map[string]string{"Near": "near", "Far": "far"}[side], Protocol: system.Any, Role: system.Peers, Many: true, Clock: clock.GHz}
				spec.Ports = []sim.Port{p}
				h.specs = append(h.specs, spec)
			}
			return h, nil
		},
	})
}

// Requests whose destination is not on a wire of many ends leave it by the
// network's port, answers find their way back.
func TestNetworkOnASharedWire(t *testing.T) {
	doc, err := configs.Parse("t.yaml", []byte(`
schema: causeway/1
nodes:
  - {name: Core, kind: dma, count: 3, requests: 5}
  - {name: Hub, kind: hub}
  - {name: Mem, kind: memory, fidelity: ideal, count: 2, latency: 20ns, size: 1GiB}
links:
  - Core -> Hub.near
  - Hub.far -> Mem
`), configs.Options{})
	require.NoError(t, err)
	e := engine.New()
	s, err := system.Build(doc, &system.Env{Engine: e})
	require.NoError(t, err)
	for _, n := range s.Array("Core") {
		n.(dma).Start()
	}
	require.NoError(t, e.Run())
	for _, n := range s.Array("Core") {
		require.Equal(t, 5, n.(dma).Done())
	}
	var sent, answered int
	_, err = fmt.Sscanf(s.Node("Core[0]").(dma).Log(), "Core[0] 0: %d -> %d", &sent, &answered)
	require.NoError(t, err)
	require.Equal(t, 1+1+20+1+1, answered)
	require.Empty(t, s.Node("Mem[0]").Stats().Verify())
}

// A wire has one way out.
func TestTwoNetworksOnASharedWire(t *testing.T) {
	_, err := build(`
schema: causeway/1
nodes:
  - {name: Core, kind: core, count: 2}
  - {name: Hub, kind: hub, count: 2}
  - {name: Mem, kind: memory, fidelity: ideal}
links:
  - Core -> Hub[0].near
  - Core -> Hub[1].near
  - Hub.far -> Mem
`)
	require.ErrorContains(t, err, "t.yaml:9:5: links[1]: Hub[0].near and Hub[1].near are ports of networks on one wire of 4 ends")
}
