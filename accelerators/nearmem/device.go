package nearmem

import (
	"github.com/causeway-sim/causeway/accelerators/nearmem/offload"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
)

// deviceState is the device within a launch.
type deviceState struct {
	rounds  int
	next    []run  // by unit: what is left of its run
	round   []int  // by unit: of its run
	running int    // units that work
	left    int    // tasks that are not done
	started bool   // the launch has come
	over    bool   // all tasks are done (rp, bs)
	told    bool   // a poll was answered so (rp, flits)
	ended   []bool // by task, for the order of tasks
	inOrder int32  // the next task to go, in the order of tasks
	ready   queue  // done tasks whose results wait to go
	wait    uint64 // their bytes
	sent    queue  // on their way, in order
	dma     bool   // a request is prepared
	blocked bool   // results wait, and the ring is full
	at      []int64
}

// A run is tasks that follow each other.
type run struct{ task, end int32 }

func (d *deviceState) init(s Spec, tasks int) {
	d.next, d.round = make([]run, s.Device.Units), make([]int, s.Device.Units)
	d.ended, d.at = make([]bool, tasks), make([]int64, tasks)
	d.ready.items, d.sent.items = make([]int32, 0, tasks), make([]int32, 0, tasks)
}

// reset gets ready for a launch of f.
func (d *deviceState) reset(f *offload.Phase, rounds int) {
	if rounds == 0 {
		rounds = max(1, f.Rounds)
	}
	d.rounds = min(rounds, (f.Tasks+len(d.next)-1)/len(d.next))
	d.left, d.inOrder, d.wait = f.Tasks, 0, 0
	d.started, d.blocked, d.over, d.told = false, false, false, false
	d.ready.clear()
	d.sent.clear()
	clear(d.ended)
	for u := range d.next {
		d.round[u] = 0
		d.next[u] = d.deal(f.Tasks, 0, u)
	}
}

// deal is the run of a unit in a round: the tasks are cut into rounds x units
// parts, equal but for one.
func (d *deviceState) deal(tasks, round, unit int) run {
	parts := d.rounds * len(d.next)
	i := round*len(d.next) + unit
	return run{int32(tasks * i / parts), int32(tasks * (i + 1) / parts)}
}

// deviceStart begins a kernel: every unit takes its first task.
func (m *machine) deviceStart() {
	m.dev.started = true
	m.stage = working
	m.passed("device")
	for u := range m.dev.next {
		m.takeTask(u)
	}
}

// takeTask lets a unit begin its next task, if there is one.
func (m *machine) takeTask(u int) {
	d, f := &m.dev, m.current()
	r := &d.next[u]
	for r.task == r.end {
		d.round[u]++
		if d.round[u] >= d.rounds {
			return
		}
		*r = d.deal(f.Tasks, d.round[u], u)
	}
	t := r.task
	r.task++
	end, busy := m.device.end(m.now, f.Of(int(t)))
	d.running++
	m.count.deviceBusy += busy
	m.computes("device", end)
	m.plan(end, event{kind: evTask, task: t, unit: int32(u)})
}

// taskDone takes a result over.
func (m *machine) taskDone(u int, t int32) {
	d := &m.dev
	d.running--
	d.left--
	m.count.tasks++
	m.count.results += m.current().Result
	if m.spec.Protocol.streams() {
		m.offer(t)
	} else if d.left == 0 {
		m.kernelDone()
	}
	m.takeTask(u)
}

// offer makes a result ready to go, or all that its absence has held back.
func (m *machine) offer(t int32) {
	d, size := &m.dev, m.current().Result
	if m.spec.Order {
		d.ready.push(t)
		d.wait += size
		return
	}
	d.ended[t] = true
	for int(d.inOrder) < m.current().Tasks && d.ended[d.inOrder] {
		d.ready.push(d.inOrder)
		d.wait += size
		d.inOrder++
	}
}

// stream starts a DMA request when enough waits and the ring has room. It takes
// all that waits and fits; what does not fit waits for heads.
func (m *machine) stream() {
	d := &m.dev
	d.blocked = false
	if d.dma || d.ready.len() == 0 || d.wait < uint64(m.spec.Stream.Factor) && d.left > 0 {
		return
	}
	f := m.current()
	slots, n := m.slots(f), 0
	for d.ready.len() > 0 {
		at, ok := m.prod.Take(slots)
		if !ok {
			break
		}
		t := d.ready.pop()
		d.at[t] = at
		d.sent.push(t)
		d.wait -= f.Result
		n++
	}
	if n == 0 {
		d.blocked = true
		return
	}
	d.dma = true
	m.count.requests++
	m.count.fill = max(m.count.fill, uint64(m.prod.Slots()-m.prod.Free()))
	m.plan(m.now+m.prepare, event{kind: evPrepared, task: int32(n)})
}

// transmit sends a prepared request of n results over the link: all payload, then the metadata,
// its tail last.
func (m *machine) transmit(n int) {
	m.dev.dma = false
	bytes := uint64(n) * (uint64(m.slots(m.current()))*uint64(m.spec.Ring.Slot) + uint64(m.spec.Stream.Metadata))
	m.count.streamed += bytes
	if m.wire != nil {
		meta := uint64(n) * uint64(m.spec.Stream.Metadata)
		m.wire.write(flit.Up, bytes-meta, event{kind: evNothing})
		m.wire.write(flit.Up, max(1, meta), event{kind: evArrived, task: int32(n)}) // the tail at least
		return
	}
	m.plan(m.up.Transfer(m.now, bytes)+m.io, event{kind: evArrived, task: int32(n)})
}

// hear handles a head returned by the host.
func (m *machine) hear(head int64) {
	if err := m.prod.Hear(head); err != nil {
		m.failed = err
	}
	m.hst.headGone = false
}

// kernelDone reports the end of a kernel to the host, by its protocol.
func (m *machine) kernelDone() {
	m.dev.over = true
	if m.wire != nil {
		if m.spec.Protocol == RemotePolling {
			return // a poll will see it
		}
		if m.hst.asked { // else its coming makes the answer
			m.hst.asked = false
			m.wire.answer(m.hst.blocked - 1)
		}
		return
	}
	at := m.now + m.mem // bs: the load that has waited is answered
	if m.spec.Protocol == RemotePolling {
		// Polls leave at launch + k*period; the first one that arrives at the device after the
		// end reports it.
		period, k := ps(m.spec.Remote), uint64(1)
		if m.now > m.hst.launched+m.io {
			k = max(1, (m.now-m.hst.launched-m.io+period-1)/period)
		}
		m.count.polls += k
		at = m.hst.launched + k*period + 2*m.io
	}
	m.plan(at, event{kind: evCompleted})
}
