package cache

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/pool"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/cache/flush"
	"github.com/causeway-sim/causeway/memory/cache/line"
)

// requestTable is the second layer: the requests that are not answered yet.
type requestTable struct {
	ports
	layout    line.Layout
	requests  pool.Of[request, uint32]
	count     counters
	flush     flush.State
	foresight foresight

	tasks task.Source
	now   sim.VTimeInSec // being handled; in a block, where a task is open
	shown int            // open tasks of requests in a block
}

// A foresight is what a policy wants that looks ahead.
type foresight struct {
	on     bool     // it wants the next use of every line
	policy string   // its name
	source sim.Port // whose next uses they are
}

// A request is a message that is not answered yet.
type request struct {
	msg         sim.Msg // nil in a block
	tag         uint32  // of a request in a block
	hint        *memory.Hint
	addr, bytes uint64
	at          uint64 // cycle in which it was taken from the port
	order       uint64 // of arrival
	task        task.ID
	due         uint64 // of the answer, as far as it is known
	left        int32  // what it waits for
	write       bool
	drop        bool // the cache above is to drop the line again when it has it
	extra       bool // bytes that the tags took for present are being read
	holes       bool // a write whose mask leaves bytes out; noted with bytes only
	named       bool // tensor is known
	tensor      uint16
}

// counters are of requests at the upper port, in requests, bytes and cycles.
type counters struct {
	memory.Traffic
	answered, controls  uint64
	latency, latencyMax uint64
	merges              uint64 // misses that go with a fetch under way
	first, last         uint64 // cycle of the first request, of the last answer
}

func (c *counters) answer(latency, cycle uint64) {
	c.answered++
	c.latency += latency
	c.latencyMax = max(c.latencyMax, latency)
	c.last = max(c.last, cycle)
}

// lines returns the number of lines that a request touches.
func (t *requestTable) lines(r *request) int { return t.layout.Lines(r.addr, r.bytes) }

// span returns the bytes of a line that a request touches.
func (t *requestTable) span(r *request, line uint64) (from, to uint64) {
	return t.layout.Span(r.addr, r.bytes, line)
}

// open returns the number of requests that are not answered.
func (t *requestTable) open() int { return t.requests.Taken() }

// note enters a request, counts it, and returns its number.
func (t *requestTable) note(q memory.Request, cycle uint64) uint32 {
	i := t.requests.Take()
	t.count.Count(q)
	*t.requests.At(i) = request{hint: q.Hint, addr: q.Addr, bytes: q.Bytes, write: q.Write, at: cycle, order: t.count.Requests()}
	if t.count.Requests() == 1 {
		t.count.first = cycle
	}
	return i
}

// forget removes a request that is answered; the requester may reuse or drop its message.
func (t *requestTable) forget(i uint32) {
	*t.requests.At(i) = request{}
	t.requests.Give(i)
}

// acceptControl enters a control request and returns its number.
func (t *requestTable) acceptControl(m *memory.ControlReq, cycle uint64) uint32 {
	if m.Op < memory.Clean || m.Op > memory.Invalidate {
		panic(fmt.Sprintf("cache: %s at cycle %d: unknown operation %d", t.Name(), cycle, m.Op))
	}
	i := t.requests.Take()
	if !t.flush.Own(m) {
		t.count.controls++
	}
	*t.requests.At(i) = request{msg: m, at: cycle, order: t.count.Requests(), left: 1}
	if t.tasks.On() {
		t.beginTask(t.requests.At(i))
	}
	return i
}

// begin enters a request of a block.
func (t *requestTable) begin(q *block.Request, cycle uint64) (uint32, error) {
	i := t.note(q.Asked(), cycle)
	r := t.requests.At(i)
	r.tag = q.Tag
	if t.tasks.Wants(task.Access) {
		t.now = instant.Of(t.clock, cycle)
		t.beginTask(r)
		t.shown++
	}
	if t.foresight.on {
		return i, t.foreseen(r)
	}
	return i, nil
}

// end answers a request of a block.
func (t *requestTable) end(i uint32, cycle uint64) {
	r := t.requests.At(i)
	t.gate.Answer(cycle, r.tag)
	t.count.answer(cycle-r.at, cycle)
	if r.task != 0 {
		t.tasks.End(instant.Of(t.clock, cycle), r.task)
		t.shown--
	}
	t.forget(i)
}

// from returns the port that a request came from.
func (t *requestTable) from(r *request) sim.Port {
	if t.gate != nil {
		return t.gate.From
	}
	return r.msg.Meta().Src
}

// waitsFor names the component that is to take the answer of a request: a flush of the cache's own has
// none but itself.
func (t *requestTable) waitsFor(r *request) string {
	if from := t.from(r); from != nil {
		return from.Name()
	}
	return t.Name()
}

// SetPeers implements system.Neighbour: a policy that looks ahead wants one requester.
func (t *requestTable) SetPeers(port string, peers []system.Peer) error {
	var first system.Node
	for _, p := range peers {
		if _, asks := p.Node.(system.Requester); port != "top" || !t.foresight.on || p.Hops > 0 || !asks {
			continue
		}
		if first != nil && p.Node != first {
			return t.manyRequesters(first.Name(), p.Node.Name())
		}
		first = p.Node
	}
	return nil
}

// foreseen checks that a request brings the next uses of its lines, and that there
// is one requester only: two do not know of each other.
func (t *requestTable) foreseen(r *request) error {
	src, f := t.from(r), &t.foresight
	if f.source == nil {
		f.source = src
	}
	switch {
	case r.hint == nil || len(r.hint.Next) != t.lines(r):
		return memory.BadInputf("%s: policy %s wants to know the next use of every line, which %s does not tell (a driver that plays a trace does)", t.Name(), f.policy, src.Name())
	case f.source != src:
		return memory.BadInputf("%s: %v", t.Name(), t.manyRequesters(f.source.Name(), src.Name()))
	}
	return nil
}

func (t *requestTable) manyRequesters(a, b string) error {
	return memory.BadInputf("policy %s wants a single requester, since %s and %s do not know each other's future", t.foresight.policy, a, b)
}
