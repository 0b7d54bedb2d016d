package ranks

import "github.com/causeway-sim/causeway/workloads/comm"

// A key is what a message and a receive agree on.
type key struct {
	to, from int32
	tag      int64
	group    int32
}

// A posted receive waits for its message.
type posted struct {
	key
	at    token
	order uint64
	next  int32 // of equal key, or of the rank's with a wildcard; 0 ends
}

// A matcher brings messages and receives together, in the order that both came.
type matcher struct {
	receives []posted // 0 is never used
	free     int32
	order    uint64
	exact    map[key]queue    // receives without wildcards
	wild     []queue          // of each rank: those with
	early    map[key]*Message // messages without a receive, the oldest of each key
	late     map[key]*Message // and the youngest
	of       []messages       // those of each rank, in order
	count    int              // of early messages
	most     int
}

// A queue is a list of receives.
type queue struct{ first, last int32 }

// messages is a list of messages.
type messages struct{ first, last *Message }

func newMatcher(ranks int) *matcher {
	return &matcher{
		receives: make([]posted, 1), exact: map[key]queue{}, wild: make([]queue, ranks),
		early: map[key]*Message{}, late: map[key]*Message{}, of: make([]messages, ranks),
	}
}

func keyOf(m *Message) key { return key{m.To, m.From, m.Tag, m.Group} }

// fits reports whether a receive takes a message of key k.
func (p *posted) fits(k key) bool {
	return (p.from == comm.AnySource || p.from == k.from) && (p.tag == comm.AnyTag || p.tag == k.tag) && p.group == k.group
}

func (k key) wild() bool { return k.from == comm.AnySource || k.tag == comm.AnyTag }

// post adds a receive, and returns the message that was there before it, or nil.
func (x *matcher) post(k key, at token) *Message {
	if m := x.waiting(k); m != nil {
		x.remove(m)
		return m
	}
	x.order++
	i := x.free
	if i == 0 {
		x.receives = append(x.receives, posted{})
		i = int32(len(x.receives) - 1)
	} else {
		x.free = x.receives[i].next
	}
	x.receives[i] = posted{key: k, at: at, order: x.order}
	if k.wild() {
		x.wild[k.to] = x.append(x.wild[k.to], i)
	} else {
		x.exact[k] = x.append(x.exact[k], i)
	}
	return nil
}

func (x *matcher) append(q queue, i int32) queue {
	if q.first == 0 {
		return queue{i, i}
	}
	x.receives[q.last].next = i
	q.last = i
	return q
}

// waiting is the oldest message for a receive.
func (x *matcher) waiting(k key) *Message {
	if !k.wild() {
		return x.early[k]
	}
	p := posted{key: k}
	for m := x.of[k.to].first; m != nil; m = m.next {
		if p.fits(keyOf(m)) {
			return m
		}
	}
	return nil
}

// arrive finds the oldest receive for a message. Without one the message is kept.
func (x *matcher) arrive(m *Message) (token, bool) {
	k := keyOf(m)
	exact := x.exact[k]
	before, i := int32(0), x.wild[k.to].first
	for i != 0 && !x.receives[i].fits(k) {
		before, i = i, x.receives[i].next
	}
	switch {
	case exact.first == 0 && i == 0:
		x.keep(m, k)
		return token{}, false
	case exact.first != 0 && (i == 0 || x.receives[exact.first].order < x.receives[i].order):
		i = exact.first
		if exact.first = x.receives[i].next; exact.first == 0 {
			delete(x.exact, k)
		} else {
			x.exact[k] = exact
		}
	default:
		q := &x.wild[k.to]
		if before == 0 {
			q.first = x.receives[i].next
		} else {
			x.receives[before].next = x.receives[i].next
		}
		if q.last == i {
			q.last = before
		}
	}
	at := x.receives[i].at
	x.receives[i].next, x.free = x.free, i
	return at, true
}

func (x *matcher) keep(m *Message, k key) {
	l := &x.of[k.to]
	m.next, m.prev, m.below = nil, l.last, nil
	if l.last == nil {
		l.first = m
	} else {
		l.last.next = m
	}
	l.last = m
	if y := x.late[k]; y != nil {
		y.below = m
	} else {
		x.early[k] = m
	}
	x.late[k] = m
	x.count++
	x.most = max(x.most, x.count)
}

// remove takes away the oldest message of its key.
func (x *matcher) remove(m *Message) {
	k := keyOf(m)
	l := &x.of[k.to]
	if m.prev == nil {
		l.first = m.next
	} else {
		m.prev.next = m.next
	}
	if m.next == nil {
		l.last = m.prev
	} else {
		m.next.prev = m.prev
	}
	if m.below == nil {
		delete(x.early, k)
		delete(x.late, k)
	} else {
		x.early[k] = m.below
	}
	x.count--
}
