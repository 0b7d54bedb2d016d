package match

import (
	"iter"

	"github.com/causeway-sim/causeway/workloads/comm"
)

// A Key holds the values by which a message and a receive match. From and Tag of a receive may be
// comm.AnySource and comm.AnyTag.
type Key struct {
	To, From int32
	Tag      int64
	Group    int32
}

func (k Key) wild() bool { return k.From == comm.AnySource || k.Tag == comm.AnyTag }

// takes reports whether a receive of key k takes a message of key m.
func (k Key) takes(m Key) bool {
	return (k.From == comm.AnySource || k.From == m.From) && (k.Tag == comm.AnyTag || k.Tag == m.Tag) && k.Group == m.Group
}

// A Matcher matches messages M and receives R. A message goes to the oldest matching receive, a
// receive gets the oldest matching message.
type Matcher[M, R any] struct {
	receives []receive[R] // 0 is never used
	free     int32        // of receives
	order    uint64
	exact    map[Key]list // receives without wildcards
	wild     []list       // of each rank: those with

	messages []message[M] // 0 is never used
	unused   int32        // of messages
	early    map[Key]list // messages without a receive, by below
	of       []list       // those of each rank, by next
	count    int          // of early messages
	most     int
}

// A list has its first and last entry, 0 if it is empty.
type list struct{ first, last int32 }

// A receive waits for its message. Its order is 0 if it is not in use.
type receive[R any] struct {
	key   Key
	what  R
	order uint64
	next  int32 // of equal key, or of the rank's with a wildcard; 0 ends
}

// A message waits for its receive.
type message[M any] struct {
	key        Key
	what       M
	next, prev int32 // of its rank
	below      int32 // of its key
}

// New makes a matcher for a number of ranks.
func New[M, R any](ranks int) *Matcher[M, R] {
	return &Matcher[M, R]{
		receives: make([]receive[R], 1), exact: map[Key]list{}, wild: make([]list, ranks),
		messages: make([]message[M], 1), early: map[Key]list{}, of: make([]list, ranks),
	}
}

// Early is the number of messages that wait for a receive.
func (x *Matcher[M, R]) Early() int { return x.count }

// Most is the maximum of Early so far.
func (x *Matcher[M, R]) Most() int { return x.most }

// Post removes and returns the oldest message that matches a receive. If there is none the receive
// is kept.
func (x *Matcher[M, R]) Post(k Key, r R) (m M, ok bool) {
	if i := x.waiting(k); i != 0 {
		m = x.messages[i].what
		x.remove(i)
		return m, true
	}
	x.order++
	i := x.free
	if i == 0 {
		x.receives = append(x.receives, receive[R]{})
		i = int32(len(x.receives) - 1)
	} else {
		x.free = x.receives[i].next
	}
	x.receives[i] = receive[R]{key: k, what: r, order: x.order}
	if k.wild() {
		x.wild[k.To] = x.append(x.wild[k.To], i)
	} else {
		x.exact[k] = x.append(x.exact[k], i)
	}
	return m, false
}

func (x *Matcher[M, R]) append(q list, i int32) list {
	if q.first == 0 {
		return list{i, i}
	}
	x.receives[q.last].next = i
	q.last = i
	return q
}

// waiting is the oldest message for a receive, 0 if there is none.
func (x *Matcher[M, R]) waiting(k Key) int32 {
	if !k.wild() {
		return x.early[k].first
	}
	i := x.of[k.To].first
	for i != 0 && !k.takes(x.messages[i].key) {
		i = x.messages[i].next
	}
	return i
}

// Arrive removes and returns the oldest receive that matches a message. If there is none the
// message is kept.
func (x *Matcher[M, R]) Arrive(k Key, m M) (r R, ok bool) {
	exact := x.exact[k]
	before, i := int32(0), x.wild[k.To].first
	for i != 0 && !x.receives[i].key.takes(k) {
		before, i = i, x.receives[i].next
	}
	switch {
	case exact.first == 0 && i == 0:
		x.keep(k, m)
		return r, false
	case exact.first != 0 && (i == 0 || x.receives[exact.first].order < x.receives[i].order):
		i = exact.first
		if exact.first = x.receives[i].next; exact.first == 0 {
			delete(x.exact, k)
		} else {
			x.exact[k] = exact
		}
	default:
		q := &x.wild[k.To]
		if before == 0 {
			q.first = x.receives[i].next
		} else {
			x.receives[before].next = x.receives[i].next
		}
		if q.last == i {
			q.last = before
		}
	}
	r = x.receives[i].what
	x.receives[i] = receive[R]{next: x.free}
	x.free = i
	return r, true
}

// Posted iterates over the waiting receives of all ranks.
func (x *Matcher[M, R]) Posted() iter.Seq2[Key, R] {
	return func(yield func(Key, R) bool) {
		for i := range x.receives {
			if r := &x.receives[i]; r.order > 0 && !yield(r.key, r.what) {
				return
			}
		}
	}
}
