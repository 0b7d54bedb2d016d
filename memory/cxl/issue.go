package cxl

import (
	"fmt"
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// accept takes a message from the host's port.
func (r *Root) accept(msg sim.Msg, t int64) error {
	m, ok := memory.RequestOf(msg)
	if !ok {
		return fmt.Errorf("cxl: %s: %T is no memory request", r.Name(), msg)
	}
	return r.cut(msg, 0, &m, t)
}

// cut cuts a request into lines. It came as a message, or has a tag at a guest port.
func (r *Root) cut(msg sim.Msg, tag uint32, m *memory.Request, t int64) error {
	r.count.Count(*m)
	r.count.open++
	r.count.busy.Begin(uint64(t))
	addr, bytes, write := m.Addr, m.Bytes, m.Write
	first, last := addr/64, (addr+max(bytes, 1)-1)/64
	if last < first || last-first > math.MaxInt32/2 {
		return fmt.Errorf("cxl: %s: a request of %d B at %#x", r.Name(), bytes, addr)
	}
	f := r.fabric
	q := f.requests.Take()
	of := f.requests.At(q) // which is empty; a copy in one piece would wait for what was just written
	of.msg, of.tag, of.left, of.at, of.write, of.hint = msg, tag, int32(last-first+1), t, write, m.Hint
	if r.tasks.On() {
		r.beginTask(of, m, t)
	}
	for n := first; n <= last; n++ {
		i, err := r.newLine(n * 64)
		if err != nil {
			return err
		}
		l := f.Lines.At(i)
		l.Request, l.Write = q, write
		l.Begin(t)
		if of.task != 0 && r.tasks.Explains() {
			l.Log = &[]transit.Stay{}
		}
		l.Partial = n*64 < addr || n*64+64 > addr+bytes
		r.queue.Push(&f.Lines, i)
	}
	r.issue(t)
	return nil
}

// newLine makes the line of an address.
func (r *Root) newLine(addr uint64) (int32, error) {
	f := r.fabric
	i, l := f.Lines.New()
	l.Root, l.Addr = r.index, addr
	if f.space != nil {
		if d, at, _, ok := f.space.Find(addr); ok {
			x := f.lds[d]
			l.Device, l.LD, l.ID, l.Addr = x.device, int32(d), x.id, x.base+at
			if !f.bound[int(r.index)*len(f.lds)+d] {
				return 0, fmt.Errorf("cxl: %s: address %#x is at %s, which it does not reach", r.Name(), addr, x.name)
			}
			return i, nil
		}
	}
	if r.reaches(addr) {
		l.Device = -1
		return i, nil
	}
	return 0, fmt.Errorf("cxl: %s: address %#x has no home", r.Name(), addr)
}

// reaches reports whether an address is in the root's local memory.
func (r *Root) reaches(addr uint64) bool {
	if r.homes == nil {
		return false
	}
	_, _, _, ok := r.homes.Find(addr)
	return ok
}

// issue lets lines that wait set out, as many as may be outstanding.
func (r *Root) issue(t int64) {
	f := r.fabric
	for r.queue.Len() > 0 && r.open < r.spec.Outstanding {
		if head := f.Lines.At(r.queue.Head()); r.throttles != nil && head.Device >= 0 && !r.throttles[head.LD].Admit() {
			break
		}
		i := r.queue.Pop(&f.Lines)
		l := f.Lines.At(i)
		r.open++
		r.count.issued++
		l.Add(transit.Host, t+r.times.host) // with its wait for a place among the outstanding
		step := transit.Issue
		switch {
		case l.Device < 0 && r.home != nil, l.Device >= 0 && r.cache != nil && f.lds[l.LD].coherent:
			step = transit.Lookup
		case l.Device < 0:
			step = transit.Local
			l.Add(transit.Port, l.Mark+r.times.local)
		default:
			l.Add(transit.Port, l.Mark+r.times.bridge+r.times.protocol)
		}
		f.Add(l.Mark, i, r.number, step)
	}
}

// Do implements transit.Sink.
func (r *Root) Do(e transit.Event, t int64) error {
	f := r.fabric
	switch e.Step {
	case transit.Issue:
		l := f.Lines.At(e.ID)
		r.await(l, e.ID, t)
		f.Depart(e.ID, f.pair(l).Down, t)
	case transit.Local:
		r.atLocal.Push(&f.Lines, e.ID)
		f.Ready.Add(r.number)
	case transit.Complete:
		return r.complete(e.ID, t)
	case transit.Lookup:
		if f.Lines.At(e.ID).Device < 0 {
			r.home.Lookup(e.ID, t)
		} else {
			r.cache.Lookup(e.ID, t)
		}
	case transit.Fetch, transit.Fetched:
		r.home.Moved(e.ID, e.Step, t)
	case transit.Deliver:
		f.coherent.Deliver(e.ID, t)
	}
	return nil
}

// Sent implements transit.Sink.
func (r *Root) Sent(l *transit.Line, at link.Times) {
	if l.Note != 0 {
		r.fabric.coherent.Sent(l, at)
	}
}

// Arrived implements transit.Sink: an answer is at the root port.
func (r *Root) Arrived(i int32, l *transit.Line, by *transit.Hop, at link.Times) {
	if l.Note != 0 {
		r.fabric.coherent.Arrived(i, l, by, at)
		return
	}
	by.Freed(at.At, l.Class())
	l.Add(transit.Return, at.At+r.times.protocol+r.times.bridge)
	r.fabric.Add(l.Mark, i, r.number, transit.Complete)
}

// complete ends a line.
func (r *Root) complete(i int32, t int64) error {
	f := r.fabric
	l := f.Lines.At(i)
	l.Over = true
	if l.Done { // it was given up
		r.count.late++
		f.Lines.FreeIfEnded(i)
		return nil
	}
	r.open--
	if l.Device >= 0 {
		r.count.loads[l.Load]++
		if r.throttles != nil {
			r.throttles[l.LD].Answer(l.Load)
		}
		f.lds[l.LD].count.line(l, t)
	}
	if err := r.count.line(l, t); err != nil {
		return fmt.Errorf("cxl: %s: %w", r.Name(), err)
	}
	r.over(l)
	f.Lines.FreeIfEnded(i)
	r.issue(t)
	return nil
}

// over counts a line for its request.
func (r *Root) over(l *transit.Line) {
	l.Done = true
	q := r.fabric.requests.At(l.Request)
	if q.left--; q.left == 0 {
		r.answers = append(r.answers, l.Request)
		if l.Log != nil {
			r.explain(q, *l.Log)
		}
		r.fabric.Ready.Add(r.number)
	}
}
