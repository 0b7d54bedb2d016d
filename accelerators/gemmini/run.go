package gemmini

import (
	"iter"

	"github.com/causeway-sim/causeway/components/integer"
	"github.com/causeway-sim/causeway/components/ring"
)

// A Result is what a run took.
type Result struct {
	Cycles int64
	// Busy is cycles in which the array takes rows.
	Busy int64
	// Loops and Commands done.
	Loops, Commands int64
	// Read and Written are bytes between the accelerator and the shared cache.
	Read, Written int64
	// Hits and Misses of the shared cache, and lines written back.
	Hits, Misses, WrittenBack int64
}

// A sim is one run.
type sim struct {
	m       *Machine
	now     int64
	changed bool
	events  heap
	cpu     processor
	unroll  unroller
	pipe    ring.Of[piped] // commands on their way to the station
	station station
	done    [queues]fifo // completed commands, one of which is told per cycle
	load    loader
	store   storer
	exec    executor
	mem     *shared
	answers heap // of the shared cache, by the cycle in which they are ready
	free    int64
	out     Result

	// what skip knows
	within  bool
	last    mark
	scratch []int64
	sorted  []event
	every   bool // carry out every cycle
}

// A piped command arrives at the station at a cycle.
type piped struct {
	command
	at int64
}

// A fifo is a queue of entries of the station.
type fifo = ring.Of[int]

// A processor gives loops to the accelerator.
type processor struct {
	next  func() (Loop, bool)
	loop  Loop
	has   bool
	ready int64
}

// Cycles from a state machine to the station: two stages of its own and, for a convolution, the queues that follow.
const (
	convPipe   = 4
	matmulPipe = 1
)

func run(m *Machine, p Program, mem *shared) Result { return newSim(m, mem).run(p) }

func newSim(m *Machine, mem *shared) *sim {
	s := &sim{m: m, mem: mem}
	s.unroll.m = m
	s.station.size = [queues]int{m.Loads, m.Executes, m.Stores}
	return s
}

func (s *sim) run(p Program) Result {
	next, stop := iter.Pull(p.Loops)
	defer stop()
	s.cpu.next = next
	s.cpu.ready = int64(p.Start)
	s.cpu.loop, s.cpu.has = next()
	for !s.finished() {
		s.changed = false
		s.cycle()
		if s.changed {
			if !s.every {
				s.skip()
			}
			s.now++
			continue
		}
		s.now = s.wake()
	}
	s.out.Cycles = s.now
	s.out.Hits, s.out.Misses, s.out.WrittenBack = s.mem.hits, s.mem.missed, s.mem.written
	return s.out
}

func (s *sim) finished() bool {
	return !s.cpu.has && s.unroll.empty() && s.pipe.Len() == 0 && s.station.count == 0 && len(s.events.e) == 0 && len(s.answers.e) == 0 && len(s.store.rows) == 0
}

// wake is the next cycle in which something may happen.
func (s *sim) wake() int64 {
	t := int64(1) << 62
	if len(s.events.e) > 0 {
		t = s.events.e[0].at
	}
	if len(s.answers.e) > 0 {
		t = min(t, max(s.answers.e[0].at, s.free))
	}
	if s.cpu.has && s.cpu.ready > s.now {
		t = min(t, s.cpu.ready)
	}
	if s.pipe.Len() > 0 && s.pipe.At(0).at > s.now {
		t = min(t, s.pipe.At(0).at)
	}
	for i := range s.unroll.units {
		if x := &s.unroll.units[i]; x.busy && x.after > s.now {
			t = min(t, x.after)
		}
	}
	if len(s.store.rows) > 0 && s.store.rows[0].at > s.now {
		t = min(t, s.store.rows[0].at)
	}
	if t == 1<<62 {
		panic("gemmini: nothing is left to happen, and the program is not done")
	}
	return max(t, s.now+1)
}

// cycle lets every part of the machine act once, the last of the pipeline first, so that what one
// hands over is seen by the next a cycle later.
func (s *sim) cycle() {
	s.answer()
	for len(s.events.e) > 0 && s.events.e[0].at <= s.now {
		e := s.events.pop()
		s.changed = true
		s.event(e)
	}
	s.complete()
	s.execute()
	s.write()
	s.dispatch()
	s.read()
	s.loadRows()
	s.issue()
	s.allocate()
	if c, ok := s.unroll.send(s.now); ok {
		s.changed = true
		delay := int64(matmulPipe)
		if s.convNow() {
			delay = convPipe
		}
		s.pipe.Push(piped{c, s.now + delay})
	}
	if s.unroll.start(s.now) {
		s.changed = true
	}
	s.configure()
}

func (s *sim) convNow() bool { return s.unroll.slots[s.unroll.head].loop.IsConv }

// answer lets the shared cache send an answer: one beat per cycle.
func (s *sim) answer() {
	if s.free > s.now || len(s.answers.e) == 0 || s.answers.e[0].at > s.now {
		return
	}
	e := s.answers.pop()
	s.changed = true
	if e.what == evAcked {
		s.free = s.now + 1
		s.events.push(s.now+1, evAcked, 0)
		return
	}
	r := &s.load.requests[e.arg]
	s.free = s.now + int64(integer.Ceil(r.size, s.m.BusBytes))
	s.events.push(s.free, evArrived, e.arg)
}

func (s *sim) event(e event) {
	switch e.what {
	case evArrived:
		s.arrived(e.arg)
	case evWritten:
		s.rowsWritten(e.arg)
	case evZeros:
		s.zerosWritten()
	case evAcked:
		s.store.inFlight--
	case evFired:
		s.fired()
	case evTag:
		s.exec.tags--
	case evResult:
		s.done[qExecute].Push(e.arg)
	}
}

// complete tells the station of one completed command.
func (s *sim) complete() {
	for _, q := range [queues]int{qExecute, qLoad, qStore} {
		if s.done[q].Len() > 0 {
			s.finish(q, s.done[q].Pop())
			return
		}
	}
}

func (s *sim) finish(q, at int) {
	s.station.complete(q, at)
	s.unroll.used[q]--
	s.out.Commands++
	s.changed = true
}

// issue hands one command of each queue to its controller.
func (s *sim) issue() {
	for q := 0; q < queues; q++ {
		at := s.station.next(q)
		if at < 0 {
			continue
		}
		var queue *fifo
		var size int
		switch q {
		case qLoad:
			queue, size = &s.load.queue, s.m.LoadQueue
		case qExecute:
			queue, size = &s.exec.queue, s.m.ExecuteQueue
		case qStore:
			queue, size = &s.store.queue, s.m.StoreQueue
		}
		if queue.Len() >= size {
			continue
		}
		s.station.issue(q)
		s.changed = true
		if s.station.entries[q][at].op == opConfig {
			s.finish(q, at)
			continue
		}
		queue.Push(at)
	}
}

func (s *sim) allocate() {
	if s.pipe.Len() == 0 || s.pipe.At(0).at > s.now || !s.station.put(&s.pipe.At(0).command) {
		return
	}
	s.pipe.Pop()
	s.changed = true
}

// configure lets the processor give its next loop to a free slot.
func (s *sim) configure() {
	if !s.cpu.has || s.cpu.ready > s.now {
		return
	}
	to := s.unroll.free()
	if to == nil {
		return
	}
	*to = slot{loop: s.cpu.loop, configured: true}
	s.out.Loops++
	s.changed = true
	s.cpu.loop, s.cpu.has = s.cpu.next()
	s.cpu.ready = s.now + int64(s.m.Software.Loop)
}
