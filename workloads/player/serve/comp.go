package serve

import (
	"fmt"
	"math"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/registry/named"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/player/issue"
	"github.com/causeway-sim/causeway/workloads/schedule"
	"github.com/causeway-sim/causeway/workloads/serving"
	"github.com/causeway-sim/causeway/workloads/zoo"
)

// Comp is a serve node. Its progress counts tokens of answers.
type Comp struct {
	issue.Node
	spec Spec
	at   configs.Value // its mapping, for errors

	service  work.Service
	traits   serving.Traits    // of the rules
	engines  []*serving.Engine // of the replicas, or of the instances
	lanes    []lane
	owner    []int // by request: its replica, or the instance of its prefill
	entries  int   // that the memory for keys and values of one holds
	next     int   // request to arrive
	released int   // requests that clients in a loop have sent
	queued   []units.Time
	early    []int      // requests that have arrived and have no token
	broken   int        // failures that have been
	down     units.Time // until then no request is served
	state    *schedule.State
	handed   handed

	busy   units.Time // in which a step was under way
	end    units.Time
	counts counts
	spent  spent
	tasks  []task.ID // by request
	why    explanation
	sample *sampling  // nil: every operator is issued
	follow *following // nil: every chip gets its operators
	tiers  tiers
	apart  apart
}

// A lane is engines that step together: all replicas, all groups of chips with requests of their own,
// or one instance.
type lane struct {
	first, n int    // engines
	steps    []step // scheduled and not ended, in order; the first is under way
	ended    bool   // one has just ended
	held     int    // steps in which prompts waited for those of other engines
}

// A step is a batch of each replica, nil where it has nothing to do, and how far it is.
type step struct {
	of      []*serving.Step
	number  int
	begun   bool
	taken   bool       // it takes what a step before it took
	at      units.Time // when it began, or is to
	until   units.Time // planned: when it ends
	pending int        // issued: workloads that have not ended
	task    task.ID
	sign    uint64       // of the step that it is like, where it takes what that one took
	all     []work.Batch // planned: what was priced, in a run with explanations
}

// counts holds further counts for metrics.
type counts struct {
	steps, operators, parts, scheduled uint64
	moved                              units.Time // between host and executors
}

// New makes a serve node. It does not check the Spec.
func New(name string, e sim.Engine, s Spec) *Comp { return newComp(name, e, s, configs.Value{}) }

// newComp makes a node from a configuration.
func newComp(name string, e sim.Engine, s Spec, v configs.Value) *Comp {
	c := &Comp{spec: s, at: v, Node: issue.Node{ComponentBase: sim.NewComponentBase(name)}}
	c.Init(c, name, e, s.Clock.Clock)
	c.Chosen = issue.Chosen{Names: s.Loads, At: v.Get("workloads")}
	c.nameTiers(v)
	c.declare()
	return c
}

// Serve implements work.Server.
func (c *Comp) Serve(s work.Service) (err error) {
	c.service, c.traits = s, c.spec.Rules.New().Traits()
	spec := serving.Spec{Batching: c.spec.Batching}
	if n := c.keys(); c.spec.Block%n != 0 {
		return c.at.Place("block").Errorf(nil, "blocks of %d tokens are not shared evenly by %d chips (workload.parallel.kv; want a multiple of %d)", c.spec.Block, n, n)
	}
	each := c.block()
	if spec.Blocks = nil; len(c.spec.Tiers) > 0 {
		if err := c.addTiers(&spec, each, s.Requests); err != nil {
			return err
		}
	} else if c.spec.Blocks > 0 {
		spec.Blocks = []int{c.spec.Blocks}
	} else if c.spec.Memory > 0 {
		n := uint64(c.spec.Memory) / each
		if n < 1 {
			return fmt.Errorf("kv_memory of %s is %s, and a block of %d tokens takes %s", c.Name(), c.spec.Memory, c.spec.Block, units.Bytes(each))
		}
		if n > serving.MaxBlocks {
			return fmt.Errorf("kv_memory of %s is %s, which is %d blocks of %d tokens (want at most %d)", c.Name(), c.spec.Memory, n, c.spec.Block, serving.MaxBlocks)
		}
		spec.Blocks = []int{int(n)}
	}
	if c.spec.Preempt.New().Swaps() {
		spec.Host = int(min(uint64(c.spec.Host.Memory)/each, 1<<26))
	}
	if s.Send != nil && (c.spec.Instances.Overhead > 0 || c.spec.Instances.Bandwidth > 0) {
		return fmt.Errorf("overhead and bandwidth in instances of %s have no effect: transfers go through a network interface", c.Name())
	}
	if err := c.makeEngines(spec, s.Requests); err != nil {
		return err
	}
	c.loop(len(s.Requests))
	_, _, blocks := c.engines[0].Blocks()
	c.entries = blocks * c.spec.Block
	c.owner = make([]int, len(s.Requests))
	c.queued, c.tasks = make([]units.Time, len(s.Requests)), make([]task.ID, len(s.Requests))
	for i := range s.Requests {
		c.Total.Add(int64(s.Requests[i].Output))
	}
	policy := schedule.PolicyName{Choice: named.Choice{Name: "fcfs"}}
	if c.state, err = c.State(nil, policy.New(), schedule.Options{Grain: schedule.ByOperator, Ahead: 2}); err != nil {
		return err
	}
	if c.spec.Times == planned { // an executor without prices is an error before the run
		for _, l := range c.lanes {
			if _, err = s.Time([]work.Batch{{Groups: []zoo.Group{{Requests: 1, Tokens: 1, Context: 1, Sample: true}}, At: []int{0}}}, l.first); err != nil {
				return err
			}
		}
	}
	return nil
}

// Start implements system.Starter.
func (c *Comp) Start() error {
	if len(c.service.Requests) > 0 {
		c.Ticker.WakeAt(issue.Cycle(c.Clock(), c.reaches(0)))
	}
	return nil
}

// Handle implements sim.Handler: ends of operators, then scheduling, then issue. The server
// accepts requests when it begins the next step.
func (c *Comp) Handle(e sim.Event) error {
	time := e.Time()
	now := issue.Instant(c.Clock(), c.Ticker.Cycle(time))
	for i := range c.lanes {
		c.lanes[i].ended = false
	}
	if err := c.receive(time, now); err != nil {
		return err
	}
	for i := range c.lanes {
		l := &c.lanes[i]
		if len(l.steps) > 0 && l.steps[0].begun && (c.spec.Times == planned || l.steps[0].taken) && l.steps[0].until <= now {
			c.complete(l, time)
			l.ended = true
		}
	}
	c.fail(now)
	if err := c.handOver(now); err != nil {
		return err
	}
	if err := c.depart(now); err != nil {
		return err
	}
	for i := range c.lanes {
		if err := c.turn(&c.lanes[i], time, now); err != nil {
			return err
		}
	}
	c.periods(now)
	for c.spec.Times == issued {
		x, ok := c.state.Next(now)
		if !ok {
			break
		}
		c.issueOne(now, x)
	}
	c.Dispatcher.Flush(time)
	c.wake(now)
	return nil
}

// turn makes the next steps of a lane that has nothing under way, and begins the first.
func (c *Comp) turn(l *lane, time sim.VTimeInSec, now units.Time) error {
	if now >= c.down && (l.ended || len(l.steps) == 0) {
		c.arrive(time, now)
		c.leave(time, now, false)
		for len(l.steps) <= c.spec.Ahead && c.schedule(l, now) {
		}
	}
	if err := c.begin(l, time, now); err != nil {
		return err
	}
	if len(l.steps) > 0 && l.steps[0].begun && c.spec.Times == planned && l.steps[0].until <= now {
		return fmt.Errorf("%s: step %d takes no time on %s (times: planned)", c.Name(), l.steps[0].number, c.Executors()[0].Name())
	}
	return nil
}

// of are the engines of a lane.
func (c *Comp) of(l *lane) []*serving.Engine { return c.engines[l.first : l.first+l.n] }

// schedule makes the next step of all engines of a lane; ok is false if none has anything to do.
func (c *Comp) schedule(l *lane, now units.Time) (ok bool) {
	s := step{of: make([]*serving.Step, l.n), number: int(c.counts.scheduled)}
	c.balance(l)
	for i, e := range c.of(l) {
		c.observe(l.first+i, now)
		var has bool
		if s.of[i], has = e.Schedule(now); has {
			ok = true
		}
	}
	if ok {
		l.steps = append(l.steps, s)
		c.counts.scheduled++
	}
	return ok
}

// choose is the replica that a request goes to.
func (c *Comp) choose() (best int) {
	load := func(e *serving.Engine) int { return max(c.traits.Weight, 1)*e.Waiting() + e.Running() }
	for i, e := range c.engines[:c.takers()] {
		if load(e) < load(c.engines[best]) {
			best = i
		}
	}
	return best
}

// sequence is a request and how far it is.
func (c *Comp) sequence(i int) *serving.Sequence {
	if c.spec.Instances.some() {
		return c.joined(i)
	}
	return c.engines[c.owner[i]].Sequence(i)
}

// wake sets the node's next event, besides those that messages make: an arrival that it
// would turn to, the begin or the end of a step.
func (c *Comp) wake(now units.Time) {
	for i := range c.lanes {
		c.wakeLane(&c.lanes[i], now)
	}
	c.wakeTransfers()
	if c.follow != nil {
		if at, ok := c.follow.Next(); ok {
			c.Ticker.WakeAt(issue.Cycle(c.Clock(), at))
		}
	}
	if c.broken < len(c.spec.Failures) && (c.open() > 0 || c.next < len(c.service.Requests)) {
		c.Ticker.WakeAt(issue.Cycle(c.Clock(), c.spec.Failures[c.broken].At))
	}
}

// wakeLane does so for one lane.
func (c *Comp) wakeLane(l *lane, now units.Time) {
	if len(l.steps) > 0 {
		if s := &l.steps[0]; !s.begun {
			c.Ticker.WakeAt(issue.Cycle(c.Clock(), s.at))
		} else if c.spec.Times == planned || s.taken {
			c.Ticker.WakeAt(issue.Cycle(c.Clock(), s.until))
		} else if x := c.sample; x != nil && x.Hold() > 0 {
			c.Ticker.WakeAt(issue.Cycle(c.Clock(), x.Hold()))
		}
	}
	if len(l.steps) == 0 {
		if c.next < len(c.service.Requests) && c.service.Requests[c.next].Arrival < never {
			c.Ticker.WakeAt(issue.Cycle(c.Clock(), max(c.reaches(c.next), c.down)))
		}
		if c.open() > 0 && c.down > now {
			c.Ticker.WakeAt(issue.Cycle(c.Clock(), c.down))
		}
	}
}

// open is how many requests have arrived and have not ended.
func (c *Comp) open() (n int) {
	for _, e := range c.engines {
		n += e.Open()
	}
	return n + c.apart.between()
}

// never is an arrival that waits for the end of another request.
const never = units.Time(math.MaxUint64 / 2)

// loop lets the first request of each client arrive, and no other.
func (c *Comp) loop(n int) {
	if c.service.Loop == 0 {
		return
	}
	for i := c.service.Loop; i < n; i++ {
		c.service.Requests[i].Arrival = never
	}
	c.released = min(c.service.Loop, n)
}

// release lets the client of a request that has ended send its next one.
func (c *Comp) release(now units.Time) {
	if c.service.Loop > 0 && c.released < len(c.service.Requests) {
		c.service.Requests[c.released].Arrival = now
		c.released++
	}
}

// fail discards the memory of the server. Issued operators run to their end without effect.
func (c *Comp) fail(now units.Time) {
	for ; c.broken < len(c.spec.Failures) && c.spec.Failures[c.broken].At <= now; c.broken++ {
		f := c.spec.Failures[c.broken]
		c.down = f.At + f.For
		for _, e := range c.engines {
			e.Fail()
		}
		c.loseTransfers()
		for i := range c.lanes {
			l, keep := &c.lanes[i], 0
			if len(l.steps) > 0 && l.steps[0].begun && c.spec.Times == issued {
				clear(l.steps[0].of)
				keep = 1
			}
			l.steps = l.steps[:keep]
		}
	}
}

// leave lets clients go away that have waited for their first token too long by now: those
// whose token comes with the step that ends now have gone if it comes later than they wait.
func (c *Comp) leave(time sim.VTimeInSec, now units.Time, ends bool) {
	if c.spec.Patience == 0 {
		return
	}
	c.early = slices.DeleteFunc(c.early, func(i int) bool {
		q := c.sequence(i)
		if q.Got > 0 || q.State == serving.Done {
			return true
		}
		if until := c.service.Requests[i].Arrival + c.spec.Patience; now < until || ends && now == until {
			return false
		}
		c.engines[c.owner[i]].Kill(i)
		c.Total.Add(-int64(q.Output))
		c.Stream.End(time, c.tasks[i])
		return true
	})
}

// reaches is when request i reaches the scheduler.
func (c *Comp) reaches(i int) units.Time { return c.service.Requests[i].Arrival + c.spec.Front }

// arrive accepts the requests that have reached the scheduler.
func (c *Comp) arrive(time sim.VTimeInSec, now units.Time) {
	for c.next < len(c.service.Requests) && c.reaches(c.next) <= now {
		i := c.next
		c.next++
		c.queued[i] = now
		if c.Stream.On() {
			c.tasks[i] = c.Stream.Begin(time, task.Request, c.Stream.What(c.service.Name), 0, 0)
		}
		c.owner[i] = c.choose()
		c.explainArrival(i, c.laneOf(c.owner[i]), now)
		if c.take(i) == serving.Refused {
			c.Total.Add(-int64(c.service.Requests[i].Output))
			c.Stream.End(time, c.tasks[i])
			c.release(now)
			continue
		}
		if c.spec.Patience > 0 {
			c.early = append(c.early, i)
		}
	}
}

// begin starts the first step, when the one before it has ended and the server is ready.
func (c *Comp) begin(l *lane, time sim.VTimeInSec, now units.Time) error {
	if len(l.steps) == 0 || l.steps[0].begun {
		return nil
	}
	s := &l.steps[0]
	if s.at == 0 {
		s.at = now + c.spec.Overhead + c.moves(s.of)
	}
	if s.at > now {
		return nil
	}
	s.begun = true
	c.beginTask(s, time)
	all := make([]work.Batch, l.n)
	for i, x := range s.of {
		if x != nil {
			all[i] = c.batch(x)
			c.locate(l.first+i, x, &all[i])
		}
	}
	if c.spec.Times == planned {
		t, err := c.service.Time(all, l.first)
		if err != nil {
			return err
		}
		if c.service.Charge != nil {
			c.service.Charge()
		}
		s.until = s.at + max(t+c.exchange(s.of), c.launch(s.of))
		if c.Stream.Explains() {
			s.all = all
		}
		if s.number < len(c.spec.Startup) {
			s.until += c.spec.Startup[s.number]
		}
		return nil
	}
	if c.sample != nil {
		if t, ok := c.sample.knows(c, all[0], s.at, c.final(s)); ok {
			s.taken, s.until, s.sign = true, s.at+t, c.sample.step
			return nil
		}
	}
	parts, err := c.service.Batch(all[0], l.first, s.number%2)
	if err != nil {
		return err
	}
	s.pending, err = c.hand(now, parts, source{lane: l.first, slot: s.number % 2}, nil)
	c.counts.parts += uint64(len(parts))
	if c.follow != nil {
		c.follow.begin(parts)
	}
	if c.sample != nil {
		c.sample.Begin(now, periodsOf(parts))
	}
	return err
}

// launch is the time of the host to launch the kernels of a step.
func (c *Comp) launch(of []*serving.Step) units.Time {
	if c.spec.Launch > 0 && slices.ContainsFunc(of, func(s *serving.Step) bool { return s != nil && c.eager(s) }) {
		return c.spec.Launch * units.Time(c.service.Layers)
	}
	return 0
}

// exchange is the time in which tokens go to the experts of other replicas and come back.
func (c *Comp) exchange(of []*serving.Step) units.Time {
	if len(of) == 1 || c.service.Mixtures == 0 {
		return 0
	}
	most := 0
	for _, s := range of {
		if s != nil {
			most = max(most, c.recorded(s))
		}
	}
	t := c.spec.Exchange.Overhead
	if b := c.spec.Exchange.Bandwidth; b > 0 {
		t += units.Time(float64(most*(len(of)-1)) * float64(c.service.Token) * 8 / float64(b) * float64(units.Second))
	}
	return 2 * t * units.Time(c.service.Mixtures)
}

// moves is the time of entries on their way from and to host memory.
func (c *Comp) moves(of []*serving.Step) units.Time {
	n := 0
	for _, s := range of {
		if s != nil {
			n = max(n, s.In, s.Out)
		}
	}
	if n == 0 {
		return 0
	}
	bytes := float64(n) * float64(c.block())
	t := units.Time(math.Round(bytes * 8 / float64(c.spec.Host.Bandwidth) * float64(units.Second)))
	c.counts.moved += t
	return t
}

// complete ends the first step of a lane.
func (c *Comp) complete(l *lane, time sim.VTimeInSec) {
	s := l.steps[0]
	c.leave(time, s.until, true)
	l.steps = l.steps[1:]
	c.busy += s.until - s.at
	c.note(&s, s.until-s.at)
	if x := c.sample; x != nil && !s.taken {
		x.ended(c, s.until-s.at)
	}
	c.end = max(c.end, s.until)
	c.counts.steps++
	c.Stream.End(time, s.task)
	c.explainStep(c.laneAt(l), &s)
	for i, x := range s.of {
		if x == nil {
			continue
		}
		for _, q := range c.of(l)[i].Complete(s.until, x) {
			c.Done.Add(1)
			if q.State == serving.Done {
				c.Stream.End(time, c.tasks[q.Index()])
				c.release(s.until)
			}
		}
		c.hold(x, s.until)
	}
}

// Waiting implements engine.Waiter.
func (c *Comp) Waiting() []engine.Wait {
	if c.engines == nil {
		return nil
	}
	why, open, waiting := "", 0, 0
	for _, e := range c.engines {
		open, waiting = open+e.Open(), waiting+e.Waiting()
	}
	switch left := len(c.service.Requests) - c.next; {
	case slices.ContainsFunc(c.lanes, func(l lane) bool { return len(l.steps) > 0 }):
		l := c.lanes[slices.IndexFunc(c.lanes, func(l lane) bool { return len(l.steps) > 0 })]
		why = fmt.Sprintf("step %d is under way", l.steps[0].number)
	case len(c.apart.carried) > 0:
		x := c.apart.carried[0]
		why = fmt.Sprintf("keys and values of request %d go from %s to %s", x.request, c.instance(x.from), c.instance(x.to))
	case open > 0:
		why = fmt.Sprintf("%d requests are open, %d of them wait for blocks", open, waiting)
	case left > 0:
		why = fmt.Sprintf("%d requests have not arrived", left)
	default:
		return nil
	}
	return []engine.Wait{{Who: c.Name(), For: c.Name(), Why: why}}
}

// Warnings implements system.Warner: refused requests, failures without effect, and skipped
// periods that differ.
func (c *Comp) Warnings() (out []string) {
	if c.engines == nil {
		return nil
	}
	refused, first := 0, -1
	for i := range c.service.Requests {
		if c.sequence(i).State == serving.Refused {
			if refused++; first < 0 {
				first = i
			}
		}
	}
	if refused > 0 {
		q := c.sequence(first)
		_, _, blocks := c.engines[0].Blocks()
		why := fmt.Sprintf("need more than the %d blocks of %d tokens that there are", blocks, c.spec.Block)
		if !c.spec.Chunked && q.Prompt > c.spec.Tokens {
			why = fmt.Sprintf("have prompts of more than the %d tokens of a step (chunked_prefill: false)", c.spec.Tokens)
		}
		out = append(out, fmt.Sprintf("%s refused %d of %d requests, which %s: the first is request %d of %d and %d tokens (requests.csv).", c.Name(), refused, len(c.service.Requests), why, first, q.Prompt, q.Output))
	}
	late := slices.IndexFunc(c.spec.Failures, func(f FailureSpec) bool { return f.At >= c.end })
	if late >= 0 && c.end > 0 {
		out = append(out, fmt.Sprintf("%d of %d failures of %s have no effect: the next is at %s, and the last token came at %s.", len(c.spec.Failures)-late, len(c.spec.Failures), c.Name(), c.spec.Failures[late].At, c.end))
	}
	if w := c.free(); w != "" {
		out = append(out, w)
	}
	if c.follow != nil {
		out = append(out, c.follow.doubts(c.Name())...)
	}
	if s := c.sample; s != nil {
		for _, d := range append(s.Sampler.Doubts(), s.steps.Doubts()...) {
			out = append(out, "simulation.repeat: "+d+".")
		}
	}
	return out
}

// Issues reports whether operators are issued to executors.
func (c *Comp) Issues() bool { return c.spec.Times == issued }

// Replicas implements work.Issuer.
func (c *Comp) Replicas() int { return c.spec.Replicas }
