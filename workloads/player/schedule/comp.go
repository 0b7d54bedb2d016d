package schedule

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// Comp is a schedule node.
type Comp struct {
	*sim.ComponentBase
	spec   Spec
	ticker *engine.Ticker
	port   *engine.Port

	executors []work.Executor  // by name
	at        []sim.Port       // of each
	loads     []work.Workload  // by name
	parts     [][][]work.Place // by workload and place: its members
	open      map[schedule.Ref]*parts
	state     *schedule.State
	arrivals  []arrival // in order
	next      int       // of arrivals
	out       []sim.Msg // that the link has no room for

	done, total atomic.Int64 // operators
	end         units.Time   // of the last operator
	operators   uint64
	revoked     uint64
	served      []served
	tasks       task.Source
	group       *stats.Group
}

// parts are what is under way of an operator that several executors share.
type parts struct {
	left       int
	begin, end units.Time
}

// An arrival is a request to come.
type arrival struct {
	at   units.Time
	load int
}

// served is what is kept of a request.
type served struct {
	*schedule.Request
	task task.ID
}

// buffer is how many messages the node takes in one cycle, and how many the link holds
// for it.
//
// assumption: more than executors answer in a cycle in any system here.
const buffer = 1024

// New makes a schedule node. The Spec has been checked.
func New(name string, e sim.Engine, s Spec) *Comp {
	c := &Comp{ComponentBase: sim.NewComponentBase(name), spec: s, group: stats.NewGroup(name)}
	c.ticker = engine.NewTicker(e, s.Clock.Clock, c)
	c.port = engine.NewPort(c, name+".Executors", buffer)
	c.AddPort("Executors", c.port)
	c.declare()
	return c
}

// PortSpecs implements system.Node.
func (c *Comp) PortSpecs() []system.PortSpec {
	return []system.PortSpec{{
		Name: "executors", Protocol: work.Protocol, Role: system.Peers, Ports: []sim.Port{c.port},
		Many: true, Clock: c.Clock(), Buffer: buffer,
	}}
}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.group }

// Tasks implements task.Reporter.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// Clock is the node's clock.
func (c *Comp) Clock() clock.Clock { return c.spec.Clock.Clock }

// SetPeers implements system.Neighbour: executors are at the other end of the links.
func (c *Comp) SetPeers(_ string, peers []system.Peer) error {
	for _, p := range peers {
		x, ok := p.Node.(work.Executor)
		if !ok {
			return fmt.Errorf("%s is linked to %s, which carries out no operators", c.Name(), p.Node.Name())
		}
		c.executors, c.at = append(c.executors, x), append(c.at, p.Port)
	}
	return nil
}

// Executors implements work.Scheduler.
func (c *Comp) Executors() []work.Executor { return c.executors }

// Schedule implements work.Scheduler. The order of workloads does not matter.
func (c *Comp) Schedule(loads []work.Workload) error {
	c.loads = slices.Clone(loads)
	slices.SortStableFunc(c.loads, func(a, b work.Workload) int { return configs.CompareNames(a.Name, b.Name) })
	var names []string
	for _, x := range c.executors {
		names = append(names, x.Name())
	}
	models := make([]schedule.Model, len(c.loads))
	for i := range c.loads {
		w := &c.loads[i]
		models[i] = c.model(w)
		for _, t := range w.Times {
			c.arrivals = append(c.arrivals, arrival{t, i})
		}
		c.total.Add(int64(len(w.Times) * len(w.Jobs)))
	}
	for i := range models {
		if f := slices.IndexFunc(c.loads, func(w work.Workload) bool { return w.Name == c.loads[i].After }); f >= 0 {
			models[i].After = []int{f}
		}
	}
	slices.SortStableFunc(c.arrivals, func(a, b arrival) int { return cmp.Compare(a.at, b.at) })
	var err error
	c.state, err = schedule.New(models, names, c.spec.Policy.New(), schedule.Options{Grain: c.spec.Grain, Ahead: c.spec.Ahead})
	if err != nil {
		return err
	}
	for e, x := range c.executors {
		_, c.state.Executors[e].Concurrent = x.(work.Concurrent)
	}
	c.open, c.parts = map[schedule.Ref]*parts{}, make([][][]work.Place, len(c.loads))
	for i := range c.loads {
		for k := range c.loads[i].On {
			p := &c.loads[i].On[k]
			c.parts[i] = append(c.parts[i], p.Members())
			if len(p.With) > 0 {
				c.state.Executors[c.index(p.Executor)].Team = true
			}
		}
	}
	c.declareLoads()
	return nil
}

// model is a workload as the scheduler sees it.
func (c *Comp) model(w *work.Workload) schedule.Model {
	m := schedule.Model{Name: w.Name, Deadline: w.Deadline, Priority: w.Priority}
	after := work.After(w.Graph, w.Jobs)
	for i, j := range w.Jobs {
		op := schedule.Operator{Name: w.Graph.Ops[j.Op].Name, After: after[i], Cost: make([]schedule.Cost, len(c.executors))}
		m.Ops = append(m.Ops, op)
	}
	for e, x := range c.executors {
		at := slices.IndexFunc(w.On, func(p work.Place) bool { return p.Executor == x })
		if at < 0 {
			continue
		}
		m.Executors = append(m.Executors, e)
		for _, member := range w.On[at].Members() {
			for i, job := range member.Job {
				if job < 0 {
					continue
				}
				p, cost := member.Plan(w.ID, int(job)), &m.Ops[i].Cost[e]
				cost.Can, cost.Time, cost.Energy = true, max(cost.Time, p.Time), cost.Energy+p.Energy
			}
		}
	}
	return m
}

func (c *Comp) index(x work.Executor) int { return slices.Index(c.executors, x) }

// Start implements system.Starter.
func (c *Comp) Start() error {
	if len(c.arrivals) > 0 {
		c.ticker.WakeAt(c.notice(c.arrivals[0].at))
	}
	return nil
}

// Progress implements system.Worker.
func (c *Comp) Progress() (done, total int64) { return c.done.Load(), c.total.Load() }

// NotifyRecv implements sim.Component.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// Handle implements sim.Handler: what executors report, what arrives, then decisions.
func (c *Comp) Handle(e sim.Event) error {
	time := e.Time()
	cycle := c.ticker.Cycle(time)
	now := instantOf(c.Clock(), cycle)
	ended, err := c.receive(time, now)
	if err != nil {
		return err
	}
	look := c.spec.Tick == 0 || ended || now%c.spec.Tick == 0
	for look && c.next < len(c.arrivals) && c.arrivals[c.next].at <= now {
		c.arrive(time, c.arrivals[c.next])
		c.next++
	}
	if look && c.spec.Drop == dropLate {
		c.give(time, c.state.DropLate(now))
	}
	c.give(time, c.state.DropHopeless(now))
	for _, x := range c.state.Revocations() {
		w, members := c.members(x) // one: of a team nothing is taken back
		c.send(x.Executor, &work.Revoke{Share: w.ID, Job: members[0].Job[x.Op], Request: x.Request})
	}
	for {
		x, ok := c.state.Next(now)
		if !ok {
			break
		}
		c.issue(x)
	}
	n := 0
	for ; n < len(c.out); n++ {
		c.out[n].Meta().SendTime = time
		if c.port.Send(c.out[n]) != nil {
			break // NotifyPortFree wakes the node
		}
	}
	c.out = slices.Delete(c.out, 0, n)
	if c.next < len(c.arrivals) {
		c.ticker.WakeAt(c.notice(c.arrivals[c.next].at))
	}
	return nil
}

// issue gives an operator to an executor, or to all that share it.
func (c *Comp) issue(x schedule.Issue) {
	w, members := c.members(x)
	s, n := &c.served[x.Request], 0
	for _, p := range members {
		if job := p.Job[x.Op]; job >= 0 {
			c.send(c.index(p.Executor), &work.Issue{Share: w.ID, Job: job, Request: x.Request, Nth: s.Nth, Task: s.task})
			n++
		}
	}
	if len(members) > 1 {
		c.open[x.Ref] = &parts{left: n, begin: math.MaxUint64}
	}
}

// members are the executors of the place that an operator goes to.
func (c *Comp) members(x schedule.Issue) (*work.Workload, []work.Place) {
	m := c.state.Request(x.Request).Model
	w := &c.loads[m]
	return w, c.parts[m][slices.IndexFunc(w.On, func(p work.Place) bool { return p.Executor == c.executors[x.Executor] })]
}

// operator is the one that executor e knows as a job of a workload.
func (c *Comp) operator(model int32, e int, job int32) int32 {
	for _, members := range c.parts[model] {
		for _, p := range members {
			if p.Executor == c.executors[e] {
				return int32(slices.Index(p.Job, job))
			}
		}
	}
	return -1
}

func (c *Comp) send(executor int, m sim.Msg) {
	m.Meta().Src, m.Meta().Dst = c.port, c.at[executor]
	c.out = append(c.out, m)
}

// arrive makes a request.
func (c *Comp) arrive(time sim.VTimeInSec, a arrival) {
	r := c.state.Arrive(a.at, a.load)
	s := served{Request: r}
	if c.tasks.On() {
		s.task = c.tasks.Begin(time, task.Request, c.tasks.What(c.loads[a.load].Name), 0, 0)
		if r.Finished() {
			c.tasks.End(time, s.task)
		}
	}
	c.served = append(c.served, s)
	c.end = max(c.end, r.End)
}

// receive takes in what executors report, and tells whether a request ended.
func (c *Comp) receive(time sim.VTimeInSec, now units.Time) (ended bool, err error) {
	for msg := c.port.Retrieve(time); msg != nil; msg = c.port.Retrieve(time) {
		m, ok := msg.(*work.Done)
		if !ok {
			return ended, fmt.Errorf("%s got a %T", c.Name(), msg)
		}
		e := slices.Index(c.at, m.Src)
		ref := schedule.Ref{Request: m.Request, Op: c.operator(c.state.Request(m.Request).Model, e, m.Job)}
		if m.Revoked {
			c.revoked++
			if err := c.state.Revoked(now, ref); err != nil {
				return ended, fmt.Errorf("%s: %w", c.Name(), err)
			}
			continue
		}
		k := c.executors[e].Clock()
		begin, end := instantOf(k, m.Begin), instantOf(k, m.End)
		if p := c.open[ref]; p != nil {
			p.left, p.begin, p.end = p.left-1, min(p.begin, begin), max(p.end, end)
			if p.left > 0 {
				continue
			}
			begin, end = p.begin, p.end
			delete(c.open, ref)
		}
		r, err := c.state.Done(now, ref, begin, end)
		if err != nil {
			return ended, fmt.Errorf("%s: %w", c.Name(), err)
		}
		c.operators++
		c.done.Add(1)
		c.end = max(c.end, end)
		if r != nil {
			c.tasks.End(time, c.served[r.ID].task)
			ended = true
		}
	}
	return ended, nil
}

// Dropped implements work.Scheduler.
func (c *Comp) Dropped(id int32) (n int) {
	for i := range c.served {
		if s := &c.served[i]; s.Dropped && c.loads[s.Model].ID == id {
			n++
		}
	}
	return n
}

// give notes requests that are given up.
func (c *Comp) give(time sim.VTimeInSec, all []*schedule.Request) {
	for _, r := range all {
		c.total.Add(-int64(len(c.state.Models[r.Model].Ops)))
		c.tasks.End(time, c.served[r.ID].task)
	}
}

// notice is the first cycle in which an arrival is seen if nothing else happens.
func (c *Comp) notice(t units.Time) uint64 {
	if k := c.spec.Tick; k > 0 {
		t = (t + k - 1) / k * k
	}
	return c.cycle(t)
}

// cycle is the first cycle of the node at or after a time.
func (c *Comp) cycle(t units.Time) uint64 { return c.Clock().Cycles(uint64(t), uint64(units.Second)) }

// instantOf is the time of a cycle, rounded down to femtoseconds.
func instantOf(k clock.Clock, cycle uint64) units.Time {
	hi, lo := bits.Mul64(cycle, k.Num())
	if hi != 0 {
		panic(fmt.Sprintf("schedule: cycle %d of a clock of %s is out of range", cycle, k))
	}
	hi, lo = bits.Mul64(lo, uint64(units.Second))
	if hi >= k.Den() {
		panic(fmt.Sprintf("schedule: cycle %d of a clock of %s is beyond %s", cycle, k, units.Time(1<<64-1)))
	}
	q, _ := bits.Div64(hi, lo, k.Den())
	return units.Time(q)
}

// Assumptions implements system.Assumer.
func (c *Comp) Assumptions() []string {
	return []string{c.Name() + ": results go to memory between operators, whatever on_chip of an executor says: other operators may come in between"}
}

// Waiting implements engine.Waiter.
func (c *Comp) Waiting() []engine.Wait {
	if c.state == nil {
		return nil
	}
	var out []engine.Wait
	for e := range c.state.Executors {
		if q := c.state.Executors[e].Queue; len(q) > 0 {
			out = append(out, engine.Wait{Who: c.Name(), For: c.executors[e].Name(),
				Why: fmt.Sprintf("%d operators are issued and not done, the first of request %d", len(q), q[0].Request)})
		}
	}
	if n := c.state.Live(); out == nil && n > 0 {
		out = append(out, engine.Wait{Who: c.Name(), For: c.Name(), Why: fmt.Sprintf("%d requests wait, and the policy %s gives nobody an operator", n, c.spec.Policy)})
	}
	if left := len(c.arrivals) - c.next; out == nil && left > 0 {
		out = append(out, engine.Wait{Who: c.Name(), For: c.Name(), Why: fmt.Sprintf("%d requests have not arrived", left)})
	}
	return out
}
