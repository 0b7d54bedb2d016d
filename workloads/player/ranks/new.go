package ranks

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/player/ranks/collectives"
	"github.com/causeway-sim/causeway/workloads/player/ranks/match"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// New makes a player of a program. Its errors have no place, because there is no configuration.
func New(name string, e sim.Engine, s Spec, p *comm.Program) (*Comp, error) {
	return create(name, e, s, p, false)
}

// create is New; staged: schedules wait for Plan.
func create(name string, e sim.Engine, s Spec, p *comm.Program, staged bool) (*Comp, error) {
	c := &Comp{
		ComponentBase: sim.NewComponentBase(name), spec: s, index: map[sim.Port]int32{},
		match: match.New[*Message, token](0), pool: pool{name: name}, meets: rendezvousList{all: make([]rendezvous, 1)},
		rates: s.rates(), fail: fmt.Errorf, staged: staged, count: counters{times: 1},
	}
	c.ticker = engine.NewTicker(e, s.Clock.Clock, c)
	if p != nil {
		if err := c.Play(p); err != nil {
			return nil, err
		}
	}
	c.stats = c.newStats()
	return c, nil
}

// Play sets the program. It is called once, before Start.
func (c *Comp) Play(p *comm.Program) error {
	if err := p.Check(); err != nil {
		return err
	}
	c.program, c.ranks, c.match = p, make([]rank, len(p.Ranks)), match.New[*Message, token](len(p.Ranks))
	if err := c.prepare(); err != nil {
		return err
	}
	if !c.staged {
		if err := c.schedules(); err != nil {
			return err
		}
	}
	if c.seated() {
		return c.settle()
	}
	return nil
}

// Plan implements seat.Player.
func (c *Comp) Plan() error {
	if !c.staged || c.program == nil {
		return nil
	}
	if _, err := c.linked(); err != nil {
		return err
	}
	c.staged = false
	if err := c.findEqual(); err != nil {
		return err
	}
	return c.schedules()
}

// Inherit sets the collectives and the placement of the configuration, unless the node has its
// own.
func (c *Comp) Inherit(s *Collectives, placement string) error {
	if s != nil && !c.own.collectives {
		c.spec.Collectives = *s
		if c.program != nil {
			c.joint = collectives.New(c.program, c.spec.Collectives.Schedule)
			if !c.staged {
				if err := c.schedules(); err != nil {
					return err
				}
			}
		}
		if c.port != nil {
			if err := c.plant(); err != nil {
				return err
			}
		}
	}
	if placement == "" || c.own.placement {
		return nil
	}
	c.spec.Placement = placement
	if c.program != nil && c.seated() {
		return c.settle()
	}
	return nil
}

// Program is the program; nil if it is not set yet.
func (c *Comp) Program() *comm.Program { return c.program }

// A Builder builds a player the way Akita's own components are built.
type Builder struct {
	engine  sim.Engine
	program *comm.Program
	spec    Spec
}

// MakeBuilder returns a builder with the values of DefaultSpec.
func MakeBuilder() Builder { return Builder{spec: DefaultSpec()} }

// WithEngine sets the engine.
func (b Builder) WithEngine(e sim.Engine) Builder { b.engine = e; return b }

// WithFreq sets the clock, which is a whole number of hertz here. It panics
// for a frequency below 1 Hz.
func (b Builder) WithFreq(f sim.Freq) Builder {
	b.spec.Clock = units.Hertz(float64(f))
	return b
}

// WithProgram sets the program.
func (b Builder) WithProgram(p *comm.Program) Builder { b.program = p; return b }

// WithSpec sets all other keys; trace, pattern and placement have no effect.
func (b Builder) WithSpec(s Spec) Builder { b.spec = s; return b }

// Build makes the player. It has a port for each rank, Nic[0], Nic[1] and so on,
// and begins when Start is called.
func (b Builder) Build(name string) *Comp {
	if b.engine == nil || b.program == nil {
		panic("ranks: " + name + " has no engine or no program")
	}
	c, err := New(name, b.engine, b.spec, b.program)
	if err != nil {
		panic("ranks: " + name + ": " + err.Error())
	}
	c.Grow("nic", len(b.program.Ranks))
	return c
}

// Extend implements seat.Extender.
func (c *Comp) Extend(s seat.Seat, all []graph.Transfer, tag int64) (first int32, err error) {
	for i := range c.ranks {
		r := &c.ranks[i]
		if r.seat != s {
			continue
		}
		first = int32(r.program.Len())
		if r.grown == 0 {
			r.grown = first
			if first == 0 {
				r.grown = -1
			}
		}
		groups := len(c.program.Groups)
		for _, t := range all {
			o, err := c.program.Transfer(t, tag)
			if err != nil {
				return 0, err
			}
			if len(c.program.Groups) > groups {
				return 0, fmt.Errorf("ranks: %s: %s among ranks that are no group of the program", c.Name(), t.Func)
			}
			at := r.program.Extend(o)
			r.depend.Extend()
			c.joint.Extend(i, r.program.Op(at))
			if err := c.check(i, at, r.program.Op(at)); err != nil {
				return 0, err
			}
			if o.Kind == comm.Collective && !c.joint.Empty(&o) {
				if err := c.joint.Plan(&o); err != nil {
					return 0, c.fail("rank %d, %s: %v", i, &o, err)
				}
			}
		}
		return first, nil
	}
	return 0, fmt.Errorf("ranks: %s: %s is none of the ranks", c.Name(), s.Name())
}
