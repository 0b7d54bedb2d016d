package memlink

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/calendar"
	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/pool"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
)

// Comp is the node of kind memlink, with both ends of the link.
type Comp struct {
	*sim.ComponentBase
	spec   Spec
	ticker *engine.Ticker
	top    *engine.Port
	far    far
	delay  struct{ flight, software, issue, interval, access, complete uint64 } // ps

	requests   pool.Of[request, int32]
	operations pool.Of[operation, int32]
	packets    pool.Of[packet, int32]
	waiting    ring.Of[int32] // operations without a place
	under      int
	threads    []uint64 // when each is free
	card       uint64   // when the next operation may begin
	there      uint64   // when the last packet comes to the far end
	down, up   lanes
	gates      [2]gate            // towards the far end, and back
	events     calendar.Of[event] // ps
	ready      ring.Of[int32]     // requests to be answered
	responses  memory.Responses

	tasks task.Source
	count counters
	turns cause.Turns
	stats *stats.Group

	assumptions []string
}

// portBuffer is how many messages wait at a port; all are taken at once.
const portBuffer = 1024

// New makes a link; SetMap sets the memory below it. The error is a Spec with impossible values.
func New(name string, e sim.Engine, s Spec) (*Comp, error) {
	if err := s.check(func(string) configs.Value { return configs.Value{} }); err != nil {
		return nil, err
	}
	c := &Comp{ComponentBase: sim.NewComponentBase(name), spec: s, down: newLanes(&s), up: newLanes(&s), gates: [2]gate{newGate(s.Credits.Request), newGate(s.Credits.Response)}}
	c.ticker = engine.NewTicker(e, fine, c)
	c.top = engine.NewPort(c, name+".Top", portBuffer)
	c.far.port = engine.NewPort(c, name+".Bottom", portBuffer)
	c.far.calls = memory.NewCalls[int32](c.far.port)
	c.AddPort("Top", c.top)
	c.AddPort("Bottom", c.far.port)
	c.threads = make([]uint64, s.Operation.Threads)
	o := &s.Operation
	c.delay.flight, c.delay.software, c.delay.issue = s.Latency.In(fine), o.Software.In(fine), o.Issue.In(fine)
	c.delay.interval, c.delay.access, c.delay.complete = o.Interval.In(fine), o.Access.In(fine), o.Complete.In(fine)
	c.stats = c.newStats()
	return c, nil
}

// PortSpecs implements system.Node.
func (c *Comp) PortSpecs() []system.PortSpec {
	return []system.PortSpec{
		{Name: "top", Protocol: system.Mem, Role: system.Responds, Ports: []sim.Port{c.top}, Many: true, Clock: fine, Buffer: portBuffer},
		{Name: "bottom", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{c.far.port}, Clock: fine, Buffer: portBuffer},
	}
}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.stats }

// Tasks implements task.Reporter: a task per request, from its port to its answer, which causes
// its requests to the memory.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// Assumptions implements system.Assumer.
func (c *Comp) Assumptions() []string { return c.assumptions }

// Nominal implements system.Responder: the round trip of the smallest operation, and the data
// rate of one direction.
func (c *Comp) Nominal() (uint64, units.Bandwidth) {
	s, d := &c.spec, &c.delay
	n := s.size(uint64(s.Header.Response), uint64(s.Packet))
	share := float64(s.Packet) / float64(n) * float64(s.Flit.Payload) / float64(s.Flit.Size)
	return d.software + d.issue + 2*d.flight + d.access + d.complete, units.Bandwidth(share * float64(s.Bandwidth) * float64(s.Links))
}

// Below implements system.Relay.
func (c *Comp) Below(string) []string { return []string{"bottom"} }

// SetMap implements system.Requester.
func (c *Comp) SetMap(_ string, m *memory.Map) error {
	c.far.homes = m
	return m.TimingOnly(c.Name())
}

// NotifyRecv implements sim.Component.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// Handle implements sim.Handler: it runs all events of one instant.
func (c *Comp) Handle(e sim.Event) error {
	now := e.Time()
	t := c.ticker.Cycle(now)
	for m := c.far.port.Retrieve(now); m != nil; m = c.far.port.Retrieve(now) {
		x, err := c.far.calls.Answered(m)
		if err != nil {
			return fmt.Errorf("memlink: %w", err)
		}
		c.served(x.Note, t)
	}
	for m := c.top.Retrieve(now); m != nil; m = c.top.Retrieve(now) {
		c.accept(m, now, t)
	}
	for {
		for c.events.Due(t) {
			if err := c.do(c.events.Pop().What, t); err != nil {
				return err
			}
		}
		if !c.issue(t) {
			break
		}
	}
	left, err := c.far.send(now)
	if err != nil {
		return err
	}
	c.repay(away, left, t)
	if err := c.respond(now, t); err != nil {
		return err
	}
	c.judge(t)
	if c.events.Len() > 0 {
		c.ticker.WakeAt(c.events.First().At)
	}
	return nil
}

// Waiting implements engine.Waiter.
func (c *Comp) Waiting() []engine.Wait {
	if to := c.far.calls.Waits(); to != nil {
		return []engine.Wait{{Who: c.Name(), For: to.Name(), Why: fmt.Sprintf("%d requests behind the link are not answered", c.far.calls.InFlight())}}
	}
	for i := range c.requests.All() {
		if r := &c.requests.All()[i]; r.msg != nil {
			return []engine.Wait{{Who: c.Name(), For: r.msg.Meta().Src.Name(), Why: fmt.Sprintf("%d answers are not sent", c.requests.Taken())}}
		}
	}
	return nil
}

var _ system.Relay = (*Comp)(nil)
