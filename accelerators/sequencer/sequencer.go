package sequencer

import (
	"fmt"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/registry"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
)

// buffer is how many signals the sequencer takes in one cycle, and how many the
// wire holds for it.
//
// assumption: more than there are cores in any system here; more signals wait a
// cycle.
const buffer = 1024

// Comp is a sequencer.
type Comp struct {
	*sim.ComponentBase
	clock  clock.Clock
	ticker *engine.Ticker
	port   *engine.Port
	needs  map[key][]sim.Port
	out    []*work.Signal // heard and not yet passed on
	heard  uint64
	passed uint64
	group  *stats.Group
}

// key names a token of one of several workloads.
type key struct {
	share int32
	token mapping.Token
}

// New makes a sequencer.
func New(name string, e sim.Engine, c clock.Clock) *Comp {
	s := &Comp{ComponentBase: sim.NewComponentBase(name), clock: c, needs: map[key][]sim.Port{}, group: stats.NewGroup(name)}
	s.ticker = engine.NewTicker(e, c, s)
	s.port = engine.NewPort(s, name+".Cores", buffer)
	s.AddPort("Cores", s.port)
	s.declare()
	return s
}

func init() {
	work.Sequencers.Add(registry.Entry[work.NewSequencer]{
		Name: "sequencer", Doc: "Passes signals on in the cycle in which it receives them.",
		New: func(name string, e sim.Engine, c clock.Clock) work.Sequencer { return New(name, e, c) },
	})
}

// Port is where the cores are linked to.
func (s *Comp) Port() sim.Port { return s.port }

// PortSpecs implements system.Node.
func (s *Comp) PortSpecs() []system.PortSpec {
	return []system.PortSpec{{
		Name: "cores", Protocol: "sync", Role: system.Peers, Ports: []sim.Port{s.port},
		Many: true, Clock: s.clock, Buffer: buffer,
	}}
}

// Stats implements system.Node.
func (s *Comp) Stats() *stats.Group { return s.group }

// Listen makes known that the core with that sync port carries out program p of
// workload share.
func (s *Comp) Listen(core sim.Port, share int32, p mapping.Program) {
	for _, j := range p.Jobs {
		for _, t := range j.Waits {
			k := key{share, t}
			if !slices.Contains(s.needs[k], core) {
				s.needs[k] = append(s.needs[k], core)
			}
		}
	}
}

// NotifyRecv implements sim.Component.
func (s *Comp) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { s.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (s *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { s.ticker.WakeAfter(now) }

// Handle implements sim.Handler.
func (s *Comp) Handle(e sim.Event) error {
	now := e.Time()
	for msg := s.port.Retrieve(now); msg != nil; msg = s.port.Retrieve(now) {
		m, ok := msg.(*work.Signal)
		if !ok {
			return fmt.Errorf("%s got a %T", s.Name(), msg)
		}
		s.heard++
		for _, core := range s.needs[key{m.Share, m.Token}] {
			if core == m.Src {
				continue // a core knows what it has done itself
			}
			out := &work.Signal{Share: m.Share, Token: m.Token}
			out.Src, out.Dst = s.port, core
			s.out = append(s.out, out)
		}
	}
	n := 0
	for ; n < len(s.out); n++ {
		s.out[n].SendTime = now
		if s.port.Send(s.out[n]) != nil {
			break // NotifyPortFree wakes the sequencer
		}
		s.passed++
	}
	s.out = slices.Delete(s.out, 0, n)
	return nil
}

// Waiting implements engine.Waiter.
func (s *Comp) Waiting() []engine.Wait {
	if len(s.out) == 0 {
		return nil
	}
	return []engine.Wait{{Who: s.Name(), For: s.out[0].Dst.Name(), Why: fmt.Sprintf("%d signals are not passed on", len(s.out))}}
}
