package ranks

import (
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/ring"
	"github.com/causeway-sim/causeway/workloads/comm"
	"github.com/causeway-sim/causeway/workloads/player/ranks/depend"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// A rank is the state of one rank.
type rank struct {
	program  *comm.Rank
	depend   depend.Rank
	finish   uint64 // cycle of the last operation's end
	units    []unit
	seat     seat.Seat   // nil: the player itself
	agent    seat.Agent  // seat, if others ask for its operations; else nil
	mover    seat.Mover  // seat, if it reads and writes what it transfers; else nil
	executor work.Direct // seat, if it carries out computations; else nil
	nic      nic
	slowdown slowdown
	book     book
	lined    []token // sends of collectives that wait for their step or an interface
	// beginning: some of lined are being begun.
	beginning bool
	grown     int32 // first operation that came while the run went on; 0: none, -1: all did
}

// late is how many of some operations came while the run went on.
func (r *rank) late(ops []int32) (n int) {
	if r.grown == 0 {
		return 0
	}
	for _, op := range ops {
		if op >= r.grown {
			n++
		}
	}
	return n
}

// A unit computes one thing at a time.
type unit struct {
	busy   bool
	since  uint64
	cycles uint64 // in all
	queue  ring.Of[token]
}

// computing is the cycles in which the rank's busiest unit computed.
func (r *rank) computing() uint64 {
	most := uint64(0)
	for i := range r.units {
		most = max(most, r.units[i].cycles)
	}
	return most
}

// A token is an operation of a rank: of the program, or of a collective.
type token struct{ rank, op, inst int32 }

// program as the inst of a token is the program itself.
const program = -1
