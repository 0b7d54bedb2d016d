package nearmem

import (
	"sync/atomic"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/nearmem/offload"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
)

// Comp is the node of kind nearmem: host, device and link.
type Comp struct {
	*sim.ComponentBase
	m        *machine
	ticker   *engine.Ticker
	stats    *stats.Group
	launched atomic.Int64 // for other goroutines
	total    int64
}

// New makes host and device that run program p. It ignores Work and Phases of the Spec. It
// returns an error for an empty program, a phase without tasks or results, a result larger than
// the ring, or a program too long for a clock of picoseconds.
func New(name string, e sim.Engine, s Spec, p offload.Program) (*Comp, error) {
	if err := s.check(configs.Value{}); err != nil {
		return nil, err
	}
	m, err := newMachine(s, p)
	if err != nil {
		return nil, err
	}
	c := &Comp{ComponentBase: sim.NewComponentBase(name), m: m}
	for i := range p {
		c.total += int64(p[i].Launches())
	}
	c.ticker = engine.NewTicker(e, fine, c)
	c.stats = c.newStats()
	return c, nil
}

// PortSpecs implements system.Node: the link between the two is inside.
func (c *Comp) PortSpecs() []system.PortSpec { return nil }

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.stats }

// Clock is the clock of total_cycles: the host's.
func (c *Comp) Clock() clock.Clock { return c.m.host.clock }

// Start implements system.Starter.
func (c *Comp) Start() error {
	c.m.start()
	c.wake()
	return nil
}

func (c *Comp) wake() {
	if at, ok := c.m.next(); ok {
		c.ticker.WakeAt(at)
	}
}

// Handle implements sim.Handler: it runs all events of one instant.
func (c *Comp) Handle(e sim.Event) error {
	at, ok := c.m.next()
	if !ok || instant.Of(fine, at) != e.Time() {
		return nil // woken from outside
	}
	if err := c.m.step(at); err != nil {
		return err
	}
	c.launched.Store(int64(c.m.count.launches))
	c.wake()
	return nil
}

// NotifyRecv implements sim.Component; there are no ports.
func (c *Comp) NotifyRecv(sim.VTimeInSec, sim.Port) {}

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(sim.VTimeInSec, sim.Port) {}

// Unit implements system.Counter.
func (*Comp) Unit() string { return "kernels" }

// Progress returns the kernels launched so far and in all. It is safe for concurrent use.
func (c *Comp) Progress() (done, total int64) { return c.launched.Load(), c.total }

func init() {
	system.Register(system.Kind[Spec]{
		Name:    "nearmem",
		Doc:     "A host that offloads kernels to a device near CXL memory, by remote polling, bulk synchronously, or with results that stream back.",
		Source:  "Lee et al., arXiv 2512.04449 (KAI, later AXLE)",
		Subject: system.OfPrograms, Headlines: headlines, Goal: goal, Levers: levers,
		Default: DefaultSpec(),
		New: func(env *system.Env, name string, s Spec, v configs.Value) (system.Node, error) {
			var errs configs.Errors
			errs.Add(s.choose(v))
			errs.Add(s.check(v))
			if err := errs.Err(); err != nil {
				return nil, err
			}
			s.seed = env.Seed
			p, err := s.program(env.Seed)
			if err == nil {
				var c *Comp
				if c, err = New(name, env.Engine, s, p); err == nil {
					return c, nil
				}
			}
			return nil, v.Errorf(nil, "%s", err)
		},
	})
}
