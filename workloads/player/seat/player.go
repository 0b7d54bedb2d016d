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

// A Player is a node that executes a parallel program.
type Player interface {
	system.Node
	system.Starter
	engine.Waiter
	// Program is its program; nil: it needs one.
	Program() *comm.Program
	// Play sets its program, before the run.
	Play(*comm.Program) error
	// Inherit sets collectives and placement of the configuration, unless the node has its own.
	// nil and "" change nothing.
	Inherit(c *Collectives, placement string) error
	// Plan makes the schedules of its collectives. It is called after linking, because schedules
	// of far more ranks than ports would take minutes and all memory.
	Plan() error
}

// Seating assigns the ranks of a program to seats.
type Seating struct {
	// Seats are nodes with an interface, in the order that placements take them.
	Seats []Seat
	// Workload is the name of the program in tables of the seats.
	Workload  string
	Placement string // a value of key placement; "" is that of DefaultSpec
	// Collectives are the algorithms; nil takes DefaultCollectives.
	Collectives *Collectives
	Random      func() *rand.Rand // for placements at random
	At          configs.Value     // of the program, for errors
}

// NewPlayer makes a player without ports whose ranks are seats.
type NewPlayer func(name string, e sim.Engine, p *comm.Program, s Seating) (Player, error)

// Players holds the constructors of players; there is one, from workloads/player/ranks.
var Players = registry.New[NewPlayer]("player of seats")
