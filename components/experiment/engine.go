package experiment

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
)

// EngineNames are the event engines that can run a simulation. All give the same
// results.
var EngineNames = []string{"causeway", "serial", "parallel", "shuffle:SEED"}

// A driver runs one of the engines.
type driver struct {
	sim.Engine
	own *engine.Engine // nil for Akita's
}

func newDriver(name string) (driver, error) {
	switch base, seed, _ := strings.Cut(name, ":"); {
	case name == "" || name == "causeway":
		e := engine.New()
		return driver{e, e}, nil
	case name == "serial":
		return driver{sim.NewSerialEngine(), nil}, nil
	case name == "parallel":
		return driver{sim.NewParallelEngine(), nil}, nil
	case base == "shuffle":
		n, err := strconv.ParseUint(seed, 10, 64)
		if err != nil {
			return driver{}, fmt.Errorf("engine %q: the seed is no whole number", name)
		}
		e := engine.New(engine.Shuffle(n))
		return driver{e, e}, nil
	}
	return driver{}, fmt.Errorf("unknown engine %q (want one of: %s)", name, strings.Join(EngineNames, ", "))
}

// run runs until nothing is left to do, ctx ends, limit is reached (0: none) or
// the watchers still wait when nothing is left. Akita's engines cannot be
// stopped, so with them ctx and limit count only before the run.
func (d driver) run(ctx context.Context, limit sim.VTimeInSec, watch []engine.Waiter) error {
	if d.own != nil {
		for _, w := range watch {
			d.own.Watch(w)
		}
		if limit > 0 {
			return d.own.RunUntilContext(ctx, limit)
		}
		return d.own.RunContext(ctx)
	}
	if limit > 0 {
		return errors.New("simulation.max_time needs the engine causeway")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := d.Run(); err != nil {
		return err
	}
	if waits := engine.Waits(watch...); len(waits) > 0 {
		return &engine.Stuck{Waits: waits}
	}
	return nil
}
