package engine

import (
	"fmt"
	"sort"

	"github.com/sarchlab/akita/v3/sim"
)

// Handle does the wire's work of one instant, after the primary events: arrivals first, then
// offers, then messages that waited for a full receiver.
func (w *Wire) Handle(ev sim.Event) error {
	if w.own == nil {
		w.mu.Lock() // sim.ParallelEngine may run two events of an instant at once
	}
	w.work(ev)
	if w.own == nil {
		w.mu.Unlock()
	}
	return nil
}

func (w *Wire) work(ev sim.Event) {
	if ev == sim.Event(&w.collect) {
		w.armed = 0
	}
	now := ev.Time()
	w.event++
	if len(w.later.pending) > 0 {
		w.later.expire(now)
	}
	for k := range w.inFlight {
		for b := w.inFlight[k]; b != 0; b &= b - 1 {
			w.arrivals(k<<6+trailing(b), now)
		}
	}
	for k := range w.fresh {
		b := w.fresh[k]
		w.fresh[k] = 0
		for ; b != 0; b &= b - 1 {
			s := k<<6 + trailing(b)
			e := w.ends[s]
			for i := 0; i < len(e.offers); i++ {
				w.launch(s, e.offers[i], now)
			}
			clear(e.offers)
			e.offers = e.offers[:0]
		}
	}
	for k := range w.blocked {
		for b := w.blocked[k]; b != 0; b &= b - 1 {
			w.rotate(k<<6+trailing(b), now)
		}
	}
	for k := range w.denied {
		for b := w.denied[k]; b != 0; b &= b - 1 {
			w.release(k<<6+trailing(b), now)
		}
	}
}

// arrivals delivers the messages that are due at receiver d.
func (w *Wire) arrivals(d int, now sim.VTimeInSec) {
	e := w.ends[d]
	for e.flight.Len() > 0 && e.flight.At(0).at <= now {
		p := e.flight.Pop()
		w.arrive(d, p.src, p.msg, now)
	}
	if e.flight.Len() == 0 {
		w.inFlight.clear(d)
	}
}

// launch sends an offer of source s on its way. When it is seen follows from
// the receiver's clock; see the package documentation.
func (w *Wire) launch(s int, o offer, now sim.VTimeInSec) {
	src, dst := w.ends[s], w.ends[o.dst]
	start, ready, through := now, now, uint64(0)
	if src.out.limited() {
		c := src.cursor.AtOrBefore(now)
		first, end := src.out.take(c, o.msg.Meta().TrafficBytes)
		if first > c {
			start = src.cursor.Time(first)
		}
		if end > c+1 {
			ready = src.cursor.Time(end - 1) // the beginning of the last cycle
		}
	}
	if dst.in.limited() {
		c := dst.cursor.AtOrBefore(start)
		first, end := dst.in.take(c, o.msg.Meta().TrafficBytes)
		if first > c {
			start = dst.cursor.Time(first)
		}
		through = end
	}
	if start > now {
		src.starts.Push(start) // leaves the buffer then, but not before those ahead of it
	} else {
		src.held--
	}
	at := ready
	if through > 0 || dst.opts.Latency > 1 { // else the first cycle after ready sees it
		cycle := max(dst.cursor.After(ready), through) + dst.opts.Latency - 1
		at = max(ready, dst.cursor.Time(cycle-1))
	}
	if w.quantum.on {
		at = w.quantum.delayToMeeting(dst, now, at)
	}
	if at <= now {
		w.arrive(o.dst, s, o.msg, now)
		return
	}
	dst.flight.Push(delivery{o.msg, s, at})
	for i := dst.flight.Len() - 1; i > 0; i-- {
		a, b := dst.flight.At(i-1), dst.flight.At(i)
		if a.at <= b.at {
			break
		}
		*a, *b = *b, *a
	}
	w.inFlight.set(o.dst)
	w.later.at(at)
}

// arrive delivers a message, or queues it if there is no room.
func (w *Wire) arrive(d, s int, m sim.Msg, now sim.VTimeInSec) {
	e := w.ends[d]
	if e.waiting == 0 && w.deliver(e, s, m, now) {
		return
	}
	i := sort.Search(len(e.lanes), func(i int) bool { return e.lanes[i].src >= s })
	if i == len(e.lanes) || e.lanes[i].src != s {
		e.lanes = append(e.lanes, lane{})
		copy(e.lanes[i+1:], e.lanes[i:])
		e.lanes[i] = lane{src: s}
	}
	e.lanes[i].msgs.Push(m)
	e.waiting++
	w.ends[s].held++
	w.blocked.set(d)
}

// deliver puts a message into the port of e, if it fits.
func (w *Wire) deliver(e *end, s int, m sim.Msg, now sim.VTimeInSec) bool {
	if e.fullIn == w.event {
		return false
	}
	m.Meta().RecvTime = now
	var err *sim.SendError
	if e.fast != nil {
		err = e.fast.Recv(m)
	} else {
		err = e.port.Recv(m)
	}
	if err != nil {
		e.fullIn = w.event
		return false
	}
	e.last = s
	if w.own != nil {
		w.own.Progress()
	}
	if w.NumHooks() > 0 {
		w.InvokeHook(sim.HookCtx{Domain: w, Pos: sim.HookPosConnDeliver, Item: m})
	}
	return true
}

// rotate delivers messages that waited for receiver d, one of each source in turn, beginning after
// the source served last.
func (w *Wire) rotate(d int, now sim.VTimeInSec) {
	e := w.ends[d]
	i := sort.Search(len(e.lanes), func(i int) bool { return e.lanes[i].src > e.last })
	for e.waiting > 0 {
		if i >= len(e.lanes) {
			i = 0
		}
		l := &e.lanes[i]
		if l.msgs.Len() > 0 {
			if !w.deliver(e, l.src, *l.msgs.At(0), now) {
				return
			}
			l.msgs.Pop()
			e.waiting--
			w.ends[l.src].held--
		}
		i++
	}
	w.blocked.clear(d)
}

// release notifies source s of room, or sets an alarm for the time when there
// will be some.
func (w *Wire) release(s int, now sim.VTimeInSec) {
	e := w.ends[s]
	e.leave(func(t sim.VTimeInSec) bool { return t <= now })
	if e.held < e.opts.Buffer {
		w.denied.clear(s)
		e.port.NotifyAvailable(now)
	} else if e.starts.Len() > 0 {
		w.later.at(*e.starts.At(0))
	}
}

// Waiting lists the messages that wait for a full receiver.
func (w *Wire) Waiting() []Wait {
	var all []Wait
	for _, d := range w.ends {
		for i := range d.lanes {
			if n := d.lanes[i].msgs.Len(); n > 0 {
				src := w.ends[d.lanes[i].src]
				all = append(all, Wait{ownerOf(src.port), ownerOf(d.port),
					fmt.Sprintf("%d messages from %s find no room in %s", n, src.port.Name(), d.port.Name())})
			}
		}
	}
	return all
}

// ownerOf returns the name of the component that owns a port.
func ownerOf(p sim.Port) string {
	if c := p.Component(); c != nil {
		return c.Name()
	}
	return p.Name()
}
