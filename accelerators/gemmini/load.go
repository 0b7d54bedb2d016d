package gemmini

import "github.com/causeway-sim/causeway/components/integer"

// loadCommands in flight of a DMA engine.
func (m *Machine) commandsInFlight() int { return m.InFlight/m.Dim + 1 }

// A loader is the load controller and the read engine.
type loader struct {
	queue fifo
	row   int  // of the command at the head
	ended bool // the head is done; the controller looks for the next in the coming cycle
	open  bool
	track []tracked
	rows  []readRow
	// requests by number
	requests [64]request
	inFlight int
	zeros    int // the row of zeros being written, 0: none
	zeroCmd  int
}

// A tracked command is in flight.
type tracked struct{ at, bytes int }

// A readRow is a row of a load that waits for the read engine.
type readRow struct {
	addr  int64
	bytes int
	cmd   int
	local int // row of the scratchpad
}

// A request is out.
type request struct {
	used             bool
	size, bytes, cmd int
	local            int
}

// readRows is the queue between the load controller and the read engine.
const readRows = 5

// cyclesToScratchpad: from the last beat of an answer to the write of its last row.
const cyclesToScratchpad = 5

// loadRows lets the controller hand one row over.
func (s *sim) loadRows() {
	l := &s.load
	if l.ended {
		l.ended = false
		s.changed = true
		return
	}
	if l.queue.Len() == 0 {
		return
	}
	at := *l.queue.At(0)
	c := &s.station.entries[qLoad][at]
	if !l.open {
		if len(l.track) >= s.m.commandsInFlight() {
			return
		}
		l.track = append(l.track, tracked{at, c.rows * c.bytes})
		l.open, l.row = true, 0
		s.changed = true
	}
	if c.zero {
		if l.zeros > 0 {
			return
		}
		l.zeros, l.zeroCmd = c.bytes, at
		wide := c.bytes
		if c.first.lo >= accumulatorAt {
			wide = integer.Ceil(wide, 4)
		} else {
			s.stall(s.bank(c.first.lo), 1)
		}
		s.events.push(s.now+int64(integer.Ceil(wide, s.m.Dim)), evZeros, 0)
	} else {
		if len(l.rows) >= readRows {
			return
		}
		l.rows = append(l.rows, readRow{c.addr + int64(l.row)*int64(c.stride), c.bytes, at, c.first.lo + l.row})
	}
	s.changed = true
	if l.row++; l.row == c.rows {
		l.open = false
		l.ended = c.rows == 1
		l.queue.Pop()
	}
}

// read lets the read engine send one request.
func (s *sim) read() {
	l := &s.load
	if len(l.rows) == 0 || l.inFlight >= s.m.InFlight {
		return
	}
	r := &l.rows[0]
	size, bytes := s.m.packet(r.addr, r.bytes)
	at := 0
	for l.requests[at].used {
		at++
	}
	l.requests[at] = request{true, size, bytes, r.cmd, r.local}
	l.inFlight++
	s.out.Read += int64(size)
	s.answers.push(s.mem.access(s.now, r.addr, size, false), evAnswer, at)
	r.addr += int64(bytes)
	r.bytes -= bytes
	if r.bytes == 0 {
		l.rows = append(l.rows[:0], l.rows[1:]...)
	}
	s.changed = true
}

// packet is the aligned request that covers the most of some bytes, and how many that are.
func (m *Machine) packet(addr int64, bytes int) (size, covered int) {
	for n := m.BusBytes; n <= m.MaxBytes; n *= 2 {
		if c := min(n-int(addr%int64(n)), bytes); c > covered {
			size, covered = n, c
		}
	}
	return size, covered
}

// arrived: the engine may send another request; the rows go on to the scratchpad.
func (s *sim) arrived(at int) {
	s.load.inFlight--
	s.events.push(s.now+cyclesToScratchpad, evWritten, at)
}

func (s *sim) rowsWritten(at int) {
	r := &s.load.requests[at]
	r.used = false
	s.stall(s.bank(r.local), integer.Ceil(r.bytes, s.m.Dim))
	s.loaded(r.cmd, r.bytes)
}

func (s *sim) zerosWritten() {
	l := &s.load
	n := l.zeros
	l.zeros = 0
	s.loaded(l.zeroCmd, n)
}

// loaded counts bytes of a command that stand in the scratchpad.
func (s *sim) loaded(cmd, bytes int) {
	l := &s.load
	for i := range l.track {
		if t := &l.track[i]; t.at == cmd {
			if t.bytes -= bytes; t.bytes == 0 {
				s.done[qLoad].Push(cmd)
				l.track = append(l.track[:i], l.track[i+1:]...)
			}
			return
		}
	}
	panic("gemmini: bytes of a load that is not in flight")
}
