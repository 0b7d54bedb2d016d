package nearmem

import (
	"fmt"

	"github.com/causeway-sim/causeway/accelerators/nearmem/offload"
	"github.com/causeway-sim/causeway/accelerators/nearmem/ring"
	"github.com/causeway-sim/causeway/components/calendar"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// fine is the clock of everything in here: picoseconds.
var fine = clock.Hz(1e12)

// A machine is host, device and link, with events of its own in picoseconds.
// The node that drives it calls step for the instants that next names, in order.
type machine struct {
	spec    Spec
	program offload.Program
	host    side
	device  side
	down    memory.Serializer // the link, host to device
	up      memory.Serializer
	mem, io uint64 // one way
	prepare uint64
	fw      uint64

	wire *wire // nil: fixed times

	events  calendar.Of[event]
	planned uint64 // events
	now     uint64
	phase   int // of the program
	launch  int // of the phase
	stage   stage
	failed  error

	dev  deviceState
	hst  hostState
	prod ring.Producer
	cons ring.Consumer

	tasks  task.Source
	kernel task.ID // of the launch

	acct  account
	count counters
	rows  []row // finished phases
}

// stage is the progress of a launch.
type stage uint8

const (
	before   stage = iota // the host works ahead of it
	starting              // on its way to the device
	working               // the device computes, or results are on their way
	loading               // the host loads results (rp, bs)
	after                 // the host consumes all it has loaded (rp, bs)
	done
)

// A side is the units and the memory of one side.
type side struct {
	clock  clock.Clock
	rate   uint64
	units  int
	memory memory.Serializer
}

func newSide(s Side) side {
	return side{s.Clock.Clock, uint64(s.Rate), s.Units, memory.NewSerializer(s.Bandwidth, fine)}
}

// end is when a task that starts now is done: the later of its operations and
// its share of the memory's bandwidth, whose latency is hidden.
func (s *side) end(now uint64, c offload.Cost) (end, busy uint64) {
	cycles := (c.Ops + s.rate - 1) / s.rate
	end = now + fine.Cycles(cycles*s.clock.Num(), s.clock.Den())
	if c.Read > 0 {
		end = max(end, s.memory.Transfer(now, c.Read))
	}
	return end, end - now
}

// ps is a time in cycles of fine, rounded up.
func ps(t units.Time) uint64 { return (uint64(t) + 999) / 1000 }

// newMachine checks that the program fits.
func newMachine(s Spec, p offload.Program) (*machine, error) {
	m := &machine{
		spec: s, program: p, host: newSide(s.Host), device: newSide(s.Device),
		down: memory.NewSerializer(s.Link.Bandwidth, fine), up: memory.NewSerializer(s.Link.Bandwidth, fine),
		mem: ps(s.Link.Mem / 2), io: ps(s.Link.IO / 2), prepare: ps(s.Stream.Prepare),
		fw: fine.Cycles(s.Firmware.In(s.Device.Clock.Clock)*s.Device.Clock.Clock.Num(), s.Device.Clock.Clock.Den()),
	}
	if len(p) == 0 {
		return nil, fmt.Errorf("nothing is offloaded")
	}
	tasks, groups := 0, 0
	for i := range p {
		f := &p[i]
		if f.Tasks > offload.MaxTasks {
			return nil, fmt.Errorf("phase %s has %d tasks (at most %d)", f.Name, f.Tasks, offload.MaxTasks)
		}
		tasks, groups = max(tasks, f.Tasks), max(groups, f.Groups())
		switch {
		case f.Tasks < 1 || f.Result < 1:
			return nil, fmt.Errorf("phase %s has no tasks, or no results", f.Name)
		case f.Units != nil && len(f.Units) != f.Tasks:
			return nil, fmt.Errorf("phase %s has %d tasks and units of %d", f.Name, f.Tasks, len(f.Units))
		case s.Protocol.streams() && m.slots(f) > int64(s.Ring.Slots):
			return nil, fmt.Errorf("a result of phase %s takes %d slots, and the ring has %d", f.Name, m.slots(f), s.Ring.Slots)
		}
	}
	if err := m.tooLong(); err != nil {
		return nil, err
	}
	if s.Link.Flit != "" {
		c, err := s.Link.config(s.seed)
		if err == nil {
			m.wire, err = newWire(m, c)
		}
		if err != nil {
			return nil, err
		}
	}
	m.dev.init(s, tasks)
	m.hst.init(s, groups)
	if s.Protocol.streams() {
		m.prod, m.cons = ring.NewProducer(int64(s.Ring.Slots)), ring.NewConsumer(int64(s.Ring.Slots))
	}
	return m, nil
}

// slots is what a result of a phase takes in the ring.
func (m *machine) slots(f *offload.Phase) int64 {
	return int64((f.Result + uint64(m.spec.Ring.Slot) - 1) / uint64(m.spec.Ring.Slot))
}

// current is the phase that runs.
func (m *machine) current() *offload.Phase { return &m.program[m.phase] }

// start begins at time 0.
func (m *machine) start() { m.begin() }

// next is the time of the next event; false: there is none.
func (m *machine) next() (at uint64, ok bool) {
	if m.failed != nil || m.stage == done {
		return 0, false
	}
	at = never
	if m.events.Len() > 0 {
		at = m.events.First().At
	}
	if m.wire != nil {
		at = min(at, uint64(m.wire.link.Next()))
	}
	return at, at != never
}

// never is later than every time.
const never = uint64(link.Never)

// step does all that happens at a time, which next has named. Tasks that cost
// nothing make further events for it.
func (m *machine) step(now uint64) error {
	m.advance(now)
	for m.failed == nil && m.due(now) {
		for m.events.Due(now) {
			m.do(m.events.Pop().What)
		}
		m.dispatch()
	}
	return m.failed
}

// due lets the link go on to a time, and reports whether there are events.
func (m *machine) due(now uint64) bool {
	if m.wire != nil && m.stage != done && uint64(m.wire.link.Next()) <= now {
		m.wire.link.Run(int64(now))
		if !m.events.Due(now) {
			return false
		}
	}
	return m.events.Due(now)
}

// do handles one event.
func (m *machine) do(e event) {
	switch e.kind {
	case evDeviceStart:
		m.deviceStart()
	case evTask:
		m.taskDone(int(e.unit), e.task)
	case evPrepared:
		m.transmit(int(e.task))
	case evArrived:
		m.arrive(int(e.task))
	case evSeen:
		m.see(int(e.task))
	case evHead:
		m.hear(e.value)
	case evCompleted:
		m.load()
	case evLoaded:
		m.loaded()
	case evHostTask:
		m.hostDone(e.task, e.value)
	case evLine:
		m.wire.answer(uint32(e.value))
	case evFirmware:
		m.plan(m.now+m.fw, event{kind: evDeviceStart})
	case evDoorbell:
		m.ring()
	case evPoll:
		m.poll(e.value)
	case evPolled:
		m.polled(e.value)
	}
}

// begin starts a launch, or its work ahead.
func (m *machine) begin() {
	f := m.current()
	m.dev.reset(f, m.spec.Rounds)
	m.hst.reset(f)
	if m.launch == 0 {
		m.rows = append(m.rows, row{name: f.Name, start: m.now, from: m.acct, counted: m.count})
	}
	m.stage = before
	m.beginKernel(f)
	if f.Before.Tasks == 0 {
		m.send()
	}
	m.dispatch()
}

// send launches the kernel: arguments first, then a store or a doorbell.
func (m *machine) send() {
	f := m.current()
	m.stage = starting
	m.passed("launch")
	m.count.launches++
	if m.wire != nil {
		m.sendLines(f)
		return
	}
	at := m.now
	if f.Argument > 0 {
		at = m.down.Transfer(m.now, f.Argument)
	}
	m.hst.launched = at
	if m.spec.Protocol == RemotePolling {
		at += m.io + m.fw
	} else {
		at += m.mem
	}
	m.plan(at, event{kind: evDeviceStart})
}

// sendLines is send over a link of flits.
func (m *machine) sendLines(f *offload.Phase) {
	n := lines(f.Argument)
	switch {
	case m.spec.Protocol != RemotePolling:
		m.hst.launched = m.now
		m.wire.store(n+1, false, event{kind: evDeviceStart})
		if m.spec.Protocol == BulkSynchronous { // a load that is answered at the end
			m.hst.blocked = m.wire.load(1, event{kind: evCompleted}) + 1
		}
	case n > 0: // CXL.io does not wait for CXL.mem: the host has to
		m.wire.store(n, true, event{kind: evDoorbell})
	default:
		m.ring()
	}
}

// doorbell is the bytes of a doorbell, a poll or its answer.
const doorbell = 4

// ring rings the doorbell, over a link of flits; firmware follows.
func (m *machine) ring() {
	m.hst.launched = m.now
	m.wire.write(flit.Down, doorbell, event{kind: evFirmware})
	m.plan(m.now+ps(m.spec.Remote), event{kind: evPoll, value: int64(m.count.launches)})
}

// poll polls the end of a launch, and schedules the next poll a period later.
func (m *machine) poll(launch int64) {
	if launch != int64(m.count.launches) || m.dev.told {
		return
	}
	m.count.polls++
	m.wire.write(flit.Down, doorbell, event{kind: evPolled, value: launch})
	m.plan(m.now+ps(m.spec.Remote), event{kind: evPoll, value: launch})
}

// polled answers a poll; the first one after the kernel's end reports it to the host.
func (m *machine) polled(launch int64) {
	then := event{kind: evNothing}
	if launch == int64(m.count.launches) && m.dev.over && !m.dev.told {
		m.dev.told = true
		then.kind = evCompleted
	}
	m.wire.write(flit.Up, doorbell, then)
}

// finish ends a launch.
func (m *machine) finish() {
	f := m.current()
	m.tasks.End(m.instant(), m.kernel)
	m.launch++
	if m.launch >= f.Launches() {
		m.rows[len(m.rows)-1].close(m)
		m.launch = 0
		m.phase++
	}
	if m.phase == len(m.program) {
		m.stage = done
		m.events.Clear() // heads on their way change nothing
		return
	}
	m.begin()
}
