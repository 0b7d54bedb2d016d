package tiering

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
)

var _ system.Relay = (*Comp)(nil)

// PortSpecs implements system.Node.
func (c *Comp) PortSpecs() []system.PortSpec {
	ports := make([]sim.Port, len(c.below))
	for i := range ports {
		ports[i] = c.below[i].port
	}
	return []system.PortSpec{
		{Name: "top", Protocol: system.Mem, Role: system.Responds, Ports: []sim.Port{c.top}, Many: true, Clock: c.clock},
		{Name: "bottom", Protocol: system.Mem, Role: system.Requests, Ports: ports, Array: true, Clock: c.clock},
	}
}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.stats }

// Nominal implements system.Responder: the node adds no time.
func (c *Comp) Nominal() (uint64, units.Bandwidth) { return 0, 0 }

// Pools implements system.Pooler: a page may be in any tier, whatever its address.
func (c *Comp) Pools() int { return c.spec.Tiers }

// Below implements system.Relay.
func (c *Comp) Below(string) []string {
	var out []string
	for i := range c.below {
		out = append(out, fmt.Sprintf("bottom[%d]", i))
	}
	return out
}

// SetMap implements system.Requester: port is bottom[i].
func (c *Comp) SetMap(port string, m *memory.Map) error {
	var i int
	if _, err := fmt.Sscanf(port, "bottom[%d]", &i); err != nil || i < 0 || i >= len(c.below) {
		panic(fmt.Sprintf("tiering: %s has no port %s", c.Name(), port))
	}
	if err := m.TimingOnly(c.Name()); err != nil {
		return err
	}
	c.below[i].homes = m
	capacity := uint64(0)
	if i < len(c.spec.Capacity) {
		capacity = uint64(c.spec.Capacity[i])
	}
	if err := c.table.add(i, m, capacity); err != nil {
		return c.at("capacity").Errorf(nil, "tier %d: %s", i, err)
	}
	p := m.Ranges()[0].Paths[0]
	ns := p.Clock.Nanoseconds(p.Request+p.Latency) + c.clock.Nanoseconds(p.Response)
	c.view.Tiers[i].Idle = ns / c.clock.Nanoseconds(1)
	if c.mapped++; c.mapped < len(c.below) {
		return nil
	}
	if err := c.table.build(); err != nil {
		return c.at("page").Errorf(nil, "%s", err)
	}
	if err := c.walker.place(&c.table, c.spec.TLB.Reads, c.spec.TLB.Tier); err != nil {
		return c.at("tlb").Errorf(nil, "%s", err)
	}
	c.faults = newFaults(c.spec.Fault.In(c.clock), len(c.table.frame))
	c.under = make([]uint16, len(c.table.frame))
	c.view.Pages = c.table.info
	return nil
}

// Waiting implements engine.Waiter.
func (c *Comp) Waiting() []engine.Wait {
	for i := range c.below {
		b := &c.below[i]
		if to := b.calls.Waits(); to != nil {
			return []engine.Wait{{Who: c.Name(), For: to.Name(), Why: fmt.Sprintf("%d requests below are not answered", b.calls.InFlight())}}
		}
	}
	for i := range c.requests.All() {
		if r := &c.requests.All()[i]; r.msg != nil {
			return []engine.Wait{{Who: c.Name(), For: r.msg.Meta().Src.Name(), Why: fmt.Sprintf("%d answers are not sent", c.open())}}
		}
	}
	return nil
}
