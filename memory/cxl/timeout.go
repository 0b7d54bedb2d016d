package cxl

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// await begins to wait for a line's answer.
func (r *Root) await(l *transit.Line, i int32, t int64) {
	if r.times.timeout > 0 {
		r.watches.push(watch{t + r.times.timeout, i, l.Turn})
		r.fabric.After.(*timeouts).deadlines.Set(r.watcher, r.watches.next(&r.fabric.Lines))
	}
}

// expire gives up the lines that are due at t.
func (r *Root) expire(t int64) {
	f := r.fabric
	for r.watches.next(&f.Lines) <= t {
		i := r.watches.list[r.watches.head].line
		r.watches.head++
		l := f.Lines.At(i)
		r.open--
		if r.throttles != nil {
			r.throttles[l.LD].GiveUp()
		}
		if r.count.expired == [2]uint64{} {
			r.count.expiredAt = t
		}
		r.count.expired[kind(l.Write)]++
		if l.Lost {
			r.lost[l.Where]--
		}
		f.requests.At(l.Request).failed = true
		r.over(l)
		f.Lines.FreeIfEnded(i)
	}
	r.issue(t)
}

// timeouts is the Interruption that gives up lines without an answer, after all other work of a
// time.
type timeouts struct {
	roots     []*Root
	deadlines transit.MinTree // when the first line of a root is due, or before
}

func (x *timeouts) add(r *Root) {
	r.watcher = len(x.roots)
	x.roots = append(x.roots, r)
}

// Next implements transit.Interruption. Lines that have their answer meanwhile are let
// pass.
func (x *timeouts) Next() int64 {
	for {
		t := x.deadlines.Next()
		if t == link.Never {
			return t
		}
		k := x.deadlines.Due(0, t)
		r := x.roots[k]
		due := r.watches.next(&r.fabric.Lines)
		if due == t {
			return t
		}
		x.deadlines.Set(k, due)
	}
}

// Happen implements transit.Interruption.
func (x *timeouts) Happen(t int64) error {
	for k := x.deadlines.Due(0, t); k >= 0; k = x.deadlines.Due(k+1, t) {
		r := x.roots[k]
		if lines := &r.fabric.Lines; r.watches.next(lines) <= t {
			r.expire(t)
		}
		x.deadlines.Set(k, r.watches.next(&r.fabric.Lines))
	}
	return nil
}

// timedOut is the failure of a request.
func timedOut(msg sim.Msg, from sim.Port, now sim.VTimeInSec) *memory.ErrorRsp {
	m := msg.Meta()
	e := &memory.ErrorRsp{RespondTo: m.ID, Code: memory.Timeout}
	e.ID, e.Src, e.Dst, e.SendTime = m.ID+".failed", from, m.Src, now
	return e
}
