package serve

import (
	"fmt"
	"math"
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
	"github.com/causeway-sim/causeway/workloads/player/issue"
	"github.com/causeway-sim/causeway/workloads/schedule"
	"github.com/causeway-sim/causeway/workloads/serving"
)

// Comp is a serve node.
type Comp struct {
	*sim.ComponentBase
	spec   Spec
	ticker *engine.Ticker
	desk   *issue.Desk

	service work.Service
	engine  *serving.Engine
	entries int // that the memory for keys and values holds
	next    int // request to arrive
	queued  []units.Time
	steps   []step // scheduled and not ended, in order; the first is under way
	state   *schedule.State
	loads   []work.Part // by model of the state

	done, total atomic.Int64 // tokens of answers
	busy        units.Time   // in which a step was under way
	end         units.Time
	counts      counts
	tasks       task.Source
	of          []task.ID // by request
	group       *stats.Group
}

// A step is a batch and how far it is.
type step struct {
	*serving.Step
	begun   bool
	at      units.Time // when it began, or is to
	until   units.Time // planned: when it ends
	pending int        // issued: workloads that have not ended
	models  int        // of the state, the first of them; which follow each other
	parts   int
}

// counts are what metrics tell besides.
type counts struct {
	steps, operators, parts uint64
	moved                   units.Time // between host and executors
}

// New makes a serve node. The Spec has been checked.
func New(name string, e sim.Engine, s Spec) *Comp {
	c := &Comp{ComponentBase: sim.NewComponentBase(name), spec: s, group: stats.NewGroup(name)}
	c.ticker = engine.NewTicker(e, s.Clock.Clock, c)
	c.desk = issue.New(c, name, s.Clock.Clock)
	c.AddPort("Executors", c.desk.Port())
	c.declare()
	return c
}

// PortSpecs implements system.Node.
func (c *Comp) PortSpecs() []system.PortSpec { return []system.PortSpec{c.desk.PortSpec()} }

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.group }

// Tasks implements task.Reporter.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// Clock is the node's clock.
func (c *Comp) Clock() clock.Clock { return c.spec.Clock.Clock }

// SetPeers implements system.Neighbour: executors are at the other end of the links.
func (c *Comp) SetPeers(_ string, peers []system.Peer) error { return c.desk.SetPeers(peers) }

// Executors implements work.Server.
func (c *Comp) Executors() []work.Executor { return c.desk.Executors() }

// Serve implements work.Server.
func (c *Comp) Serve(s work.Service) (err error) {
	c.service = s
	spec := serving.Spec{
		Tokens: c.spec.Tokens, Sequences: c.spec.Sequences, Block: c.spec.Block, Chunked: c.spec.Chunked, Prefix: c.spec.Prefix,
		Whole: c.spec.Whole, Preempt: c.spec.Preempt, Ahead: c.spec.Ahead,
	}
	each := s.Entry * uint64(c.spec.Block)
	if spec.Blocks = nil; c.spec.Blocks > 0 {
		spec.Blocks = []int{c.spec.Blocks}
	} else if c.spec.Memory > 0 {
		n := uint64(c.spec.Memory) / each
		if n < 1 {
			return fmt.Errorf("kv_memory of %s is %s, and a block of %d tokens takes %s", c.Name(), c.spec.Memory, c.spec.Block, units.Bytes(each))
		}
		spec.Blocks = []int{int(min(n, 1<<26))}
	}
	if c.spec.Preempt == serving.Swap {
		spec.Host = int(min(uint64(c.spec.Host.Memory)/each, 1<<26))
	}
	if c.engine, err = serving.New(spec, s.Requests); err != nil {
		return err
	}
	_, _, blocks := c.engine.Blocks()
	c.entries = blocks * c.spec.Block
	c.queued, c.of = make([]units.Time, len(s.Requests)), make([]task.ID, len(s.Requests))
	for i := range s.Requests {
		c.total.Add(int64(s.Requests[i].Output))
	}
	var names []string
	for _, x := range c.Executors() {
		names = append(names, x.Name())
	}
	policy := schedule.PolicyName{Named: schedule.Named{Name: "fcfs"}}
	c.state, err = schedule.New(nil, names, policy.New(), schedule.Options{Grain: schedule.ByOperator, Ahead: 2})
	if err != nil {
		return err
	}
	for e, x := range c.Executors() {
		_, c.state.Executors[e].Concurrent = x.(work.Concurrent)
	}
	return nil
}

// Entries is how many keys and values the memory for them holds, once it serves.
func (c *Comp) Entries() int { return c.entries }

// Start implements system.Starter.
func (c *Comp) Start() error {
	if len(c.service.Requests) > 0 {
		c.ticker.WakeAt(issue.Cycle(c.Clock(), c.service.Requests[0].Arrival))
	}
	return nil
}

// Progress implements system.Worker.
func (c *Comp) Progress() (done, total int64) { return c.done.Load(), c.total.Load() }

// NotifyRecv implements sim.Component.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// Handle implements sim.Handler: what has ended, then who is scheduled, then operators.
// The server takes requests in when it turns to the next step.
func (c *Comp) Handle(e sim.Event) error {
	time := e.Time()
	now := issue.Instant(c.Clock(), c.ticker.Cycle(time))
	ended, err := c.receive(time, now)
	if err != nil {
		return err
	}
	if len(c.steps) > 0 && c.steps[0].begun && c.spec.Times == planned && c.steps[0].until <= now {
		c.complete(time, now)
		ended = true
	}
	if ended || len(c.steps) == 0 {
		c.arrive(time, now)
		for {
			s, ok := c.engine.Schedule(now)
			if !ok {
				break
			}
			c.steps = append(c.steps, step{Step: s})
		}
	}
	if err := c.begin(now); err != nil {
		return err
	}
	for c.spec.Times == issued {
		x, ok := c.state.Next(now)
		if !ok {
			break
		}
		r := c.state.Request(x.Request)
		c.desk.Issue(r.Model, x, 1, r.Nth, 0, 0)
	}
	c.desk.Flush(time)
	c.wake()
	return nil
}

// wake sets the node's next event, besides those that messages make: an arrival that it
// would turn to, the begin or the end of a step.
func (c *Comp) wake() {
	if len(c.steps) > 0 {
		if s := &c.steps[0]; !s.begun {
			c.ticker.WakeAt(issue.Cycle(c.Clock(), s.at))
		} else if c.spec.Times == planned {
			c.ticker.WakeAt(issue.Cycle(c.Clock(), s.until))
		}
	}
	if c.next < len(c.service.Requests) && len(c.steps) == 0 {
		c.ticker.WakeAt(issue.Cycle(c.Clock(), c.service.Requests[c.next].Arrival))
	}
}

// arrive takes in the requests that have come.
func (c *Comp) arrive(time sim.VTimeInSec, now units.Time) {
	for c.next < len(c.service.Requests) && c.service.Requests[c.next].Arrival <= now {
		i := c.next
		c.next++
		c.queued[i] = now
		if c.tasks.On() {
			c.of[i] = c.tasks.Begin(time, task.Request, c.tasks.What(c.service.Name), 0, 0)
		}
		if c.engine.Arrive(i) == serving.Refused {
			c.total.Add(-int64(c.service.Requests[i].Output))
			c.tasks.End(time, c.of[i])
		}
	}
}

// begin starts the first step, when the one before it has ended and the server is ready.
func (c *Comp) begin(now units.Time) error {
	if len(c.steps) == 0 || c.steps[0].begun {
		return nil
	}
	s := &c.steps[0]
	if s.at == 0 {
		s.at = now + c.spec.Overhead + c.moves(s.Step)
	}
	if s.at > now {
		return nil
	}
	s.begun = true
	b := c.batch(s.Step)
	if c.spec.Times == planned {
		t, err := c.service.Time(b)
		if err != nil {
			return err
		}
		s.until = s.at + t
		return nil
	}
	return c.issue(now, s, b)
}

// moves is the time of entries on their way from and to host memory.
func (c *Comp) moves(s *serving.Step) units.Time {
	n := max(s.In, s.Out)
	if n == 0 {
		return 0
	}
	bytes := float64(n) * float64(c.service.Entry) * float64(c.spec.Block)
	t := units.Time(math.Round(bytes * 8 / float64(c.spec.Host.Bandwidth) * float64(units.Second)))
	c.counts.moved += t
	return t
}

// issue hands the operators of a step to the executors.
func (c *Comp) issue(now units.Time, s *step, b work.Batch) error {
	slot := s.Number % 2
	parts, err := c.service.Batch(b, slot)
	if err != nil {
		return err
	}
	if slot == 1 && len(c.loads) < len(parts) {
		panic(fmt.Sprintf("serve: %s has a second step of %d parts before the first", c.Name(), len(parts)))
	}
	s.models, s.parts = slot*len(parts), len(parts)
	for k := range parts {
		p := &parts[k]
		n := 0
		for i := range p.On {
			for _, x := range p.On[i].Members() {
				c.desk.Send(slices.Index(c.Executors(), x.Executor), &work.Prepare{Share: p.Shares[n]})
				n++
			}
		}
		m := c.desk.Model(&p.Workload, false)
		if err := c.state.Set(s.models+k, m); err != nil {
			return err
		}
		if s.models+k == len(c.loads) {
			c.loads = append(c.loads, *p)
		} else {
			c.loads[s.models+k] = *p
		}
		c.desk.Set(c.state, s.models+k, &c.loads[s.models+k].Workload)
		if !c.state.Arrive(now, s.models+k).Finished() {
			s.pending++
		}
	}
	c.counts.parts += uint64(len(parts))
	return nil
}

// receive takes in what executors report, and tells whether a step ended.
func (c *Comp) receive(time sim.VTimeInSec, now units.Time) (ended bool, err error) {
	for msg := c.desk.Port().Retrieve(time); msg != nil; msg = c.desk.Port().Retrieve(time) {
		m, ok := msg.(*work.Done)
		if !ok {
			return ended, fmt.Errorf("%s got a %T", c.Name(), msg)
		}
		ref, begin, end, all := c.desk.Done(c.state.Request(m.Request).Model, m)
		if !all {
			continue
		}
		over, err := c.state.Done(now, ref, begin, end)
		if err != nil {
			return ended, fmt.Errorf("%s: %w", c.Name(), err)
		}
		c.counts.operators++
		if len(over) == 0 {
			continue
		}
		s := &c.steps[0]
		s.until = max(s.until, over[0].End)
		if s.pending--; s.pending == 0 {
			c.complete(time, now)
			ended = true
		}
	}
	return ended, nil
}

// complete ends the first step.
func (c *Comp) complete(time sim.VTimeInSec, now units.Time) {
	s := c.steps[0]
	c.steps = c.steps[1:]
	c.busy += s.until - s.at
	c.end = max(c.end, s.until)
	c.counts.steps++
	for _, q := range c.engine.Complete(s.until, s.Step) {
		c.done.Add(1)
		if q.State == serving.Done {
			c.tasks.End(time, c.of[q.Index()])
		}
	}
}

// Waiting implements engine.Waiter.
func (c *Comp) Waiting() []engine.Wait {
	if c.engine == nil {
		return nil
	}
	why := ""
	switch left := len(c.service.Requests) - c.next; {
	case len(c.steps) > 0:
		why = fmt.Sprintf("step %d is under way", c.steps[0].Number)
	case c.engine.Open() > 0:
		why = fmt.Sprintf("%d requests are open, %d of them wait for blocks", c.engine.Open(), c.engine.Waiting())
	case left > 0:
		why = fmt.Sprintf("%d requests have not arrived", left)
	default:
		return nil
	}
	return []engine.Wait{{Who: c.Name(), For: c.Name(), Why: why}}
}
