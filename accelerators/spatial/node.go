package spatial

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/nest/design"
	"github.com/causeway-sim/causeway/accelerators/nest/relax"
	"github.com/causeway-sim/causeway/accelerators/nest/timeloop"
	"github.com/causeway-sim/causeway/accelerators/search"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// Comp is a spatial accelerator of fidelity analytic: one event computes the result, another is
// its end.
type Comp struct {
	*sim.ComponentBase
	spec    Spec
	clock   clock.Clock
	ticker  *engine.Ticker
	in      *input
	nest    *nest.Nest
	mapping *nest.Mapping // nil until a search has found one
	space   *nest.Space
	options search.Options
	report  search.Report
	result  nest.Result
	done    bool
	group   *stats.Group

	problem  string   // the key that gives it one
	warnings []string // of keys without an effect
}

// newComp makes a node. Its mapping is in.Mapping, unless a search is configured.
func newComp(name string, e sim.Engine, s Spec, in *input, n *nest.Nest) *Comp {
	c := &Comp{ComponentBase: sim.NewComponentBase(name), spec: s, clock: s.Clock.Clock, in: in, nest: n}
	c.ticker = engine.NewTicker(e, c.clock, c)
	c.group = c.newStats()
	return c
}

// prepare finds what there is to search.
func (c *Comp) prepare() error {
	a := c.in.Search()
	if !c.in.Energies && needsEnergies(c.spec.Search.Objective) {
		return unpriced(c.spec.Search.Objective)
	}
	n, err := nest.New(c.nest.Problem(), &a, c.in.Sparse, nest.Rules(c.spec.Rules))
	if err != nil {
		return err
	}
	c.nest = n
	c.space, err = nest.NewSpace(n, c.in.Constraints, c.spec.Search.Objective)
	return err
}

// find searches for a mapping if there is none.
func (c *Comp) find() error {
	if c.mapping != nil {
		return nil
	}
	c.options.Workers = runtime.GOMAXPROCS(0)
	m, r, err := search.Run(context.Background(), relax.Over(c.space, nil), c.options)
	if errors.Is(err, search.ErrNothing) {
		return badInput{fmt.Errorf("%s: no mapping was found that fits, after %d draws", c.Name(), r.Pruned)}
	}
	if err != nil {
		return err
	}
	c.mapping, c.report = m, r
	return nil
}

// badInput is an error of the files, found while the node runs.
type badInput struct{ error }

// BadInput marks it.
func (badInput) BadInput() {}

// Mapping implements system.Mapped. form is causeway or timeloop for the mapping alone, whole for
// the nest in Causeway's form, or "" for the form of the input. It searches if no mapping is
// given; the error says that none was found, or that the form is unknown.
func (c *Comp) Mapping(form string) ([]byte, error) {
	if form == "" {
		form = c.in.form
	}
	if !slices.Contains(Forms, form) {
		return nil, fmt.Errorf("form %q of a mapping is not known (want one of: %s)", form, strings.Join(Forms, ", "))
	}
	if err := c.find(); err != nil {
		return nil, err
	}
	switch form {
	case "timeloop":
		return timeloop.Print(c.in.Description, c.mapping)
	case "whole":
		d := *c.in.Description
		d.Mapping = c.mapping
		return design.Print(&d)
	}
	return design.PrintMapping(c.in.Description, c.mapping), nil
}

// PortSpecs implements system.Node.
func (c *Comp) PortSpecs() []system.PortSpec { return nil }

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.group }

// Clock implements system.Clocked.
func (c *Comp) Clock() clock.Clock { return c.clock }

// Start implements system.Starter.
func (c *Comp) Start() error {
	if err := c.find(); err != nil {
		return err
	}
	c.ticker.WakeAt(0)
	return nil
}

// Handle implements sim.Handler.
func (c *Comp) Handle(sim.Event) error {
	if c.done {
		return nil
	}
	c.nest.Evaluate(c.mapping, &c.result)
	c.done = true
	c.ticker.WakeAt(uint64(c.result.Cycles))
	return nil
}

// Waiting implements engine.Waiter.
func (c *Comp) Waiting() []engine.Wait { return nil }

// Assumptions implements system.Assumer.
func (c *Comp) Assumptions() []string {
	var out []string
	if len(c.in.unused) > 0 {
		out = append(out, fmt.Sprintf("%s: keys of Timeloop's files without an effect on counts: %s", c.Name(), strings.Join(c.in.unused, ", ")))
	}
	for _, u := range c.in.unknown {
		s := fmt.Sprintf("%s: %s: %s is no attribute that Timeloop knows; it has no effect", c.Name(), u.Place, u.Key)
		if u.Nearest != "" {
			s += fmt.Sprintf(" (did you mean %q?)", u.Nearest)
		}
		out = append(out, s)
	}
	if !c.in.Energies {
		out = append(out, c.Name()+": no energies are given, so that there are none")
	}
	return out
}

// NotifyRecv implements sim.Component; the node has no ports.
func (c *Comp) NotifyRecv(sim.VTimeInSec, sim.Port) {}

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(sim.VTimeInSec, sim.Port) {}
