package ranks

import (
	"fmt"
	"math/bits"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/bitset"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// Grow implements system.Grower.
func (c *Comp) Grow(_ string, n int) {
	for i := len(c.ports); i < n; i++ {
		p := engine.NewPort(c, fmt.Sprintf("%s.Nic[%d]", c.Name(), i), seat.Mailbox)
		c.AddPort(fmt.Sprintf("Nic[%d]", i), p)
		c.attach(p)
	}
	c.attached()
}

// attach adds a port, of the player or of a seat.
func (c *Comp) attach(p *engine.Port) {
	c.index[p] = int32(len(c.ports))
	c.ports, c.list = append(c.ports, p), append(c.list, p)
}

// attached makes the sets of all ports that were attached.
func (c *Comp) attached() { c.came, c.freed = bitset.New(len(c.ports)), bitset.New(len(c.ports)) }

// PortSpecs implements system.Node.
func (c *Comp) PortSpecs() []system.PortSpec {
	if c.chairs != nil {
		return nil // the ports are those of the seats
	}
	return []system.PortSpec{{
		Name: "nic", Protocol: system.Net, Role: system.Peers, Ports: c.list, Array: true, Elastic: true, Optional: true,
		Clock: c.Clock(), Buffer: c.spec.NIC.Queue,
	}}
}

// PortsNeeded implements system.PortRequester: a terminal for each rank, if the program is known.
func (c *Comp) PortsNeeded() (ports int, placement string) {
	if c.program == nil {
		return 0, ""
	}
	return len(c.program.Ranks), c.spec.Placement
}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.stats }

// Unit implements system.Counter.
func (*Comp) Unit() string { return "operations" }

// Progress counts the operations that are done.
func (c *Comp) Progress() (done, total int64) {
	return int64(c.count.done.Load()), int64(c.count.ops)
}

// Start implements system.Starter.
func (c *Comp) Start() error {
	if c.failure != nil {
		return c.failure
	}
	if c.port == nil {
		if err := c.settle(); err != nil {
			return err
		}
	}
	for i := range c.ranks {
		n := &c.ranks[i].nic
		n.wire = c.placed(int32(i)).Limit(n.Rate())
		if c.ranks[i].agent != nil || c.simulated(i) != &c.ranks[i] {
			continue // its operations begin when a scheduler issues them, or another rank stands for it
		}
		for _, op := range c.ranks[i].depend.First(nil) {
			at := token{int32(i), op, program}
			if late := c.ranks[i].slowdown.late; late > 0 {
				c.timers.Add(late, timer{what: awake, at: at})
				continue
			}
			c.ready.Push(at)
		}
	}
	c.ticker.WakeAt(0)
	return nil
}

// NotifyRecv implements sim.Component.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, p sim.Port) { c.note(now, p, &c.came) }

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, p sim.Port) { c.note(now, p, &c.freed) }

func (c *Comp) note(now sim.VTimeInSec, p sim.Port, set *bitset.Set) {
	if i, ok := c.index[p]; ok {
		set.Add(int(i))
	} else if i, ok := c.seats.of[p]; ok { // another port of an agent
		c.mu.Lock()
		mark(c.seats.stirred, i)
		c.mu.Unlock()
	}
	c.ticker.WakeAfter(now)
}

// Handle implements sim.Handler: one cycle.
func (c *Comp) Handle(e sim.Event) error {
	c.time = e.Time()
	c.now = c.ticker.Cycle(c.time)
	if err := c.retrieve(); err != nil {
		return err
	}
	for c.timers.Due(c.now) {
		c.do(c.timers.Pop().What)
	}
	for w, b := c.freed.Take(0); b != 0; w, b = c.freed.Take(w + 1) {
		for ; b != 0; b &= b - 1 {
			c.flush(int32(w<<6 + bits.TrailingZeros64(b)))
		}
	}
	if err := c.askAgents(); err != nil {
		return err
	}
	for c.ready.Len() > 0 && c.failure == nil {
		c.start(c.ready.Pop())
	}
	if err := c.movers(); err != nil {
		return err
	}
	for c.ready.Len() > 0 && c.failure == nil { // what waited for their bytes
		c.start(c.ready.Pop())
	}
	if c.failure != nil {
		return c.failure
	}
	if c.agents {
		c.answerAgents()
	}
	if c.timers.Len() > 0 {
		c.ticker.WakeAt(c.timers.First().At)
	}
	return nil
}

// retrieve takes the messages that have come to ports.
func (c *Comp) retrieve() error {
	for w, b := c.came.Take(0); b != 0; w, b = c.came.Take(w + 1) {
		for ; b != 0; b &= b - 1 {
			p := c.ports[w<<6+bits.TrailingZeros64(b)]
			for m := p.Retrieve(c.time); m != nil; m = p.Retrieve(c.time) {
				x, ok := m.(*Message)
				if !ok {
					return fmt.Errorf("ranks: %s: a %T came to %s", c.Name(), m, p.Name())
				}
				c.equal.bring(x)
				c.passIn(x)
			}
		}
	}
	return nil
}

// do does what a timer was set for.
func (c *Comp) do(t timer) {
	switch t.what {
	case computed:
		c.endCompute(t.at)
	case moved:
		c.sum(t.at.rank, -1)
		c.complete(t.at)
	case stored:
		c.complete(t.at)
	case left:
		c.leaveBy(t.msg)
	case passed:
		c.arrive(t.msg)
	case summed:
		c.sum(t.at.rank, -1)
		c.donePart(t.at)
	case reduced:
		c.donePart(t.at)
	case arrived:
		c.passIn(t.msg)
	case loaded:
		c.send(t.msg)
	case entered:
		c.sum(t.at.rank, -1)
		c.join(t.at)
	case windowing:
		c.windowed(t.msg, c.now)
	case entering:
		c.enterPiece(t.msg)
	case awake:
		c.wakes(t.at.rank)
		c.ready.Push(t.at)
	}
}

// Tasks implements task.Reporter.
func (c *Comp) Tasks() *task.Source { return &c.tasks.Source }
