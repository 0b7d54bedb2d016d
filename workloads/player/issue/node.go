package issue

import (
	"sync/atomic"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// A Node is the common part of nodes that issue operators: a dispatcher, a ticker, statistics, tasks and
// progress. A kind that embeds a Node handles its events and must call Init first.
type Node struct {
	*sim.ComponentBase
	Ticker     *engine.Ticker
	Dispatcher *Dispatcher
	Group      *stats.Group
	Stream     task.Source
	Done       atomic.Int64
	Total      atomic.Int64
	Chosen     Chosen
	clock      clock.Clock
	engine     sim.Engine
}

// Stopping reports whether the run is to end. A cycle with very many decisions polls it and stops
// early.
func (n *Node) Stopping() bool {
	s, ok := n.engine.(engine.Stopper)
	return ok && s.Stopping()
}

// Chosen lists the workloads that the configuration assigns to a node.
type Chosen struct {
	Names []string
	At    configs.Value
}

// Workloads implements work.Chooser.
func (n *Node) Workloads() ([]string, configs.Value) { return n.Chosen.Names, n.Chosen.At }

// Init initialises n; c is n, or the node that embeds it.
func (n *Node) Init(c interface {
	sim.Component
	sim.Handler
}, name string, e sim.Engine, k clock.Clock) {
	n.Group, n.clock, n.engine = stats.NewGroup(name), k, e
	n.Ticker = engine.NewTicker(e, k, c)
	n.Dispatcher = New(c, name, k)
	n.AddPort("Executors", n.Dispatcher.Port())
}

// PortSpecs implements system.Node.
func (n *Node) PortSpecs() []system.PortSpec { return []system.PortSpec{n.Dispatcher.PortSpec()} }

// Stats implements system.Node.
func (n *Node) Stats() *stats.Group { return n.Group }

// Tasks implements task.Reporter.
func (n *Node) Tasks() *task.Source { return &n.Stream }

// Clock is the node's clock.
func (n *Node) Clock() clock.Clock { return n.clock }

// SetPeers implements system.Neighbour: the peers must be executors.
func (n *Node) SetPeers(_ string, peers []system.Peer) error { return n.Dispatcher.SetPeers(peers) }

// Executors returns the linked executors, sorted by name.
func (n *Node) Executors() []work.Executor { return n.Dispatcher.Executors() }

// Progress implements system.Worker.
func (n *Node) Progress() (done, total int64) { return n.Done.Load(), n.Total.Load() }

// NotifyRecv implements sim.Component.
func (n *Node) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { n.Ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (n *Node) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { n.Ticker.WakeAfter(now) }

// State makes a schedule.State without requests for the executors of the node.
func (n *Node) State(models []schedule.Model, p schedule.Policy, o schedule.Options) (*schedule.State, error) {
	var names []string
	for _, x := range n.Executors() {
		names = append(names, x.Name())
	}
	s, err := schedule.New(models, names, p, o)
	if err != nil {
		return nil, err
	}
	for e, x := range n.Executors() {
		_, s.Executors[e].Concurrent = x.(work.Concurrent)
	}
	return s, nil
}
