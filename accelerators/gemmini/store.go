package gemmini

import "github.com/causeway-sim/causeway/components/integer"

// A storer is the store controller and the write engine.
type storer struct {
	queue    fifo
	row      int
	block    int
	rows     []writeRow
	inFlight int
	free     int64 // the engine has sent its beats
	sent     int   // bytes of the row at the head
}

// A writeRow is a block of a row on its way from the accumulators through the scaling unit.
type writeRow struct {
	at    int64
	addr  int64
	bytes int
	last  bool // the blocks so far are written together
}

const (
	// scaling is cycles from the read of an accumulator to the write engine: the bank, the queues
	// before and after the scaling unit, and the unit.
	scaling = 8
	// writeRows is rows that these hold.
	writeRows = 17
)

// dispatch reads one block of a row.
func (s *sim) dispatch() {
	t := &s.store
	if t.queue.Len() == 0 || len(t.rows) >= writeRows {
		return
	}
	at := *t.queue.At(0)
	c := &s.station.entries[qStore][at]
	blocks := integer.Ceil(c.bytes, s.m.Dim)
	last := t.block == blocks-1
	t.rows = append(t.rows, writeRow{s.now + scaling, c.addr + int64(t.row)*int64(c.stride), c.bytes, last})
	s.changed = true
	if t.block++; !last {
		return
	}
	t.block = 0
	if t.row++; t.row == c.rows {
		t.row = 0
		t.queue.Pop()
		s.done[qStore].Push(at)
	}
}

// write lets the write engine take a block, and send a request once it has a whole row.
func (s *sim) write() {
	t := &s.store
	if len(t.rows) == 0 || t.rows[0].at > s.now || t.free > s.now {
		return
	}
	r := &t.rows[0]
	if !r.last {
		t.rows = append(t.rows[:0], t.rows[1:]...)
		s.changed = true
		return
	}
	if t.inFlight >= s.m.InFlight {
		return
	}
	size, bytes := s.m.packet(r.addr+int64(t.sent), r.bytes-t.sent)
	t.inFlight++
	t.free = s.now + int64(integer.Ceil(size, s.m.BusBytes))
	s.events.push(t.free, evWriter, 0)
	s.out.Written += int64(bytes)
	s.answers.push(s.mem.access(t.free-1, r.addr+int64(t.sent), bytes, true), evAcked, 0)
	if t.sent += bytes; t.sent == r.bytes {
		t.sent = 0
		t.rows = append(t.rows[:0], t.rows[1:]...)
	}
	s.changed = true
}
