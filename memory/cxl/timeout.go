package cxl

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// A watch is a line whose answer is waited for.
type watch struct {
	at   int64 // when no longer
	line int32
	turn uint32 // of the line's place, which others use later
}

// watches is a queue; all wait equally long, so that the first is due first.
type watches struct {
	list []watch
	head int
}

func (w *watches) push(x watch) {
	if w.head > 64 && 2*w.head > len(w.list) {
		w.list, w.head = w.list[:copy(w.list, w.list[w.head:])], 0
	}
	w.list = append(w.list, x)
}

// next is when the first is due that still waits.
func (w *watches) next(lines []line) int64 {
	for w.head < len(w.list) {
		x := w.list[w.head]
		if l := &lines[x.line]; l.turn == x.turn && !l.done {
			return x.at
		}
		w.head++
	}
	return link.Never
}

// watch begins to wait for a line's answer.
func (r *Root) watch(l *line, i int32, t int64) {
	if r.times.timeout > 0 {
		r.watches.push(watch{t + r.times.timeout, i, l.turn})
	}
}

// expire gives up the lines that are due at t.
func (r *Root) expire(f *fabric, t int64) {
	for r.watches.next(f.lines) <= t {
		i := r.watches.list[r.watches.head].line
		r.watches.head++
		l := &f.lines[i]
		l.done = true
		r.open--
		if r.spec.Throttle {
			r.paces[l.ld].under--
		}
		r.count.expired[kind(l.write)]++
		if l.lost {
			r.lost[l.where]--
		}
		q := &f.requests[l.request]
		q.failed = true
		if q.left--; q.left == 0 {
			r.answers = append(r.answers, l.request)
		}
		f.end(i)
	}
	r.issue(f, t)
}

// lossStats are metrics of roots in a fabric that may lose links.
func (r *Root) lossStats() {
	c, g := &r.count, r.stats
	g.Count("lines_lost", stats.One, "Lines that were lost with a link, or for which no way was left.", &c.lost)
	if r.times.timeout == 0 {
		return
	}
	g.Count("reads_timed_out", stats.One, "Lines of reads without an answer in time: poison. They are in no other metric of lines.", &c.expired[0])
	g.Count("writes_timed_out", stats.One, "Lines of writes without an answer in time. They are in no other metric of lines.", &c.expired[1])
	g.Count("late_lines", stats.One, "Lines whose answer came when the host had given them up.", &c.late)
	g.Count("requests_failed", stats.Request, "Requests with lines that had no answer in time.", &c.failed)
	g.Check("every line is answered or given up, and lost or late if it is given up", func() error {
		done, expired := c.lines[0]+c.lines[1], c.expired[0]+c.expired[1]
		if c.issued != done+expired {
			return fmt.Errorf("%d lines issued, %d answered, %d given up", c.issued, done, expired)
		}
		if expired != c.lost+c.late {
			return fmt.Errorf("%d lines given up, %d lost, %d late", expired, c.lost, c.late)
		}
		return nil
	})
}

// timedOut is the failure of a request.
func timedOut(msg sim.Msg, from sim.Port, now sim.VTimeInSec) *memory.ErrorRsp {
	m := msg.Meta()
	e := &memory.ErrorRsp{RespondTo: m.ID, Code: memory.Timeout}
	e.ID, e.Src, e.Dst, e.SendTime = m.ID+".failed", from, m.Src, now
	return e
}
