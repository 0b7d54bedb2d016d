package nearmem

import "github.com/causeway-sim/causeway/accelerators/nearmem/offload"

// hostState is the host within a launch.
type hostState struct {
	launched uint64  // when
	running  int     // units that work
	ahead    int     // tasks of the work ahead that have not started ...
	aheadRun int     // ... and that run
	missing  []int32 // by group: results that the host lacks
	open     []int32 // by group: host tasks that are not done
	ready    queue   // groups that may start, but for the first
	next     int     // host tasks of the first that have started
	left     int     // groups that are not done
	unseen   int     // results in the ring that the host has not seen
	freed    int64   // last head sent
	headGone bool    // a head is on its way
	blocked  uint32  // the load that waits for the kernel's end, plus 1 (bs, flits)
	asked    bool    // it is at the device
}

func (h *hostState) init(_ Spec, groups int) {
	h.missing, h.open = make([]int32, groups), make([]int32, groups)
	h.ready.items = make([]int32, 0, groups)
}

// reset gets ready for a launch of f.
func (h *hostState) reset(f *offload.Phase) {
	h.ahead, h.aheadRun, h.left, h.unseen = f.Before.Tasks, 0, f.Groups(), 0
	h.ready.clear()
	h.next = 0
	g := f.Group()
	for i := range h.left {
		h.missing[i] = int32(min(g, f.Tasks-i*g))
		h.open[i] = int32(f.Parts())
	}
}

// isAhead marks tasks of the work ahead of a launch among the host's events.
const isAhead = 1

// dispatch starts what can start: host tasks on free units, a DMA request.
func (m *machine) dispatch() {
	if m.stage == done || m.failed != nil {
		return
	}
	h, f := &m.hst, m.current()
	for h.ahead > 0 && h.running < m.host.units {
		h.ahead--
		h.aheadRun++
		m.hostStart(-1, f.Before.Cost, isAhead)
	}
	width := m.host.units
	if f.Width > 0 {
		width = min(width, f.Width)
	}
	for h.ready.len() > 0 && h.running < width {
		m.hostStart(h.ready.peek(), f.Host, 0)
		if h.next++; h.next == f.Parts() {
			h.next = 0
			h.ready.pop()
		}
	}
	if m.spec.Protocol.streams() && m.dev.started {
		m.stream()
		m.returnHead()
	}
}

func (m *machine) hostStart(g int32, c offload.Cost, what int64) {
	end, busy := m.host.end(m.now, c)
	m.hst.running++
	m.count.hostBusy += busy
	m.computes("host", end)
	m.plan(end, event{kind: evHostTask, task: g, value: what})
}

// hostDone ends a host task. The last one of a group frees what it has consumed.
func (m *machine) hostDone(g int32, what int64) {
	h, f := &m.hst, m.current()
	h.running--
	if what == isAhead {
		h.aheadRun--
		if h.ahead == 0 && h.aheadRun == 0 {
			m.send()
		}
		return
	}
	m.count.hostTasks++
	if h.open[g]--; h.open[g] > 0 {
		return
	}
	if m.spec.Protocol.streams() {
		n, slots := f.Group(), m.slots(f)
		for t := int(g) * n; t < min(f.Tasks, (int(g)+1)*n); t++ {
			if err := m.cons.Release(m.dev.at[t], slots); err != nil {
				m.failed = err
			}
		}
	}
	h.left--
	if h.left == 0 {
		m.finish()
	}
}

// returnHead stores the head to the device; one store is in flight at a time.
func (m *machine) returnHead() {
	h := &m.hst
	if head := m.cons.Head(); !h.headGone && head > h.freed {
		h.headGone, h.freed = true, head
		m.count.heads++
		if m.wire != nil {
			m.wire.store(1, false, event{kind: evHead, value: head})
			return
		}
		m.plan(m.now+m.mem, event{kind: evHead, value: head})
	}
}

// arrive puts n results into the ring; the host sees them at its next look, or by
// interrupt.
func (m *machine) arrive(n int) {
	m.hst.unseen += n
	at := m.now + ps(m.spec.Signal)
	if m.spec.Protocol == Async {
		p := ps(m.spec.Local)
		at = (m.now + p - 1) / p * p
	} else {
		m.count.interrupts++
	}
	m.plan(at, event{kind: evSeen, task: int32(n)})
}

// see records the arrival of n results, in the order of sending.
func (m *machine) see(n int) {
	m.hst.unseen -= n
	for range n {
		m.have(m.dev.sent.pop())
	}
}

// have is one result more that the host has.
func (m *machine) have(t int32) {
	h := &m.hst
	g := t / int32(m.current().Group())
	if h.missing[g]--; h.missing[g] == 0 {
		h.ready.push(g)
	}
}

// load begins to load all results of a kernel that is done.
func (m *machine) load() {
	m.stage = loading
	m.passed("load")
	f := m.current()
	bytes := uint64(f.Tasks) * f.Result
	m.count.streamed += bytes
	if m.wire != nil {
		m.wire.load(lines(bytes), event{kind: evLoaded})
		return
	}
	m.plan(m.up.Transfer(m.now+m.mem, bytes)+m.mem, event{kind: evLoaded})
}

// loaded lets all host tasks start.
func (m *machine) loaded() {
	m.stage = after
	for t := range m.current().Tasks {
		m.have(int32(t))
	}
}
