package schedule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/player/issue"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// Comp is a schedule node. Its progress counts operators.
type Comp struct {
	issue.Node
	spec Spec

	loads    []work.Workload // by name
	state    *schedule.State
	arrivals []arrival // in order
	next     int       // of arrivals

	end       units.Time // of the last operator
	operators uint64
	issues    uint64
	switches  uint64
	batched   uint64 // requests of all issues
	held      []occupancy
	revoked   uint64
	served    []served
	sample    *issue.Sampling  // nil: every operator is issued
	periods   []schedule.Shape // with sample: signatures
	turns     cause.Turns      // by what the executors do
	ordered   int              // executors that carry out one operator after the other
}

// An arrival is a request to come.
type arrival struct {
	at   units.Time
	load int
	nth  int32 // among those of the workload that might have been made
}

// served is the record of a request.
type served struct {
	*schedule.Request
	task task.ID
}

// New makes a schedule node. It does not check the Spec.
func New(name string, e sim.Engine, s Spec) *Comp {
	c := &Comp{spec: s, Node: issue.Node{ComponentBase: sim.NewComponentBase(name)}}
	c.Init(c, name, e, s.Clock.Clock)
	c.declare()
	return c
}

// Schedule implements work.Scheduler. The order of workloads does not matter.
func (c *Comp) Schedule(loads []work.Workload) error {
	c.loads = slices.Clone(loads)
	slices.SortStableFunc(c.loads, func(a, b work.Workload) int { return configs.CompareNames(a.Name, b.Name) })
	models := make([]schedule.Model, len(c.loads))
	for i := range c.loads {
		w := &c.loads[i]
		models[i] = c.Dispatcher.Model(w, true)
		for k, t := range w.Times {
			nth := int32(k)
			if w.Nth != nil {
				nth = w.Nth[k]
			}
			c.arrivals = append(c.arrivals, arrival{t, i, nth})
		}
		c.Total.Add(int64(len(w.Times) * len(w.Jobs)))
	}
	if c.spec.Drop == dropLate && !slices.ContainsFunc(c.loads, func(w work.Workload) bool { return w.Deadline > 0 }) {
		return fmt.Errorf("drop: %s of %s has no effect: no workload has a deadline", c.spec.Drop, c.Name())
	}
	for i := range models {
		if f := slices.IndexFunc(c.loads, func(w work.Workload) bool { return w.Name == c.loads[i].After }); f >= 0 {
			models[i].After = []int{f}
		}
	}
	for i := range c.loads {
		of := slices.IndexFunc(c.loads, func(w work.Workload) bool { return w.Name == c.loads[i].FormOf })
		if of < 0 {
			continue
		}
		if d, ok := c.spec.Policy.Spec.(schedule.Dream); !ok || !d.Switch {
			return fmt.Errorf("%s is a form of %s, and policy %s of %s switches between none (want {name: dream, switch: true})", c.loads[i].Name, c.loads[i].FormOf, c.spec.Policy, c.Name())
		}
		models[i].Deadline = models[of].Deadline
		models[of].Forms = append(models[of].Forms, i)
	}
	for i := range models { // the largest first
		slices.SortStableFunc(models[i].Forms, func(a, b int) int {
			return cmp.Compare(c.loads[b].Graph.MACs(), c.loads[a].Graph.MACs())
		})
	}
	slices.SortStableFunc(c.arrivals, func(a, b arrival) int { return cmp.Compare(a.at, b.at) })
	var err error
	c.state, err = c.State(models, c.spec.Policy.New(), schedule.Options{Grain: c.spec.Grain, Ahead: c.spec.Ahead, Batching: c.spec.Batching})
	if err != nil {
		return err
	}
	for _, x := range c.Executors() {
		if _, ok := x.(work.Switcher); c.spec.Switch > 0 && !ok {
			return fmt.Errorf("%s takes no time to switch between requests: it is no executor for switch of %s (kinds that are: roofline, lanes)", x.Name(), c.Name())
		}
	}
	for i := range c.state.Executors {
		if !c.state.Executors[i].Concurrent {
			c.ordered++
		}
	}
	for i := range c.loads {
		c.Dispatcher.Set(c.state, i, &c.loads[i])
	}
	c.declareLoads()
	return nil
}

// Warnings implements system.Warner: priorities that the policy ignores, and skipped layers that
// differ.
func (c *Comp) Warnings() (out []string) {
	if c.sample != nil {
		for _, d := range c.sample.Sampler.Doubts() {
			out = append(out, "simulation.repeat: "+d+".")
		}
	}
	users := schedule.Prioritizing()
	if slices.Contains(users, c.spec.Policy.Name) {
		return out
	}
	for i := range c.loads {
		if w := &c.loads[i]; w.Priority != 0 {
			out = append(out, fmt.Sprintf("priority: %d of %s has no effect with policy %s of %s (used by: %s).", w.Priority, w.Name, c.spec.Policy.Name, c.Name(), strings.Join(users, ", ")))
		}
	}
	return out
}

// Batching implements work.Batcher.
func (c *Comp) Batching() (most int, memory, weights uint64) {
	b := &c.spec.Batching
	if !b.On() {
		return 1, 0, 0
	}
	return b.Max, uint64(b.Memory), b.Limit()
}

// Start implements system.Starter.
func (c *Comp) Start() error {
	if len(c.arrivals) > 0 {
		c.Ticker.WakeAt(c.notice(c.arrivals[0].at))
	}
	return nil
}

// Repeat implements work.Repeating.
func (c *Comp) Repeat(m work.Meter, periods []schedule.Shape) {
	c.sample, c.periods = issue.NewSampling(m, c.state, &c.operators), periods
}

// repeat opens the next layer when one has ended, and leaves out those that repeat.
func (c *Comp) repeat(now units.Time) {
	x := c.sample
	if x == nil || c.next < len(c.arrivals) {
		return
	}
	if !x.Begun() {
		x.Begin(now, c.periods)
	}
	n := x.Look(now)
	c.Done.Add(int64(n))
	c.issues += uint64(n)
	c.batched += uint64(n)
	if x.Hold() > 0 {
		c.Ticker.WakeAt(issue.Cycle(c.Clock(), x.Hold()))
	}
}

// Unit implements system.Counter.
func (c *Comp) Unit() string { return "operators" }

// Handle implements sim.Handler: what executors report, what arrives, then decisions.
func (c *Comp) Handle(e sim.Event) error {
	time := e.Time()
	cycle := c.Ticker.Cycle(time)
	now := issue.Instant(c.Clock(), cycle)
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
	c.repeat(now)
	for _, x := range c.state.Revocations() {
		c.Dispatcher.Revoke(c.state.Request(x.Request).Model, x)
	}
	for n := 1; n%decisions != 0 || !c.Stopping(); n++ {
		x, ok := c.state.Next(now)
		if !ok {
			break
		}
		s := &c.served[x.Request]
		c.Total.Add(int64(c.state.More()))
		delay := units.Time(0)
		if x.Switch {
			c.switches++
			delay = c.spec.Switch
		}
		c.Dispatcher.Issue(s.Model, x, len(c.state.Members(x.Ref)), s.Nth, s.task, delay)
		c.issues++
		c.batched += uint64(len(c.state.Members(x.Ref)))
	}
	c.Dispatcher.Flush(time)
	if c.next < len(c.arrivals) {
		c.Ticker.WakeAt(c.notice(c.arrivals[c.next].at))
	}
	if at, ok := c.state.Due(); ok {
		c.Ticker.WakeAt(issue.Cycle(c.Clock(), at))
	}
	c.occupy(now)
	c.turns.Turn(uint64(now), c.doing())
	return nil
}

// decisions are made in a cycle between two looks at whether the run is to end.
const decisions = 64

// arrive makes a request.
func (c *Comp) arrive(time sim.VTimeInSec, a arrival) {
	r := c.state.ArriveAs(a.at, a.load, a.nth)
	s := served{Request: r}
	if c.Stream.On() {
		s.task = c.Stream.Begin(time, task.Request, c.Stream.What(c.loads[a.load].Name), 0, 0)
		if r.Finished() {
			c.Stream.End(time, s.task)
		}
	}
	c.served = append(c.served, s)
	c.end = max(c.end, r.End)
}

// receive handles the reports of executors, and returns whether a request ended.
func (c *Comp) receive(time sim.VTimeInSec, now units.Time) (ended bool, err error) {
	for msg := c.Dispatcher.Port().Retrieve(time); msg != nil; msg = c.Dispatcher.Port().Retrieve(time) {
		m, ok := msg.(*work.Done)
		if !ok {
			return ended, fmt.Errorf("%s got a %T", c.Name(), msg)
		}
		ref, begin, end, all := c.Dispatcher.Done(c.state.Request(m.Request).Model, m)
		if m.Revoked {
			c.revoked++
			if err := c.state.Revoked(now, ref); err != nil {
				return ended, fmt.Errorf("%s: %w", c.Name(), err)
			}
			continue
		}
		if !all {
			continue
		}
		n := len(c.state.Members(ref))
		over, err := c.state.Done(now, ref, begin, end)
		if err != nil {
			return ended, fmt.Errorf("%s: %w", c.Name(), err)
		}
		c.operators++
		c.Done.Add(int64(n))
		c.end = max(c.end, end)
		for _, r := range over {
			c.Stream.End(time, c.served[r.ID].task)
			ended = true
		}
	}
	return ended, nil
}

// Dropped implements work.Scheduler.
func (c *Comp) Dropped(id int32) (n int) {
	for i := range c.served {
		if s := &c.served[i]; s.Dropped && c.loads[s.Of].ID == id {
			n++
		}
	}
	return n
}

// Moved implements work.FormSwitcher.
func (c *Comp) Moved(id int32) (n int) {
	for i := range c.served {
		s := &c.served[i]
		if s.Model == s.Of {
			continue
		}
		if c.loads[s.Model].ID == id {
			n++
		}
		if c.loads[s.Of].ID == id {
			n--
		}
	}
	return n
}

// give notes requests that are given up.
func (c *Comp) give(time sim.VTimeInSec, all []*schedule.Request) {
	for _, r := range all {
		c.Total.Add(-int64(len(c.state.Models[r.Model].Ops)))
		c.Stream.End(time, c.served[r.ID].task)
	}
}

// notice is the first cycle in which an arrival is seen if nothing else happens.
func (c *Comp) notice(t units.Time) uint64 {
	if k := c.spec.Tick; k > 0 {
		t = (t + k - 1) / k * k
	}
	return issue.Cycle(c.Clock(), t)
}

// chooses reports whether a workload has several places, of which each operator takes one.
func (c *Comp) chooses() bool {
	return slices.ContainsFunc(c.loads, func(w work.Workload) bool { return len(w.On) > 1 })
}

// Assumptions implements system.Assumer.
func (c *Comp) Assumptions() []string {
	out := []string{c.Name() + ": results go to memory between operators, whatever on_chip of an executor says: other operators may come in between"}
	if c.sample != nil {
		out = append(out, fmt.Sprintf("%s: of the parts of the workload (layers, and what comes before and after them; simulation.repeat), %s.", c.Name(), c.sample.Sampler.Count))
		if c.spec.Grain == schedule.ByOperator && c.sample.Sampler.Count.Skipped > 0 && c.chooses() {
			out = append(out, c.Name()+": operators of a layer go to whoever is free (grain: operator), and those of layers taken as equal count where the layer before them had them: figures of a single executor are arbitrary by as much, their sums are not.")
		}
	}
	return out
}

// Waiting implements engine.Waiter.
func (c *Comp) Waiting() []engine.Wait {
	if c.state == nil {
		return nil
	}
	var out []engine.Wait
	for e := range c.state.Executors {
		if q := c.state.Executors[e].Queue; len(q) > 0 {
			out = append(out, engine.Wait{Who: c.Name(), For: c.Executors()[e].Name(),
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
