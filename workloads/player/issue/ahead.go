package issue

import (
	"fmt"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
)

// Ahead is a node that has issued everything before the run (work.IssueAll), to executors that
// share workloads. It decides nothing: of a Done it tells all executors with jobs that come
// after, in the cycle in which it hears of it.
//
// Left out: a limit on messages per cycle other than the buffers of the wire, and what a real
// design would need to broadcast them.
type Ahead struct {
	Node
	after  map[job][]int // executors with jobs that come after one, by number
	heard  uint64
	passed uint64
}

// A job is one of one workload.
type job struct {
	share int32
	of    mapping.Token
}

// NewAhead makes the node; its name must be valid for Akita.
func NewAhead(name string, e sim.Engine, k clock.Clock) *Ahead {
	a := &Ahead{Node: Node{ComponentBase: sim.NewComponentBase(name)}, after: map[job][]int{}}
	a.Init(a, name, e, k)
	a.declare()
	return a
}

// Port is the issuer of the shares (work.Share.Issuer), linked to the executors.
func (a *Ahead) Port() sim.Port { return a.Desk.Port() }

// Issued makes known, before the run, that an executor has been issued a program of a share.
func (a *Ahead) Issued(x work.Executor, share int32, p *mapping.Program) error {
	if !slices.Contains(a.Executors(), x) {
		if err := a.Desk.SetPeers([]system.Peer{{Node: x, Port: x.Ops()}}); err != nil {
			return err
		}
	}
	e := a.Desk.index(x)
	for i := range p.Jobs {
		for _, t := range p.Jobs[i].After {
			k := job{share, t}
			if x := a.after[k]; len(x) == 0 || x[len(x)-1] != e { // those of one executor come in one call
				a.after[k] = append(x, e)
			}
		}
	}
	return nil
}

// Handle implements sim.Handler.
func (a *Ahead) Handle(e sim.Event) error {
	now := e.Time()
	for msg := a.Desk.Port().Retrieve(now); msg != nil; msg = a.Desk.Port().Retrieve(now) {
		m, ok := msg.(*work.Done)
		if !ok {
			return fmt.Errorf("%s got a %T", a.Name(), msg)
		}
		a.heard++
		for _, x := range a.after[job{m.Share, m.Of}] {
			if x != a.Desk.behind[m.Src] { // an executor knows what it has done itself
				d := *m
				d.MsgMeta = sim.MsgMeta{}
				a.Desk.Send(x, &d)
			}
		}
	}
	n := a.Desk.Waiting()
	a.Desk.Flush(now)
	a.passed += uint64(n - a.Desk.Waiting())
	return nil
}

// Waiting implements engine.Waiter.
func (a *Ahead) Waiting() []engine.Wait {
	n := a.Desk.Waiting()
	if n == 0 {
		return nil
	}
	return []engine.Wait{{Who: a.Name(), For: a.Desk.out[0].Meta().Dst.Name(), Why: fmt.Sprintf("%d messages are not passed on", n)}}
}
