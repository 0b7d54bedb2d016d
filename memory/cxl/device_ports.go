package cxl

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/outstanding"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// Do implements transit.Sink.
func (d *Type3) Do(e transit.Event, t int64) error {
	f := d.fabric
	switch e.Step {
	case transit.Enqueue:
		d.enqueue(e.ID, t)
	case transit.Reply:
		l := f.Lines.At(e.ID)
		l.Up = true
		f.Depart(e.ID, f.pair(l).Up, t)
	case transit.Deliver:
		f.coherent.Deliver(e.ID, t)
	case transit.Access:
		d.dev.begin(e.ID, t)
	}
	return nil
}

// Sent implements transit.Sink.
func (d *Type3) Sent(l *transit.Line, at link.Times) {
	if l.Note != 0 {
		d.fabric.coherent.Sent(l, at)
		return
	}
	d.count.pin(l.Write, at.Start-l.Pin)
}

// Arrived implements transit.Sink: a request is at the device's port.
func (d *Type3) Arrived(i int32, l *transit.Line, by *transit.Hop, at link.Times) {
	if l.Note != 0 {
		d.fabric.coherent.Arrived(i, l, by, at)
		return
	}
	l.Pin, l.In = at.At, by.Index
	l.Add(transit.Device, at.At+d.protocol)
	d.fabric.Add(l.Mark, i, d.number, transit.Enqueue)
}

// ld is the number of a line's logical device in this device.
func (d *Type3) ld(l *transit.Line) int { return int(l.LD - d.first) }

// enqueue has a line wait for a place at the memory. Writes may be answered at once.
func (d *Type3) enqueue(i int32, t int64) {
	f := d.fabric
	l := f.Lines.At(i)
	ld := d.ld(l)
	d.lds[ld].queue.Push(&f.Lines, i)
	d.pool.Queue(ld)
	f.Ready.Add(d.number)
	if l.Write && d.spec.Early {
		l.Early, l.Load = true, d.pool.Load(ld)
		l.Add(transit.Device, t+d.protocol)
		f.Add(l.Mark, i, d.number, transit.Reply)
	}
}

// receive implements node.
func (d *Type3) receive(now sim.VTimeInSec, t int64) error {
	if d.carried != nil {
		for a, ok := d.carried.link.Answered(block.Never - 1); ok; a, ok = d.carried.link.Answered(block.Never - 1) {
			i, accepted := d.carried.answered(a.Tag)
			d.answered(i, accepted, t)
		}
		return nil
	}
	for m := d.port.Retrieve(now); m != nil; m = d.port.Retrieve(now) {
		if err := d.receiveMemory(m.(sim.Rsp), t); err != nil {
			return err
		}
	}
	if d.dev != nil {
		return d.dev.receive(now, t)
	}
	return nil
}

// receiveMemory takes an answer of the memory.
func (d *Type3) receiveMemory(m sim.Rsp, t int64) error {
	s, err := d.slots.Answered(m.GetRspTo())
	if err != nil {
		return fmt.Errorf("cxl: %s: %w", d.Name(), err)
	}
	d.answered(s.Line, s.Accepted(), t)
	return nil
}

// answered continues with a line, or a job, that the memory has answered. The memory took it into
// its queues at accepted; 0: unknown.
func (d *Type3) answered(i int32, accepted, t int64) {
	f := d.fabric
	if d.pool.Waiting > 0 || d.dcoh != nil { // there is a place again
		f.Ready.Add(d.number)
	}
	if i < 0 {
		d.pool.Done(0)
		d.dcoh.Complete(-1-i, accepted, t)
		return
	}
	l := f.Lines.At(i)
	d.pool.Done(d.ld(l))
	if l.Early {
		l.Stored = true
		f.Lines.FreeIfEnded(i)
		return
	}
	l.Load = d.pool.Load(d.ld(l))
	l.AddMemory(accepted, t)
	l.Add(transit.Device, t+d.protocol)
	f.Add(l.Mark, i, d.number, transit.Reply)
}

// send implements node. A device without a free place is called again when one is free.
func (d *Type3) send(now sim.VTimeInSec, t int64) (more bool, later int64, err error) {
	if d.dcoh != nil {
		if err := d.sendJobs(now, t); err != nil {
			return false, 0, err
		}
	}
	later, err = d.sendLines(now, t)
	if err != nil {
		return false, 0, err
	}
	if d.dev != nil {
		if err := d.dev.respond(now, t); err != nil {
			return false, 0, err
		}
		more = len(d.dev.answers) > 0
	}
	if d.pool.HasPlace() {
		more = more || d.pool.Waiting > 0 || d.dcoh != nil && !d.dcoh.Jobs.Empty()
	}
	return more, later, nil
}

// sendJobs gives jobs of the coherence engine to the memory.
func (d *Type3) sendJobs(now sim.VTimeInSec, t int64) error {
	for !d.dcoh.Jobs.Empty() && d.pool.HasPlace() && d.port.CanSend() {
		j := *d.dcoh.Jobs.Peek()
		if d.port.Send(d.slots.Message(-1-d.dcoh.Jobs.Start(t), j.Write, j.Addr, d.dst, outstanding.Reason{}, now)) != nil {
			return d.refused()
		}
		d.pool.Enter(0)
		d.count.memory(j.Write)
	}
	return nil
}

// sendLines gives lines to the memory, as far as there are places and the wire takes
// them. later is when one may go that has reached its limit.
func (d *Type3) sendLines(now sim.VTimeInSec, t int64) (later int64, err error) {
	f := d.fabric
	later = link.Never
	for d.pool.Waiting > 0 && d.pool.HasPlace() {
		if d.carried != nil && !d.carried.takes(t) {
			return t + 1, nil
		} else if d.carried == nil && !d.port.CanSend() {
			break
		}
		var ld int
		if ld, later = d.pool.Next(t); ld < 0 {
			break
		}
		x := d.lds[ld]
		i := x.queue.Pop(&f.Lines)
		l := f.Lines.At(i)
		d.pool.Start(ld, t)
		if !l.Early {
			l.Add(transit.DeviceQueue, t)
		}
		if d.carried != nil {
			d.carried.ask(f.carrier, t, i, l)
		} else if d.port.Send(d.slots.Message(i, l.Write, l.Addr, d.dst, f.requests.reason(l), now)) != nil {
			return 0, d.refused()
		}
		x.count.lines[kind(l.Write)]++
		d.count.memory(l.Write)
		class := flit.M2SReq
		if l.Write {
			class = flit.M2SRwD
		}
		f.Hops[l.In].Release(t, class)
	}
	return later, nil
}

func (d *Type3) refused() error {
	return fmt.Errorf("cxl: %s: the wire refused a message after it had room", d.Name())
}

// Waiting implements engine.Waiter.
func (d *Type3) Waiting() []engine.Wait {
	if d.pool.Inside == 0 && d.pool.Waiting == 0 {
		return nil
	}
	return []engine.Wait{{Who: d.Name(), For: d.inner.Name(), Why: fmt.Sprintf("%d lines at the memory, %d in front of it", d.pool.Inside, d.pool.Waiting)}}
}
