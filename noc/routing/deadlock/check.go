package deadlock

import (
	"fmt"
	"strings"

	"github.com/causeway-sim/causeway/noc/routing"
	"github.com/causeway-sim/causeway/noc/topology"
)

// A Channel is one class of virtual channels of the channel that leaves a
// router through a port.
type Channel struct{ Router, Port, Class int }

func (c Channel) String() string {
	return fmt.Sprintf("router %d port %d class %d", c.Router, c.Port, c.Class)
}

// A Proof is the result of Check.
type Proof struct {
	Channels  int // that some packet uses
	Steps     int // from one channel to the next, counted once
	States    int // distinct states of a packet at a router
	Decisions int // followed decisions
	MaxHops   int // of any packet
	// Ahead: some decision for a packet from another group reads the state of the router at which
	// it arrives, so that routing ahead reads another group's state. Beyond: some decision reads
	// the state of a router in another group than the packet's.
	Ahead, Beyond bool
	// Complete: every decision was followed within the budget. Only then a nil Cycle proves
	// anything.
	Complete bool
	// Cycle is a cycle of channels, each of which some packet may hold while it waits for the
	// next. The last is the first again.
	Cycle []Channel
}

// Free reports whether the routing is proven free of deadlock.
func (p *Proof) Free() bool { return p.Complete && p.Cycle == nil }

func (p *Proof) String() string {
	switch {
	case p.Cycle != nil:
		steps := make([]string, len(p.Cycle))
		for i, c := range p.Cycle {
			steps[i] = c.String()
		}
		return "cycle of channels: " + strings.Join(steps, " -> ")
	case !p.Complete:
		return fmt.Sprintf("no cycle among %d channels after %d decisions, not all of them", p.Channels, p.Decisions)
	}
	return fmt.Sprintf("no cycle among %d channels and %d steps (%d decisions in %d states, at most %d hops)", p.Channels, p.Steps, p.Decisions, p.States, p.MaxHops)
}

// Check follows every packet of the topology through every decision of the algorithm, for all
// queues and draws, builds the graph of waits between channels, and looks for a cycle (Dally and
// Seitz 1987, theorem 1). It follows at most budget decisions; 0 is no bound. One terminal per
// router represents all, but as a destination of a TerminalRouted algorithm. A Bulk algorithm names the packets to follow; if those may close a
// cycle, Check follows every packet, within the budget or a default one.
//
// No packet waits for an Optional hop: it adds no step from the channel that the packet holds,
// but the packet continues from it like any other. That is sound if a packet fits into one buffer
// (Duato 1993, with the other hops as escape paths).
//
// The error is an algorithm that breaks its contract, which is a bug: a port without a channel, a
// class out of range, a packet that does not arrive.
func Check(t topology.Topology, a routing.Algorithm, budget int) (*Proof, error) {
	bulk, ok := a.(routing.Bulk)
	proof, err := check(t, a, bulk, budget)
	if !ok || err != nil || proof.Cycle == nil {
		return proof, err
	}
	if budget == 0 {
		budget = confirming
	}
	all, err := check(t, a, nil, budget)
	if err != nil || !all.Complete && all.Cycle == nil {
		return proof, err
	}
	return all, nil
}

// absent marks an absent index.
const absent = -1

// confirming bounds the decisions that are followed to confirm a cycle.
const confirming = 10_000_000

func check(t topology.Topology, a routing.Algorithm, bulk routing.Bulk, budget int) (*Proof, error) {
	c := newChecker(t, a, bulk, budget)
	if err := c.explore(); err != nil {
		return nil, err
	}
	if err := c.depths(); err != nil {
		return nil, err
	}
	c.connect()
	c.proof.States = len(c.nodes)
	c.proof.Beyond = c.choice.beyond
	for i := range c.nodes {
		c.proof.Ahead = c.proof.Ahead || c.nodes[i].entered && c.nodes[i].sensed
	}
	c.proof.Cycle = c.cycle()
	return &c.proof, nil
}
