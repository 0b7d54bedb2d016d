package seat

import (
	"math/rand/v2"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/comm"
)

// A Player is a node that plays a parallel program.
type Player interface {
	system.Node
	system.Starter
	engine.Waiter
	// Program is what it plays; nil: it needs one.
	Program() *comm.Program
	// Play gives it a program, before the run.
	Play(*comm.Program) error
	// Inherit takes what the configuration says for all players, where the node says
	// nothing itself. nil and "" change nothing.
	Inherit(c *Collectives, placement string) error
	// Plan makes the schedules of its collectives, once everything is linked: those of far more
	// ranks than there are ports would take minutes and all memory.
	Plan() error
}

// Seating says who plays a program.
type Seating struct {
	// Seats are nodes with an interface, in the order that placements take them.
	Seats []Seat
	// Workload is what the program is called in tables of the seats.
	Workload  string
	Placement string // a value of key placement; "" is that of DefaultSpec
	// Collectives are the algorithms; nil takes DefaultCollectives.
	Collectives *Collectives
	Random      func() *rand.Rand // for placements at random
	At          configs.Value     // of the program, for errors
}

// NewPlayer makes a player whose ranks are nodes of their own; it has no ports.
type NewPlayer func(name string, e sim.Engine, p *comm.Program, s Seating) (Player, error)

// Players makes them; one is registered.
var Players = registry.New[NewPlayer]("player of seats")
