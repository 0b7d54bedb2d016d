package gemmini

// maxEntries is the most commands of a queue in the reservation station.
const maxEntries = 32

// An entry is a command in the reservation station. Bits of wait are commands of the other queues
// that must complete first.
type entry struct {
	command
	valid, issued bool
	age           int64
	wait          [queues]uint32
}

// A station holds commands until what they depend on is done. Commands of a queue are issued in
// order.
type station struct {
	entries [queues][maxEntries]entry
	size    [queues]int
	order   [queues]fifo // entries that are not issued
	count   int
	age     int64
}

// put takes a command in; it says whether there was a place.
func (s *station) put(c *command) bool {
	q := c.queue
	at := -1
	for i := 0; i < s.size[q]; i++ {
		if !s.entries[q][i].valid {
			at = i
			break
		}
	}
	if at < 0 {
		return false
	}
	e := &s.entries[q][at]
	s.age++
	*e = entry{command: *c, valid: true, age: s.age}
	if c.op != opConfig {
		s.depend(e)
	}
	s.order[q].Push(at)
	s.count++
	return true
}

// depend finds what a command waits for: a load for readers and writers of its rows, a preload or
// compute for loads of what it reads and, where it writes, for stores; a store for writers.
func (s *station) depend(e *entry) {
	for q := range s.entries {
		if uint8(q) == e.queue {
			continue
		}
		for i := 0; i < s.size[q]; i++ {
			o := &s.entries[q][i]
			if !o.valid || o.op == opConfig {
				continue
			}
			hit := e.first.overlaps(o.first)
			switch {
			case e.queue == qLoad:
				hit = hit || e.first.overlaps(o.second)
			case e.queue == qExecute && q == qLoad:
				hit = hit || e.second.overlaps(o.first)
			case e.queue == qExecute:
				hit = hit && e.op == opPreload
			case q == qExecute:
				hit = hit && o.op == opPreload
			}
			if hit {
				e.wait[q] |= 1 << i
			}
		}
	}
}

// next is the command of a queue that may be issued, -1 for none.
func (s *station) next(q int) int {
	r := &s.order[q]
	if r.Len() == 0 {
		return -1
	}
	at := *r.At(0)
	if s.entries[q][at].wait != [queues]uint32{} {
		return -1
	}
	return at
}

// issue marks it so.
func (s *station) issue(q int) {
	at := s.order[q].Pop()
	s.entries[q][at].issued = true
}

// complete frees an entry.
func (s *station) complete(q, at int) {
	s.entries[q][at].valid = false
	s.count--
	bit := uint32(1) << at
	for o := range s.entries {
		if o == q {
			continue
		}
		for i := 0; i < s.size[o]; i++ {
			s.entries[o][i].wait[q] &^= bit
		}
	}
}
