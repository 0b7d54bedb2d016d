package experiment

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
)

// EngineNames are the event engines that can run a simulation. All give the same
// results.
var EngineNames = []string{"causeway", "serial", "parallel", "shuffle:SEED"}

// A driver runs one of the engines. Akita's own discard errors of handlers and
// cannot be stopped; the engine package adopts them.
type driver interface {
	sim.Engine
	Watch(engine.Waiter)
	RunContext(context.Context) error
	RunUntilContext(context.Context, sim.VTimeInSec) error
}

// newDriver makes an engine. With messages set, nodes exchange messages only, as with Akita's
// engines.
func newDriver(name string, messages bool) (driver, error) {
	var options []engine.Option
	if messages {
		options = append(options, engine.MessagesOnly())
	}
	switch base, seed, _ := strings.Cut(name, ":"); {
	case name == "" || name == "causeway":
		return engine.New(options...), nil
	case name == "serial":
		return engine.Adopt(sim.NewSerialEngine()), nil
	case name == "parallel":
		return engine.Adopt(sim.NewParallelEngine()), nil
	case base == "shuffle":
		n, err := strconv.ParseUint(seed, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("engine %q: the seed is no whole number", name)
		}
		return engine.New(append(options, engine.Shuffle(n))...), nil
	}
	return nil, fmt.Errorf("unknown engine %q (want one of: %s)", name, strings.Join(EngineNames, ", "))
}
