package issue

import (
	"fmt"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
)

// Ahead is the node for operators that were all issued before the run (work.IssueAll) to executors
// that share workloads. It makes no decisions. It has a counter for each join of jobs. A Done
// counts one; the last Done sends a Ready to each waiting executor in the cycle in which it
// arrives. An executor does not wait for its own jobs, so the last one continues when all others
// are done.
//
// assumption: counters as of a hardware barrier or a semaphore in memory: a core gets one message
// for a join however many cores take part. With a message from every other core, receiving would
// take many cycles.
//
// Left out: a limit on messages per cycle other than the buffers of the wire, and the hardware
// that broadcasts to all cores.
type Ahead struct {
	Node
	joins   map[join]*counter
	members map[job]*member
	reached []*counter // counted in this cycle
	heard   uint64
	passed  uint64
}

// A job is one of one workload.
type job struct {
	share int32
	of    mapping.Token
}

// A join is one of one workload.
type join struct {
	share int32
	of    *mapping.Join
}

// A member is a job that others wait for.
type member struct {
	*mapping.Job
	executor int
	counters []*counter
	done     bool
}

// A counter is the state of a join.
type counter struct {
	join
	left    int      // members that are not done
	cores   int      // sum of the numbers of their cores
	now     []int32  // cores whose jobs were done in this cycle
	waiters []waiter // in the order in which they were issued their programs
	early   int      // the core that was last and has its Ready already; -1: none
}

// A waiter is the executor of a core of a workload.
type waiter struct{ core, executor int }

// NewAhead makes the node; its name must be valid for Akita.
func NewAhead(name string, e sim.Engine, k clock.Clock) *Ahead {
	a := &Ahead{Node: Node{ComponentBase: sim.NewComponentBase(name)}, joins: map[join]*counter{}, members: map[job]*member{}}
	a.Init(a, name, e, k)
	a.declare()
	return a
}

// Port returns the port that is the issuer of the shares (work.Share.Issuer) and is linked to the
// executors.
func (a *Ahead) Port() sim.Port { return a.Dispatcher.Port() }

// Issued records, before the run, that a program of a share has been issued to an executor.
func (a *Ahead) Issued(x work.Executor, share int32, p *mapping.Program) error {
	if _, ok := a.Dispatcher.number[x]; !ok {
		if err := a.Dispatcher.SetPeers([]system.Peer{{Node: x, Port: x.Ops()}}); err != nil {
			return err
		}
	}
	e := a.Dispatcher.index(x)
	for i := range p.Jobs {
		j := &p.Jobs[i]
		if j.Awaited {
			m := a.member(job{share, p.Token(i)})
			m.Job, m.executor = j, e
		}
		for _, of := range j.After {
			c := a.counter(join{share, of})
			if n := len(c.waiters); n == 0 || c.waiters[n-1].core != p.Core { // those of one program come in one call
				c.waiters = append(c.waiters, waiter{p.Core, e})
			}
		}
	}
	return nil
}

// counter is that of a join.
func (a *Ahead) counter(j join) *counter {
	c := a.joins[j]
	if c == nil {
		c = &counter{join: j, left: len(j.of.Members), early: -1}
		a.joins[j] = c
		for _, t := range j.of.Members {
			m := a.member(job{j.share, t})
			m.counters = append(m.counters, c)
			c.cores += int(t.Core)
		}
	}
	return c
}

func (a *Ahead) member(j job) *member {
	m := a.members[j]
	if m == nil {
		m = &member{}
		a.members[j] = m
	}
	return m
}

// Handle implements sim.Handler.
func (a *Ahead) Handle(e sim.Event) error {
	now := e.Time()
	for msg := a.Dispatcher.Port().Retrieve(now); msg != nil; msg = a.Dispatcher.Port().Retrieve(now) {
		m, ok := msg.(*work.Done)
		if !ok {
			return fmt.Errorf("%s got a %T", a.Name(), msg)
		}
		a.count(m)
	}
	for _, c := range a.reached {
		a.release(c)
	}
	a.reached = a.reached[:0]
	n := a.Dispatcher.Waiting()
	a.Dispatcher.Flush(now)
	a.passed += uint64(n - a.Dispatcher.Waiting())
	return nil
}

// count takes a job that is done off the joins that it is a member of.
func (a *Ahead) count(d *work.Done) {
	a.heard++
	m := a.members[job{d.Share, d.Of}]
	if m == nil || m.done {
		return
	}
	m.done = true
	for _, c := range m.counters {
		if len(c.now) == 0 {
			a.reached = append(a.reached, c)
		}
		c.left--
		c.cores -= int(d.Of.Core)
		c.now = append(c.now, d.Of.Core)
	}
}

// release sends a Ready to the executors that wait for a join and may continue: to all when all
// jobs are done, to the core of the last job when all others are.
func (a *Ahead) release(c *counter) {
	slices.Sort(c.now)
	switch c.left {
	case 0:
		for _, w := range c.waiters {
			if w.core != c.early {
				a.ready(c, w)
			}
		}
	case 1:
		if i := slices.IndexFunc(c.waiters, func(w waiter) bool { return w.core == c.cores }); i >= 0 {
			c.early = c.cores
			a.ready(c, c.waiters[i])
		}
	}
	c.now = c.now[:0]
}

// ready sends a Ready to an executor. The job that was done last is not its own.
func (a *Ahead) ready(c *counter, w waiter) {
	last := c.now[0]
	if int(last) == w.core && len(c.now) > 1 {
		last = c.now[1]
	}
	i, _ := slices.BinarySearchFunc(c.of.Members, last, func(t mapping.Token, core int32) int { return int(t.Core - core) })
	a.Dispatcher.Send(w.executor, &work.Ready{Share: c.share, Join: c.of, Last: c.of.Members[i]})
}

// Waiting implements engine.Waiter.
func (a *Ahead) Waiting() []engine.Wait {
	n := a.Dispatcher.Waiting()
	if n == 0 {
		return nil
	}
	return []engine.Wait{{Who: a.Name(), For: a.Dispatcher.out[0].Meta().Dst.Name(), Why: fmt.Sprintf("%d messages are not passed on", n)}}
}

// Reasons implements engine.Reasoner: jobs that are not done, of joins of which some are.
func (a *Ahead) Reasons() (out []engine.Wait) {
	for _, c := range a.joins {
		if c.left == 0 || c.left == len(c.of.Members) {
			continue
		}
		for _, t := range c.of.Members {
			if m := a.members[job{c.share, t}]; !m.done && m.Job != nil {
				out = append(out, engine.Wait{Who: a.Name(), For: a.Dispatcher.executors[m.executor].Name(), Why: fmt.Sprintf("%s of core %d is not done", m.name(), t.Core)})
			}
		}
	}
	return out
}

func (m *member) name() string {
	if m.Plan == nil || m.Plan.Op == nil {
		return fmt.Sprintf("operator %d", m.Op)
	}
	return "layer " + m.Plan.Op.Name
}
