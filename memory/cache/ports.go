package cache

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/cache/below"
)

// A cache is made of layers, each of which knows those before it alone: ports, requestTable, messages,
// lookups, warmup and base are those of both fidelities. Functional stands on base; Timed stands on
// traffic and fills, which stand on base.

// ports is the first layer: the ports of a cache, and its clock.
type ports struct {
	*sim.ComponentBase
	clock  clock.Clock
	ticker *engine.Ticker
	top    *engine.Port
	gate   *block.Link // what comes over it is no message; nil outside of a block
	below  below.Port
}

// bottomBuffer is how many answers wait at the lower port, more than may come in a cycle; all are taken at once.
const bottomBuffer = 1 << 16

func newPorts(name string, e sim.Engine, c clock.Clock, topBuffer int, self interface {
	sim.Handler
	sim.Component
}) ports {
	p := ports{ComponentBase: sim.NewComponentBase(name), clock: c, ticker: engine.NewTicker(e, c, self)}
	p.top = engine.NewPort(self, name+".Top", topBuffer)
	p.below = below.New(engine.NewPort(self, name+".Bottom", bottomBuffer))
	p.AddPort("Top", p.top)
	p.AddPort("Bottom", p.below.Port)
	return p
}

// PortSpecs implements system.Node.
func (p *ports) PortSpecs() []system.PortSpec {
	return []system.PortSpec{
		{Name: "top", Protocol: system.Mem, Role: system.Responds, Ports: []sim.Port{p.top}, Many: true, Clock: p.clock},
		{Name: "bottom", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{p.below.Port}, Many: true, Clock: p.clock},
	}
}

// Below implements system.Relay.
func (p *ports) Below(string) []string { return []string{"bottom"} }

// NotifyRecv implements sim.Component.
func (p *ports) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { p.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (p *ports) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { p.ticker.WakeAfter(now) }
