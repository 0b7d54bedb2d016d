package ranks

import (
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/bitset"
	"github.com/causeway-sim/causeway/components/calendar"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/energy"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/player/ranks/collectives"
	"github.com/causeway-sim/causeway/workloads/player/ranks/match"
	"github.com/causeway-sim/causeway/workloads/player/ranks/placement"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// Comp plays a program.
type Comp struct {
	*sim.ComponentBase
	spec    Spec
	program *comm.Program
	rest    energy.Rest // of all interfaces
	ticker  *engine.Ticker
	now     uint64
	time    sim.VTimeInSec

	ports    []*engine.Port
	list     []sim.Port
	index    map[sim.Port]int32
	port     []int32                               // of each rank
	own      struct{ collectives, placement bool } // said by the node itself
	named    []string                              // collectives whose algorithms the node says itself, of a pattern
	rankAt   []int32                               // of each port; -1: none
	places   []placement.Port
	links    int                                    // of places that are linked
	staged   bool                                   // schedules wait for Plan
	trees    map[int32]int32                        // of groups in whose collectives the network adds up
	chairs   []seat.Seat                            // by port; nil: the ports are the player's
	fail     func(format string, args ...any) error // an error at the node's place
	random   func() *rand.Rand
	workload string     // for tables of seats
	agents   bool       // some seats are agents
	without  string     // a seat that carries out no computations; "": there is none
	issue    work.Issue // of the computation that begins
	recorded work.Recorded

	mu    sync.Mutex // of seats, for sim.ParallelEngine
	came  bitset.Set // ports with messages
	freed bitset.Set // ports whose link has room again
	seats seats

	ranks    []rank
	ready    ring.Of[token]
	timers   calendar.Of[timer] // by cycle
	pieces   pieces             // that movers have under way
	moved    []int32
	rates    rates
	pool     pool
	order    match.Order[*Message]
	match    *match.Matcher[*Message, token]
	equal    equal
	whole    string // why every rank has to be simulated; "": none has to
	meets    rendezvousList
	joint    *collectives.Set
	begun    uint64            // collectives that are counted
	entries  []uint64          // by collective under way: the cycle in which its last member entered
	doing    token             // the part of a collective that is being ended
	partFunc func(_, op int32) // queues what may start after it
	scratch  []int32
	failure  error

	tasks tasks
	gantt gantt
	count counters
	stats *stats.Group
}

// Clock is the clock of the ranks.
func (c *Comp) Clock() clock.Clock { return c.spec.Clock.Clock }

// where is the node of a rank, for messages.
func (c *Comp) where(i int32) string {
	if c.ranks[i].seat == nil {
		return fmt.Sprintf("%s rank %d", c.Name(), i)
	}
	return fmt.Sprintf("%s (rank %d)", c.ranks[i].seat.Name(), i)
}

// A timer is something that happens in a later cycle.
type timer struct {
	what timerKind
	at   token
	msg  *Message
}

type timerKind uint8

const (
	computed  timerKind = iota // a computation ends
	moved                      // a load or store ends
	left                       // a message has passed its sender's interface
	passed                     // a message has passed its receiver's interface
	summed                     // a sum or a copy of a collective is made in a rank's memory
	reduced                    // a sum or a copy of a collective is made by a mover
	arrived                    // a message of a rank to itself
	loaded                     // the bytes of a message have been read
	stored                     // those of a message of the program have been written
	entered                    // a rank has begun a collective
	windowing                  // a message reaches the window of its interface
	entering                   // a piece has passed the interface of its sender, which has a window
	awake                      // a rank that is late begins
)
