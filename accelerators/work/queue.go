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

// A Queue is the input side of an executor: issued operators that have not begun, finished joins,
// and reports to send. Its port is called ops.
type Queue struct {
	name   string
	owner  sim.Component
	port   *engine.Port
	ticker *engine.Ticker
	issuer sim.Port // of jobs that were issued ahead
	ready  map[join]ready
	issued []Issued
	head   int       // of issued: the oldest
	sends  []sending // in order of time
}

// An Issued is an operator in a Queue.
type Issued struct {
	Share, Job, Request, Nth int32
	Task                     task.ID
	Delay                    units.Time
	Came                     uint64 // cycle of its issue, or the first in which it may begin
	Carried                  bool   // it reads what a transfer or a collective has brought
	Ahead                    bool   // it was issued before the run
	of                       mapping.Token
	from                     sim.Port // Done goes to it; nil: no port waits for the end
}

// join names a join of one of several workloads.
type join struct {
	share int32
	of    *mapping.Join
}

// ready is since when a join is known to be done, and the job that was done last.
type ready struct {
	at   uint64
	last mapping.Token
}

type sending struct {
	at  uint64
	msg sim.Msg
	to  sim.Port
}

// queueBuffer is how many messages an executor takes in one cycle; more wait a cycle.
const queueBuffer = 16

// NewQueue makes the queue of component c, called name, with its port. The component must forward
// notices of the port to its ticker.
func NewQueue(c sim.Component, name string, t *engine.Ticker) *Queue {
	return &Queue{name: name, owner: c, port: engine.NewPort(c, name+".Ops", queueBuffer), ticker: t, ready: map[join]ready{}}
}

// Port returns the port ops.
func (q *Queue) Port() *engine.Port { return q.port }

// PortSpec describes the port, which may stay unlinked.
func (q *Queue) PortSpec() system.PortSpec {
	return system.PortSpec{Name: "ops", Protocol: Protocol, Role: system.Peers, Ports: []sim.Port{q.port}, Clock: q.ticker.Clock(), Optional: true, Led: true}
}

// Ahead issues all jobs of a share before the run, sorted by arrival. The error is a share that
// was issued before.
func (q *Queue) Ahead(w *Share) error {
	came := q.ticker.Clock().Cycles(uint64(w.Arrival), uint64(units.Second))
	at := len(q.issued)
	for at > 0 && q.issued[at-1].Came > came {
		at--
	}
	if slices.ContainsFunc(q.issued, func(x Issued) bool { return x.Share == w.ID }) {
		return fmt.Errorf("%s: share %d is issued twice", q.name, w.ID)
	}
	all := make([]Issued, len(w.Program.Jobs))
	for i := range all {
		all[i] = Issued{Share: w.ID, Job: int32(i), Came: came, Ahead: true, of: w.Program.Token(i)}
		if w.Program.Jobs[i].Awaited {
			all[i].from = w.Issuer
		}
	}
	q.issued, q.issuer = slices.Insert(q.issued, at, all...), w.Issuer
	return nil
}

// Issuer returns the port that receives Done of jobs issued ahead, or nil.
func (q *Queue) Issuer() sim.Port { return q.issuer }

// Receive handles all messages at the port. A revoked operator that has not begun leaves the
// queue, and is reported. An unexpected message is an error.
func (q *Queue) Receive(now sim.VTimeInSec, cycle uint64) error {
	for {
		switch m := q.port.Retrieve(now).(type) {
		case nil:
			return nil
		case *Ready:
			q.ready[join{m.Share, m.Join}] = ready{cycle, m.Last}
		case *Issue:
			if m.Recorded != nil {
				return fmt.Errorf("%s was issued %s by a message: what was recorded comes by call", q.name, m.Recorded.Name)
			}
			q.issued = append(q.issued, Issued{Share: m.Share, Job: m.Job, Request: m.Request, Nth: m.Nth, Task: m.Task, Delay: m.Delay, Carried: m.Carried, Came: cycle, from: m.Src})
		case *Prepare:
			x, ok := q.owner.(Executor)
			if !ok {
				return fmt.Errorf("%s is to learn %s while the run goes on, and carries out no operators", q.name, m.Share.Name)
			}
			if err := x.Prepare(m.Share); err != nil {
				return err
			}
		case *Revoke:
			i := slices.IndexFunc(q.issued[q.head:], func(x Issued) bool { return x.Share == m.Share && x.Job == m.Job && x.Request == m.Request })
			if i < 0 {
				continue // it has begun
			}
			i += q.head
			q.report(q.issued[i], &Done{Begin: cycle, End: cycle, Revoked: true})
			q.issued = slices.Delete(q.issued, i, i+1)
		default:
			return fmt.Errorf("%s got a %T at its ops port", q.name, m)
		}
	}
}

// Send sends the reports that are due and wakes the component for the next one. If the link is
// full it sends again when the link is free.
func (q *Queue) Send(now sim.VTimeInSec, cycle uint64) {
	n := 0
	for ; n < len(q.sends) && q.sends[n].at <= cycle; n++ {
		x := &q.sends[n]
		m := x.msg.Meta()
		m.Src, m.Dst, m.SendTime = q.port, x.to, now
		if q.port.Send(x.msg) != nil {
			break
		}
	}
	q.sends = slices.Delete(q.sends, 0, n)
	if len(q.sends) > 0 && q.sends[0].at > cycle {
		q.ticker.WakeAt(q.sends[0].at)
	}
}

// Next removes the oldest operator, which begins; ok is false if there is none.
func (q *Queue) Next() (i Issued, ok bool) {
	if q.First() == nil {
		return Issued{}, false
	}
	i = *q.First()
	if q.head++; 2*q.head >= len(q.issued) {
		q.issued, q.head = slices.Delete(q.issued, 0, q.head), 0
	}
	return i, true
}

// First returns the oldest operator that has not begun, or nil.
func (q *Queue) First() *Issued {
	if q.head == len(q.issued) {
		return nil
	}
	return &q.issued[q.head]
}

// Fixed reports whether First was issued ahead, so that it cannot be revoked.
func (q *Queue) Fixed() bool { i := q.First(); return i != nil && i.Ahead }

// Len returns the operators that have not begun.
func (q *Queue) Len() int { return len(q.issued) - q.head }

// Done reports, in cycle end, which may be in the future, that an operator ended.
func (q *Queue) Done(i Issued, begin, end uint64) { q.report(i, &Done{Begin: begin, End: end}) }

func (q *Queue) report(i Issued, d *Done) {
	if i.from == nil {
		return
	}
	d.Share, d.Job, d.Request, d.Of = i.Share, i.Job, i.Request, i.of
	q.send(d.End, d, i.from)
}

func (q *Queue) send(at uint64, m sim.Msg, to sim.Port) {
	i := len(q.sends)
	for i > 0 && q.sends[i-1].at > at {
		i--
	}
	q.sends = slices.Insert(q.sends, i, sending{at, m, to})
}

// After returns the cycle in which the last of some joins was reported done; ok is false while
// one is not.
func (q *Queue) After(share int32, joins []*mapping.Join) (at uint64, ok bool) {
	for _, j := range joins {
		r, ok := q.ready[join{share, j}]
		if !ok {
			return 0, false
		}
		at = max(at, r.at)
	}
	return at, true
}

// Last returns the job of some joins that was reported done last, and of equal ones that of the
// lowest core; ok is false if none is done.
func (q *Queue) Last(share int32, joins []*mapping.Join) (last mapping.Token, ok bool) {
	at := uint64(0)
	for _, j := range joins {
		r, known := q.ready[join{share, j}]
		if known && (!ok || r.at > at || r.at == at && r.last.Core < last.Core) {
			last, at, ok = r.last, r.at, true
		}
	}
	return last, ok
}

// Missing lists the joins that are not done.
func (q *Queue) Missing(share int32, joins []*mapping.Join) (out []*mapping.Join) {
	for _, j := range joins {
		if _, ok := q.ready[join{share, j}]; !ok {
			out = append(out, j)
		}
	}
	return out
}
