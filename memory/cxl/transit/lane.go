package transit

import (
	"github.com/causeway-sim/causeway/components/calendar"
	"github.com/causeway-sim/causeway/components/ring"
)

// A lane is the events of one step. Where all take the same time to it they come in order,
// and stand in a queue; those that come before others in it are kept apart.
type lane struct {
	at    int64 // of the first event, valid unless empty
	order uint64
	last  int64 // of the last in the queue
	queue ring.Of[due]
	early calendar.Of[Event]
}

// due is an event and its time.
type due struct {
	at    int64
	order uint64
	Event
}

func (l *lane) empty() bool { return l.queue.Len() == 0 && l.early.Len() == 0 }

// push puts in an event whose order is higher than all before.
func (l *lane) push(at int64, order uint64, e Event) {
	if l.empty() || at < l.at {
		l.at, l.order = at, order
	}
	if l.queue.Len() > 0 && at < l.last {
		l.early.Push(calendar.Entry[Event]{At: uint64(at), Order: order, What: e})
		return
	}
	l.last = at
	x := l.queue.More()
	x.at, x.order, x.Event = at, order, e
}

// pop takes the first. There must be one.
func (l *lane) pop() (e Event) {
	if l.queue.Len() > 0 && l.queue.At(0).order == l.order {
		e = l.queue.At(0).Event
		l.queue.Drop()
	} else {
		e = l.early.Pop().What
	}
	if l.queue.Len() > 0 {
		x := l.queue.At(0)
		l.at, l.order = x.at, x.order
	}
	if l.early.Len() == 0 {
		return e
	}
	if x := l.early.First(); l.queue.Len() == 0 || int64(x.At) < l.at || int64(x.At) == l.at && x.Order < l.order {
		l.at, l.order = int64(x.At), x.Order
	}
	return e
}
