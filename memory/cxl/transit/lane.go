package transit

import "github.com/causeway-sim/causeway/memory/cxl/link"

// A lane is the events of one step. Events of equal delay are in order, in a queue; those earlier
// than many others are kept apart.
type lane struct {
	queue []due // a ring; its length is a power of two
	head  int   // of n in the queue
	n     int
	early heap
	apart bool // the first is in early
}

// due is an event and its time.
type due struct {
	at    int64
	order order
	Event
}

// before reports whether an event happens before another.
func (x *due) before(y *due) bool { return x.at < y.at || x.at == y.at && x.order.before(y.order) }

// queued is the i-th in the queue.
func (l *lane) queued(i int) *due { return &l.queue[(l.head+i)&(len(l.queue)-1)] }

// first is the one in front. There must be one.
func (l *lane) first() *due {
	if l.apart {
		return &l.early[0]
	}
	return l.queued(0)
}

// passes is how many others an event may pass in the queue.
const passes = 4

// push puts in an event, and reports whether it is the first.
func (l *lane) push(at int64, o order, e Event) (first bool) {
	if l.n == len(l.queue) {
		l.grow()
	}
	if l.n > 0 {
		last := l.queued(l.n - 1)
		if at < last.at || at == last.at && o.before(last.order) {
			return l.pass(&due{at, o, e})
		}
	}
	x := l.queued(l.n)
	x.at, x.order, x.Event = at, o, e
	if l.n++; l.n > 1 {
		return false
	}
	l.apart = len(l.early) > 0 && l.early[0].before(x)
	return !l.apart
}

// pass puts in an event before the last of the queue, which has room.
func (l *lane) pass(x *due) (first bool) {
	k := l.n
	for k > 0 && x.before(l.queued(k-1)) {
		if k--; l.n-k > passes {
			l.early.push(*x)
			first = l.early[0] == *x && x.before(l.queued(0))
			l.apart = l.apart || first
			return first
		}
	}
	for i := l.n; i > k; i-- {
		*l.queued(i) = *l.queued(i - 1)
	}
	*l.queued(k) = *x
	l.n++
	if k > 0 {
		return false
	}
	l.apart = len(l.early) > 0 && l.early[0].before(x)
	return !l.apart
}

func (l *lane) grow() {
	queue := make([]due, max(16, 2*len(l.queue)))
	for i := range l.n {
		queue[i] = *l.queued(i)
	}
	l.queue, l.head = queue, 0
}

// pop takes the first, and returns when the next is to happen. There must be one.
func (l *lane) pop() (e Event, next int64) {
	if len(l.early) > 0 {
		return l.popApart()
	}
	e = l.queued(0).Event
	l.head = (l.head + 1) & (len(l.queue) - 1)
	if l.n--; l.n == 0 {
		return e, link.Never
	}
	return e, l.queued(0).at
}

// popApart is pop where some events are kept apart.
func (l *lane) popApart() (e Event, next int64) {
	if l.apart {
		e = l.early.pop().Event
	} else {
		e = l.queued(0).Event
		l.head = (l.head + 1) & (len(l.queue) - 1)
		l.n--
	}
	if l.apart = len(l.early) > 0 && (l.n == 0 || l.early[0].before(l.queued(0))); l.apart {
		return e, l.early[0].at
	}
	if l.n == 0 {
		return e, link.Never
	}
	return e, l.queued(0).at
}

// heap is events, the first in front.
type heap []due

func (h *heap) push(x due) {
	*h = append(*h, x)
	s := *h
	i := len(s) - 1
	for i > 0 && x.before(&s[(i-1)/2]) {
		s[i] = s[(i-1)/2]
		i = (i - 1) / 2
	}
	s[i] = x
}

// pop takes the first. There must be one.
func (h *heap) pop() due {
	s := *h
	top, n := s[0], len(s)-1
	x := s[n]
	s = s[:n]
	*h = s
	if n == 0 {
		return top
	}
	i := 0
	for {
		k := 2*i + 1
		if k >= n {
			break
		}
		if k+1 < n && s[k+1].before(&s[k]) {
			k++
		}
		if !s[k].before(&x) {
			break
		}
		s[i] = s[k]
		i = k
	}
	s[i] = x
	return top
}
