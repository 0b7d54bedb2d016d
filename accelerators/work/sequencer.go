package work

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/system"
)

// A Sequencer passes Signals between cores that share a workload. Its one port is
// linked to those of their Sync.
type Sequencer interface {
	system.Node
	// Port is the one that cores Follow.
	Port() sim.Port
	// Listen makes known, before the run, that the core with that sync port carries out
	// program p of share.
	Listen(core sim.Port, share int32, p mapping.Program)
}

// NewSequencer makes a sequencer; the name must be valid for Akita.
type NewSequencer func(name string, e sim.Engine, c clock.Clock) Sequencer

// Sequencers makes them; one is registered.
var Sequencers = registry.New[NewSequencer]("sequencer")
