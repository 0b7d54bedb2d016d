package ranks

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/player/ranks/collectives"
	"github.com/causeway-sim/causeway/workloads/player/ranks/match"
)

// New makes a player of a program. Without a configuration errors have no place.
func New(name string, e sim.Engine, s Spec, p *comm.Program) (*Comp, error) {
	return create(name, e, s, p, false)
}

// create is New; staged: schedules wait for Plan.
func create(name string, e sim.Engine, s Spec, p *comm.Program, staged bool) (*Comp, error) {
	c := &Comp{
		ComponentBase: sim.NewComponentBase(name), spec: s, index: map[sim.Port]int32{},
		match: match.New[*Message, token](0), pool: pool{name: name}, meets: meetings{all: make([]meeting, 1)},
		rates: s.rates(), fail: fmt.Errorf, staged: staged,
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

// Play gives the player its program, once, before Start.
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
	return c.schedules()
}

// Inherit takes what the configuration says for all players, where the node says
// nothing itself.
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

// Program is what is played; nil if nothing has come yet.
func (c *Comp) Program() *comm.Program { return c.program }
