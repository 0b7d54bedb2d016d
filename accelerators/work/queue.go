package work

import (
	"fmt"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
)

// A Queue is the side of an executor that operators come to: those that were issued and
// have not begun, signals that came from other cores, and what is to be reported. Its
// port is called ops.
type Queue struct {
	name   string
	owner  sim.Component
	port   *engine.Port
	ticker *engine.Ticker
	leader sim.Port // the sequencer's
	tokens map[signal]uint64
	issued []Issued
	sends  []sending // in order of time
}

// An Issued is an operator in the queue.
type Issued struct {
	Share, Job, Request, Nth int32
	Task                     task.ID
	Delay                    units.Time
	Came                     uint64 // cycle in which it came
	from                     sim.Port
}

// A signal names a token of one of several workloads.
type signal struct {
	share int32
	token mapping.Token
}

type sending struct {
	at  uint64
	msg sim.Msg
	to  sim.Port // nil: the sequencer
}

// queueBuffer is how many messages an executor takes in one cycle; more wait a cycle.
const queueBuffer = 16

// NewQueue makes the queue of component c, called name, with a port of its own. The
// component forwards notices of the port to its ticker.
func NewQueue(c sim.Component, name string, t *engine.Ticker) *Queue {
	return &Queue{name: name, owner: c, port: engine.NewPort(c, name+".Ops", queueBuffer), ticker: t, tokens: map[signal]uint64{}}
}

// Port is where messages come.
func (q *Queue) Port() *engine.Port { return q.port }

// PortSpec describes the port, which may stay unlinked.
func (q *Queue) PortSpec() system.PortSpec {
	return system.PortSpec{Name: "ops", Protocol: Protocol, Role: system.Peers, Ports: []sim.Port{q.port}, Clock: q.ticker.Clock(), Optional: true, Led: true}
}

// Follow tells the port of the sequencer that Signal goes to.
func (q *Queue) Follow(sequencer sim.Port) { q.leader = sequencer }

// Leader is what Follow said; nil: nothing.
func (q *Queue) Leader() sim.Port { return q.leader }

// Receive takes in all messages that are here. An operator that is asked back and has
// not begun leaves the queue, which is reported.
func (q *Queue) Receive(now sim.VTimeInSec, cycle uint64) error {
	for {
		switch m := q.port.Retrieve(now).(type) {
		case nil:
			return nil
		case *Signal:
			q.tokens[signal{m.Share, m.Token}] = cycle
		case *Issue:
			q.issued = append(q.issued, Issued{m.Share, m.Job, m.Request, m.Nth, m.Task, m.Delay, cycle, m.Src})
		case *Prepare:
			x, ok := q.owner.(Executor)
			if !ok {
				return fmt.Errorf("%s is to learn %s while the run goes on, and carries out no operators", q.name, m.Share.Name)
			}
			if err := x.Prepare(m.Share); err != nil {
				return err
			}
		case *Revoke:
			i := slices.IndexFunc(q.issued, func(x Issued) bool { return x.Share == m.Share && x.Job == m.Job && x.Request == m.Request })
			if i < 0 {
				continue // it has begun
			}
			q.report(q.issued[i], &Done{Begin: cycle, End: cycle, Revoked: true})
			q.issued = slices.Delete(q.issued, i, i+1)
		default:
			return fmt.Errorf("%s got a %T at its ops port", q.name, m)
		}
	}
}

// Send gives out what is due, and wakes the component for the next. A full link is tried
// again when it frees.
func (q *Queue) Send(now sim.VTimeInSec, cycle uint64) {
	n := 0
	for ; n < len(q.sends) && q.sends[n].at <= cycle; n++ {
		x := &q.sends[n]
		m := x.msg.Meta()
		m.Src, m.Dst, m.SendTime = q.port, x.to, now
		if x.to == nil {
			m.Dst = q.leader
		}
		if q.port.Send(x.msg) != nil {
			break
		}
	}
	q.sends = slices.Delete(q.sends, 0, n)
	if len(q.sends) > 0 && q.sends[0].at > cycle {
		q.ticker.WakeAt(q.sends[0].at)
	}
}

// Next takes the oldest operator out, which begins by that; ok is false if there is none.
func (q *Queue) Next() (i Issued, ok bool) {
	if len(q.issued) == 0 {
		return Issued{}, false
	}
	i = q.issued[0]
	q.issued = slices.Delete(q.issued, 0, 1)
	return i, true
}

// Len is how many operators have not begun.
func (q *Queue) Len() int { return len(q.issued) }

// Done reports in cycle end that an operator was carried out.
func (q *Queue) Done(i Issued, begin, end uint64) { q.report(i, &Done{Begin: begin, End: end}) }

func (q *Queue) report(i Issued, d *Done) {
	d.Share, d.Job, d.Request = i.Share, i.Job, i.Request
	q.send(d.End, d, i.from)
}

// Signal says at a cycle that a job of a program is done: to the sequencer, and to jobs
// of this core that wait for it.
func (q *Queue) Signal(share int32, tokens []mapping.Token, at uint64) {
	for _, t := range tokens {
		q.tokens[signal{share, t}] = at
		q.send(at, &Signal{Share: share, Token: t}, nil)
	}
}

func (q *Queue) send(at uint64, m sim.Msg, to sim.Port) {
	i := len(q.sends)
	for i > 0 && q.sends[i-1].at > at {
		i--
	}
	q.sends = slices.Insert(q.sends, i, sending{at, m, to})
}

// Awaited is when the last of some tokens came; ok is false while one is missing.
func (q *Queue) Awaited(share int32, tokens []mapping.Token) (at uint64, ok bool) {
	for _, t := range tokens {
		c, ok := q.tokens[signal{share, t}]
		if !ok {
			return 0, false
		}
		at = max(at, c)
	}
	return at, true
}

// Missing lists the tokens that have not come.
func (q *Queue) Missing(share int32, tokens []mapping.Token) (out []mapping.Token) {
	for _, t := range tokens {
		if _, ok := q.tokens[signal{share, t}]; !ok {
			out = append(out, t)
		}
	}
	return out
}
