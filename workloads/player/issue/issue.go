// Package issue holds the parts shared by nodes that issue operators to executors: the executors
// at the other end of their links, queues of messages to them, and workloads in the form of
// workloads/schedule. Node kinds schedule and serve, which issue during the run, embed Node; Ahead
// coordinates operators that were all issued before the run. Times are units.Time. A link to a
// node that executes no operators is an error of SetPeers. Left out: policies
// (workloads/schedule).
package issue

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
	"github.com/causeway-sim/causeway/workloads/schedule"
)

// Buffer is the number of messages that the node takes in one cycle, and that the link holds for
// it.
//
// assumption: more than executors answer in a cycle in any system here.
const Buffer = 1024

// A Dispatcher holds the executors of a node and the messages to them.
type Dispatcher struct {
	name      string
	port      *engine.Port
	clock     clock.Clock
	executors []work.Executor // by name
	at        []sim.Port      // of each
	number    map[work.Executor]int
	behind    map[sim.Port]int // executors by their ports
	out       []sim.Msg        // that the link has no room for
	known     []known          // workloads, by their numbers
	open      map[schedule.Ref]*parts
}

// known is a workload, and by its places their members.
type known struct {
	*work.Workload
	members [][]work.Place
	carried []bool          // by operator: it reads what a transfer has brought; nil: none does
	job     map[int][]int32 // by executor: the operator that each of its jobs is; -1: none
}

// parts is the state of an operator that several executors share.
type parts struct {
	left       int
	begin, end units.Time
}

// New makes the dispatcher of component c, with its port.
func New(c sim.Component, name string, k clock.Clock) *Dispatcher {
	return &Dispatcher{name: name, clock: k, open: map[schedule.Ref]*parts{}, number: map[work.Executor]int{}, behind: map[sim.Port]int{}, port: engine.NewPort(c, name+".Executors", Buffer)}
}

// Port returns the port for messages of executors.
func (d *Dispatcher) Port() *engine.Port { return d.port }

// PortSpec describes the port.
func (d *Dispatcher) PortSpec() system.PortSpec {
	return system.PortSpec{
		Name: "executors", Protocol: work.Protocol, Role: system.Peers, Ports: []sim.Port{d.port},
		Many: true, Clock: d.clock, Buffer: Buffer,
	}
}

// SetPeers sets the linked executors.
func (d *Dispatcher) SetPeers(peers []system.Peer) error {
	for _, p := range peers {
		x, ok := p.Node.(work.Executor)
		if !ok {
			return fmt.Errorf("%s is linked to %s, which carries out no operators", d.name, p.Node.Name())
		}
		d.number[x], d.behind[p.Port] = len(d.executors), len(d.executors)
		d.executors, d.at = append(d.executors, x), append(d.at, p.Port)
	}
	return nil
}

// Executors returns the linked executors, in the order of SetPeers.
func (d *Dispatcher) Executors() []work.Executor { return d.executors }

// Send queues a message to an executor for the next Flush.
func (d *Dispatcher) Send(executor int, m sim.Msg) {
	m.Meta().Src, m.Meta().Dst = d.port, d.at[executor]
	d.out = append(d.out, m)
}

// Waiting is the number of queued messages.
func (d *Dispatcher) Waiting() int { return len(d.out) }

// Flush sends messages while there is room. NotifyPortFree wakes the node for the rest.
func (d *Dispatcher) Flush(now sim.VTimeInSec) {
	n := 0
	for ; n < len(d.out); n++ {
		d.out[n].Meta().SendTime = now
		if d.port.Send(d.out[n]) != nil {
			break
		}
	}
	d.out = slices.Delete(d.out, 0, n)
}

// Set sets workload i, which replaces another or is appended.
func (d *Dispatcher) Set(s *schedule.State, i int, w *work.Workload) {
	k := known{Workload: w, job: map[int][]int32{}}
	for p := range w.On {
		k.members = append(k.members, w.On[p].Members())
		for _, m := range k.members[p] {
			k.job[d.index(m.Executor)] = inverse(m.Job)
		}
		if len(w.On[p].With) > 0 {
			s.Executors[d.index(w.On[p].Executor)].Team = true
		}
	}
	k.carried = carried(w)
	if i == len(d.known) {
		d.known = append(d.known, k)
	} else {
		d.known[i] = k
	}
}

func (d *Dispatcher) index(x work.Executor) int { return d.number[x] }

// carried is set for each job that reads the result of a transfer; nil: none does.
func carried(w *work.Workload) (out []bool) {
	brought := map[graph.TensorID]bool{}
	for i := range w.Graph.Ops {
		if _, ok := w.Graph.Ops[i].Kind.(graph.Transfer); ok {
			for _, t := range w.Graph.Ops[i].Out {
				brought[t] = true
			}
		}
	}
	if len(brought) == 0 {
		return nil
	}
	out = make([]bool, len(w.Jobs))
	for i, j := range w.Jobs {
		for _, op := range append([]int{j.Op}, j.Fused...) {
			out[i] = out[i] || slices.ContainsFunc(w.Graph.Ops[op].In, func(t graph.TensorID) bool { return brought[t] })
		}
	}
	return out
}

// inverse is the operator of each job, given the job of each operator.
func inverse(job []int32) (op []int32) {
	for i, j := range job {
		for int(j) >= len(op) {
			op = append(op, -1)
		}
		if j >= 0 {
			op[j] = int32(i)
		}
	}
	return op
}

// Model returns a workload in the form of workloads/schedule, with the costs of its operators if
// planned is set.
func (d *Dispatcher) Model(w *work.Workload, planned bool) schedule.Model {
	m := schedule.Model{Name: w.Name, Deadline: w.Deadline, Priority: w.Priority, Feet: w.Feet}
	after := work.AfterAll(w.Graph, w.Jobs, w.Before)
	places := 0 // executors that the workload may go to
	for e := range d.executors {
		if d.place(w, e) >= 0 {
			places++
		}
	}
	m.Ops = make([]schedule.Operator, 0, len(w.Jobs))
	for i, j := range w.Jobs {
		op := schedule.Operator{Name: w.Graph.Ops[j.Op].Name, After: after[i], Cost: make([]schedule.Cost, places)}
		m.Ops = append(m.Ops, op)
	}
	for i, p := range Periods(w.Graph, w.Jobs, w.Layers) {
		m.Ops[i].Period = p
	}
	for e := range d.executors {
		at := d.place(w, e)
		if at < 0 {
			continue
		}
		k := len(m.Executors)
		m.Executors = append(m.Executors, e)
		for _, member := range w.On[at].Members() {
			for i, job := range member.Job {
				if job < 0 {
					continue
				}
				cost := &m.Ops[i].Cost[k]
				cost.Can = true
				if !planned {
					continue
				}
				add(cost, member.Plan(w.ID, int(job)))
				for n := 2; n <= len(w.Batches); n++ {
					if len(m.Ops[i].Batch) < n-1 {
						m.Ops[i].Batch = append(m.Ops[i].Batch, make([]schedule.Cost, places))
					}
					cost := &m.Ops[i].Batch[n-2][k]
					cost.Can = true
					add(cost, member.Plan(w.Batches[n-1], int(job)))
				}
			}
		}
	}
	return m
}

// place is which of a workload's places an executor is; -1: none.
func (d *Dispatcher) place(w *work.Workload, e int) int {
	return slices.IndexFunc(w.On, func(p work.Place) bool { return p.Executor == d.executors[e] })
}

// add adds a team member's report of an operator: the slowest counts.
func add(c *schedule.Cost, p work.Cost) {
	c.Time, c.Fetch, c.Compute = max(c.Time, p.Time), max(c.Fetch, p.Fetch), max(c.Compute, p.Compute)
	c.Energy += p.Energy
}

// Periods returns the period of each job of a model with layers: 0 before the layers, then one
// period for each group of together layers, then one after them.
func Periods(g *graph.Graph, jobs []work.Job, together int) []int32 {
	out, last := make([]int32, len(jobs)), int32(0)
	of := func(j work.Job) (int32, bool) {
		n, ok := graph.LayerOf(g.Ops[j.Op].Name)
		return int32(n/max(together, 1)) + 1, ok
	}
	for _, j := range jobs {
		if k, ok := of(j); ok {
			last = max(last, k)
		}
	}
	at := int32(0)
	for i, j := range jobs {
		if k, ok := of(j); ok {
			at = max(at, k)
		} else if at == last && last > 0 {
			at = last + 1
		}
		out[i] = at
	}
	return out
}

// Issue issues an operator of workload i, for a number of requests, to an executor or to all
// executors that share it. The operator begins after a delay.
func (d *Dispatcher) Issue(i int32, x schedule.Issue, requests int, nth int32, t task.ID, delay units.Time) {
	share := d.known[i].ID
	if requests > 1 {
		share = d.known[i].Batches[requests-1]
	}
	members, n := d.members(i, x), 0
	brought := d.known[i].carried != nil && d.known[i].carried[x.Op]
	for _, p := range members {
		if job := p.Job[x.Op]; job >= 0 {
			d.Send(d.index(p.Executor), &work.Issue{Share: share, Job: job, Request: x.Request, Nth: nth, Task: t, Delay: delay, Carried: brought})
			n++
		}
	}
	if len(members) > 1 {
		d.open[x.Ref] = &parts{left: n, begin: math.MaxUint64}
	}
}

// Revoke asks an executor to return an operator. It must not be called for a team.
func (d *Dispatcher) Revoke(i int32, x schedule.Issue) {
	d.Send(x.Executor, &work.Revoke{Share: d.known[i].ID, Job: d.members(i, x)[0].Job[x.Op], Request: x.Request})
}

// members are the executors of the place that an operator goes to.
func (d *Dispatcher) members(i int32, x schedule.Issue) []work.Place {
	k := &d.known[i]
	return k.members[slices.IndexFunc(k.On, func(p work.Place) bool { return p.Executor == d.executors[x.Executor] })]
}

// operator is the one that executor e knows as a job of a workload.
func (d *Dispatcher) operator(i int32, e int, job int32) int32 {
	if all := d.known[i].job[e]; int(job) < len(all) {
		return all[job]
	}
	return -1
}

// Done returns which operator of workload i an executor reports. all is true if the whole operator
// is done, from begin to end, and not only a part of it.
func (d *Dispatcher) Done(i int32, m *work.Done) (ref schedule.Ref, begin, end units.Time, all bool) {
	e := d.behind[m.Src]
	ref = schedule.Ref{Request: m.Request, Op: d.operator(i, e, m.Job)}
	if m.Revoked {
		return ref, 0, 0, false
	}
	k := d.executors[e].Clock()
	begin, end = Instant(k, m.Begin), Instant(k, m.End)
	if p := d.open[ref]; p != nil {
		p.left, p.begin, p.end = p.left-1, min(p.begin, begin), max(p.end, end)
		if p.left > 0 {
			return ref, 0, 0, false
		}
		begin, end = p.begin, p.end
		delete(d.open, ref)
	}
	return ref, begin, end, true
}

// Cycle is the first cycle of a clock at or after a time.
func Cycle(k clock.Clock, t units.Time) uint64 { return k.Cycles(uint64(t), uint64(units.Second)) }

// Instant is the time of a cycle, rounded down to femtoseconds.
func Instant(k clock.Clock, cycle uint64) units.Time {
	hi, lo := bits.Mul64(cycle, k.Num())
	if hi != 0 {
		panic(fmt.Sprintf("issue: cycle %d of a clock of %s is out of range", cycle, k))
	}
	hi, lo = bits.Mul64(lo, uint64(units.Second))
	if hi >= k.Den() {
		panic(fmt.Sprintf("issue: cycle %d of a clock of %s is beyond %s", cycle, k, units.Time(1<<64-1)))
	}
	q, _ := bits.Div64(hi, lo, k.Den())
	return units.Time(q)
}
