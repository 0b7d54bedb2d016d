package communicator

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/gpu/library"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Comp is a communicator. It acts in the events of its group.
type Comp struct {
	*sim.ComponentBase
	spec    Spec
	clock   clock.Clock
	ops     *work.Queue
	kernels *library.Links
	prices  map[graph.Transfer]price
	known   map[int32]*work.Share
	group   *group
	rank    int
	engine  sim.Engine

	noted bool             // a chip asks what kernels take
	spans ring.Of[span]    // of kernels on the chip, which the chip has not asked for yet
	flows []*flow          // under way, in the order of their issue
	waits map[[2]int]*flow // receives, by rank and tag
	rows  []work.TransferRow
	sum   totals
	tasks task.Source
	stats *stats.Group
}

// New makes a communicator. It does not check the Spec.
func New(name string, e sim.Engine, s Spec) *Comp {
	c := &Comp{ComponentBase: sim.NewComponentBase(name), spec: s, clock: s.Clock.Clock, engine: e, prices: map[graph.Transfer]price{}, known: map[int32]*work.Share{}, waits: map[[2]int]*flow{}}
	c.kernels, _ = library.LinksOf(s.Architecture)
	c.ops = work.NewQueue(c, name, engine.NewTicker(e, c.clock, c))
	c.AddPort("Ops", c.ops.Port())
	c.stats = c.newStats()
	return c
}

// Meet implements work.Communicator.
func (c *Comp) Meet(all []work.Communicator) error {
	g := &group{}
	g.ticker = engine.NewTicker(c.engine, c.clock, g)
	for i, n := range all {
		x, ok := n.(*Comp)
		if !ok || x.clock != c.clock {
			return fmt.Errorf("%s and %s are not of one clock and kind", c.Name(), n.Name())
		}
		x.group, x.rank = g, i
		g.all = append(g.all, x)
	}
	return nil
}

// PortSpecs implements system.Node.
func (c *Comp) PortSpecs() []system.PortSpec { return []system.PortSpec{c.ops.PortSpec()} }

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.stats }

// Tasks implements task.Reporter.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// Clock implements work.Executor.
func (c *Comp) Clock() clock.Clock { return c.clock }

// Ops implements work.Executor.
func (c *Comp) Ops() sim.Port { return c.ops.Port() }

// Concurrent implements work.Concurrent.
func (c *Comp) Concurrent() {}

// Start implements work.Executor.
func (c *Comp) Start() error {
	if c.group == nil || len(c.known) == 0 {
		return fmt.Errorf("%s has nothing to transfer: no workload is cut over ranks (workload: {parallel: {data: 2, represented: stages}})", c.Name())
	}
	return nil
}

// Handle implements sim.Handler: the group handles all events.
func (c *Comp) Handle(sim.Event) error { return nil }

// Waiting implements engine.Waiter: the messages whose other side has not been issued, and the
// collectives under way.
func (c *Comp) Waiting() (out []engine.Wait) {
	for _, f := range c.flows {
		w := engine.Wait{Who: c.Name(), For: c.Name(), Why: c.transfer(f.Share, f.Job).Name + " is under way"}
		if f.t.Func == "send" && f.sent {
			w.For, w.Why = c.group.all[f.t.Peer].Name(), c.transfer(f.Share, f.Job).Name+" has no receive"
		}
		out = append(out, w)
	}
	for at, f := range c.waits {
		out = append(out, engine.Wait{Who: c.Name(), For: c.group.all[at[0]].Name(), Why: c.transfer(f.Share, f.Job).Name + " has not come"})
	}
	return out
}

// NotifyRecv implements sim.Component.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.group.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.group.ticker.WakeAfter(now) }

// Prepare implements work.Executor.
func (c *Comp) Prepare(w work.Share) error {
	if w.Ahead {
		return fmt.Errorf("%s carries out the transfers of a schedule, not whole workloads", c.Name())
	}
	for _, j := range w.Program.Jobs {
		op := &w.Graph.Ops[j.Op]
		t, ok := op.Kind.(graph.Transfer)
		if !ok {
			return fmt.Errorf("%s: %s is no transfer", c.Name(), op.Name)
		}
		if err := c.check(op, &t); err != nil {
			return err
		}
	}
	c.known[w.ID] = &w
	return nil
}

func (c *Comp) transfer(share, job int32) *graph.Op {
	w := c.known[share]
	return &w.Graph.Ops[w.Program.Jobs[job].Op]
}

// Plan implements work.Executor.
func (c *Comp) Plan(share int32, job int) work.Cost {
	t := c.transfer(share, int32(job)).Kind.(graph.Transfer)
	p := c.price(&t, c.rank)
	return work.Cost{Bytes: uint64(t.Bytes), Time: units.Time((p.start + p.move) * c.clock.Nanoseconds(1) * float64(units.Nanosecond))}
}

// begin begins a transfer that was issued.
func (c *Comp) begin(i work.Issued, cycle uint64) {
	op := c.transfer(i.Share, i.Job)
	t := op.Kind.(graph.Transfer)
	f := &flow{Issued: i, node: c, t: t, came: cycle, price: c.price(&t, c.rank)}
	if c.tasks.On() {
		f.task = c.tasks.Begin(instant.Of(c.clock, cycle), task.Layer, c.tasks.What(op.Name), i.Task, uint64(t.Bytes))
	}
	if t.Func == "recv" {
		c.waits[[2]int{t.Peer, t.Tag}] = f
		return
	}
	c.flows = append(c.flows, f)
}

// done ends a transfer.
func (c *Comp) done(f *flow, cycle uint64) {
	c.tasks.End(instant.Of(c.clock, cycle), f.task)
	c.rows = append(c.rows, work.TransferRow{Share: c.known[f.Share], Job: f.Job, Start: f.came, End: cycle})
	c.sum.add(&f.t)
	c.sum.end = max(c.sum.end, cycle)
	c.ops.Done(f.Issued, f.came, cycle)
}
