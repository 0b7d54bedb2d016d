package nic

import (
	"fmt"
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// Comp is a network interface. It acts in the events of its player.
type Comp struct {
	*sim.ComponentBase
	spec   Spec
	clock  clock.Clock
	ops    *work.Queue
	port   *engine.Port
	peers  []system.Peer
	data   data
	player sim.Component // nil: none
	at     configs.Value // the node's mapping, for errors

	known map[int32]*known
	next  int32           // operation of the program that the next share begins with
	under map[int32]begun // by operation
	rows  []work.TransferRow
	sum   totals
	tasks task.Source
	group *stats.Group
	rest  energy.Rest
}

// known is a share, and the first operation of the program that is of it.
type known struct {
	work.Share
	first int32
	once  bool            // it came while the run went on, and each of its jobs is issued once
	lies  []operandPlaces // by job, where its tensors lie; empty until it is asked for
}

// operandPlaces is where the operands and the results of a transfer lie.
type operandPlaces struct{ in, out place }

// begun is a transfer under way.
type begun struct {
	work.Issued
	at   uint64
	task task.ID
	by   task.ID // the collective that it is; 0: no observer wants tasks
}

// New makes an interface. It does not check the Spec.
func New(name string, e sim.Engine, s Spec) *Comp {
	c := &Comp{ComponentBase: sim.NewComponentBase(name), spec: s, clock: s.Clock.Clock, known: map[int32]*known{}, under: map[int32]begun{}}
	c.ops = work.NewQueue(c, name, engine.NewTicker(e, c.clock, c))
	c.port = engine.NewPort(c, name+".Net", seat.Mailbox)
	c.data.port = engine.NewPort(c, name+".Mem", seat.Mailbox)
	c.data.calls = memory.NewCalls[burst](c.data.port)
	c.AddPort("Mem", c.data.port)
	c.AddPort("Ops", c.ops.Port())
	c.AddPort("Net", c.port)
	c.group = c.newStats()
	return c
}

// PortSpecs implements system.Node.
func (c *Comp) PortSpecs() []system.PortSpec {
	net := c.spec.NIC.Port(c.port, c.clock)
	net.Name, net.Optional = "net", false
	mem := system.PortSpec{Name: "mem", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{c.data.port}, Clock: c.clock, Optional: true}
	return []system.PortSpec{c.ops.PortSpec(), net, mem}
}

// SetMap implements system.Requester.
func (c *Comp) SetMap(_ string, m *memory.Map) error {
	c.data.homes = m
	c.declareMemory()
	return m.TimingOnly(c.Name())
}

// Moves implements seat.Mover.
func (c *Comp) Moves() bool { return c.data.homes != nil }

// Fetch implements seat.Mover.
func (c *Comp) Fetch(p seat.Piece, token int32) {
	i := c.under[p.Op]
	l := c.lies(c.known[i.Share], i.Job)
	if p.Sum && c.spec.Sums == NearMemory {
		p.Read = false
	}
	from := &l.out
	if !p.Result || len(l.out.all) == 0 {
		from = &l.in
	}
	c.data.ask(piece{Piece: p, token: token, from: from, to: &l.out})
}

// operandPlaces holds the addresses of the tensors of a job, for all its pieces.
func (c *Comp) lies(w *known, job int32) *operandPlaces {
	if w.lies == nil {
		w.lies = make([]operandPlaces, len(w.Program.Jobs))
	}
	l := &w.lies[job]
	if op := &w.Graph.Ops[w.Program.Jobs[job].Op]; l.in.all == nil && l.out.all == nil {
		l.in, l.out = placeOf(w, op.In), placeOf(w, op.Out)
	}
	return l
}

// Spreads implements work.Spreader.
func (c *Comp) Spreads() {}

// Fetched implements seat.Mover.
func (c *Comp) Fetched(now sim.VTimeInSec, into []int32) (done []int32, again bool, err error) {
	if err := c.data.receive(now); err != nil {
		return into, false, err
	}
	again, err = c.data.send(now, &c.spec)
	done = append(into, c.data.done...)
	c.data.done = c.data.done[:0]
	return done, again, err
}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.group }

// Tasks implements task.Reporter.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// Clock implements work.Executor and seat.Seat.
func (c *Comp) Clock() clock.Clock { return c.clock }

// Ops implements work.Executor.
func (c *Comp) Ops() sim.Port { return c.ops.Port() }

// Concurrent implements work.Concurrent.
func (c *Comp) Concurrent() {}

// Start implements work.Executor.
func (c *Comp) Start() error { return nil }

// Handle implements sim.Handler: nothing is scheduled for the node itself.
func (c *Comp) Handle(sim.Event) error { return nil }

// Waiting implements engine.Waiter: nothing, because the player reports its waits.
func (c *Comp) Waiting() []engine.Wait { return nil }

// SetPeers implements system.Neighbour.
func (c *Comp) SetPeers(port string, peers []system.Peer) error {
	if port == "net" {
		c.peers = peers
	}
	return nil
}

// Prepare implements work.Executor. The jobs of a share are operations of the program one
// after the other, once for each of its Requests, in the order of the calls.
//
// A share prepared during the run extends the program. No share is issued ahead.
func (c *Comp) Prepare(w work.Share) error {
	if w.Ahead {
		return fmt.Errorf("%s carries out the transfers of a schedule, not whole workloads", c.Name())
	}
	all := make([]graph.Transfer, len(w.Program.Jobs))
	for i, j := range w.Program.Jobs {
		op := &w.Graph.Ops[j.Op]
		t, ok := op.Kind.(graph.Transfer)
		if !ok {
			return fmt.Errorf("%s: %s is no transfer", c.Name(), op.Name)
		}
		all[i] = t
	}
	if x, ok := c.player.(seat.Extender); ok {
		first, err := x.Extend(c, all, int64(w.ID)<<48|w.Serial)
		c.known[w.ID] = &known{Share: w, first: first, once: true}
		return err
	}
	c.known[w.ID] = &known{Share: w, first: c.next}
	c.next += int32(len(w.Program.Jobs) * w.Requests)
	return nil
}

// Plan implements work.Executor: the time of the bytes at the interface's bandwidth, and
// its overhead.
func (c *Comp) Plan(share int32, job int) work.Cost {
	w := c.known[share]
	n := uint64(w.Graph.Ops[w.Program.Jobs[job].Op].Kind.(graph.Transfer).Bytes)
	cost := work.Cost{Bytes: n, Time: units.Time(c.clock.Nanoseconds(c.spec.Overhead.In(c.clock)) * float64(units.Nanosecond))}
	if c.spec.Bandwidth > 0 {
		cost.Time += units.Time(float64(n) * 8 / float64(c.spec.Bandwidth) * float64(units.Second))
	}
	return cost
}

// Interface implements seat.Seat.
func (c *Comp) Interface() (*engine.Port, seat.NIC) { return c.port, c.spec.NIC }

// Peers implements seat.Seat.
func (c *Comp) Peers() []system.Peer { return c.peers }

// Sit implements seat.Seat.
func (c *Comp) Sit(player sim.Component) error {
	c.player = player
	var errs configs.Errors
	for _, key := range []string{"burst", "outstanding", "sums"} {
		if v := c.at.Get(key); v.Exists() && !c.Moves() {
			errs.Add(v.Errorf(nil, "has no effect: port mem of %s is not linked", c.Name()))
		}
	}
	if v := c.at.Get("memory"); v.Exists() && c.Moves() {
		errs.Add(v.Errorf(nil, "has no effect: %s reads and writes the memory at its port mem", c.Name()))
	}
	return errs.Err()
}

// Unused implements seat.Seat.
func (c *Comp) Unused() error {
	const text = "has nothing to transfer: no workload is cut over ranks (workload: {parallel: {tensor: 2}})"
	if c.at.Exists() {
		return c.at.Errorf(nil, text)
	}
	return fmt.Errorf("%s %s", c.Name(), text)
}

// Move implements seat.Seat.
func (c *Comp) Move(bytes uint64) uint64 {
	if c.spec.Memory == 0 {
		return 0
	}
	return c.clock.Cycles(8*min(bytes, math.MaxUint64/8), uint64(c.spec.Memory))
}

// Until implements seat.Seat.
func (c *Comp) Until(cycle uint64) { c.sum.end = max(c.sum.end, cycle) }

// Asked implements seat.Agent.
func (c *Comp) Asked(now sim.VTimeInSec, cycle uint64, into []int32) ([]int32, error) {
	if err := c.ops.Receive(now, cycle); err != nil {
		return into, err
	}
	for i, ok := c.ops.Next(); ok; i, ok = c.ops.Next() {
		w := c.known[i.Share]
		op := w.first + i.Job
		if !w.once {
			op += i.Nth * int32(len(w.Program.Jobs))
		}
		b := begun{Issued: i, at: cycle}
		if c.tasks.On() {
			g := &w.Graph.Ops[w.Program.Jobs[i.Job].Op]
			b.task = c.tasks.Begin(instant.Of(c.clock, cycle), task.Layer, c.tasks.What(g.Name), i.Task, uint64(g.Kind.(graph.Transfer).Bytes))
		}
		c.under[op] = b
		into = append(into, op)
	}
	return into, nil
}

// Ended implements seat.Agent.
func (c *Comp) Ended(op int32, cycle uint64) {
	b := c.under[op]
	delete(c.under, op)
	c.tasks.End(instant.Of(c.clock, cycle), b.task)
	if b.by != 0 {
		c.tasks.Explain(b.task, c.tasks.What("as a collective"), instant.Of(c.clock, b.at), instant.Of(c.clock, cycle), b.by)
	}
	w := c.known[b.Share]
	c.rows = append(c.rows, work.TransferRow{Share: &w.Share, Job: b.Job, Start: b.at, End: cycle})
	t := w.Graph.Ops[w.Program.Jobs[b.Job].Op].Kind.(graph.Transfer)
	c.sum.transfers++
	c.sum.bytes += uint64(t.Bytes)
	c.sum.kind.Add(t.Func, uint64(t.Bytes))
	c.ops.Done(b.Issued, b.at, cycle)
}

// TaskOf implements seat.Reporter.
func (c *Comp) TaskOf(op int32) task.ID { return c.under[op].task }

// Because implements seat.Reporter.
func (c *Comp) Because(op int32, by task.ID) {
	if b, ok := c.under[op]; ok && c.tasks.Explains() {
		b.by = by
		c.under[op] = b
	}
}

// Answer implements seat.Agent.
func (c *Comp) Answer(now sim.VTimeInSec, cycle uint64) { c.ops.Send(now, cycle) }

// NotifyRecv implements sim.Component: the player handles all messages.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, p sim.Port) { c.player.NotifyRecv(now, p) }

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, p sim.Port) { c.player.NotifyPortFree(now, p) }
