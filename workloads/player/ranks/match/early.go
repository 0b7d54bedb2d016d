package match

import "iter"

// keep puts a message among those that have no receive.
func (x *Matcher[M, R]) keep(k Key, m M) {
	i := x.unused
	if i == 0 {
		x.messages = append(x.messages, message[M]{})
		i = int32(len(x.messages) - 1)
	} else {
		x.unused = x.messages[i].next
	}
	l, same := &x.of[k.To], x.early[k]
	x.messages[i] = message[M]{key: k, what: m, prev: l.last}
	if l.last == 0 {
		l.first = i
	} else {
		x.messages[l.last].next = i
	}
	l.last = i
	if same.first == 0 {
		same.first = i
	} else {
		x.messages[same.last].below = i
	}
	same.last = i
	x.early[k] = same
	x.count++
	x.most = max(x.most, x.count)
}

// remove takes away the oldest message of its key.
func (x *Matcher[M, R]) remove(i int32) {
	m := x.messages[i]
	l := &x.of[m.key.To]
	if m.prev == 0 {
		l.first = m.next
	} else {
		x.messages[m.prev].next = m.next
	}
	if m.next == 0 {
		l.last = m.prev
	} else {
		x.messages[m.next].prev = m.prev
	}
	if m.below == 0 {
		delete(x.early, m.key)
	} else {
		x.early[m.key] = list{m.below, x.early[m.key].last}
	}
	x.messages[i] = message[M]{next: x.unused}
	x.unused = i
	x.count--
}

// Messages iterates over the waiting messages to a rank, the oldest first.
func (x *Matcher[M, R]) Messages(rank int32) iter.Seq[M] {
	return func(yield func(M) bool) {
		for i := x.of[rank].first; i != 0; i = x.messages[i].next {
			if !yield(x.messages[i].what) {
				return
			}
		}
	}
}
