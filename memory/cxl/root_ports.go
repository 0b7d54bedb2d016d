package cxl

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/cxl/link"
	"github.com/causeway-sim/causeway/memory/cxl/outstanding"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// receive implements node.
func (r *Root) receive(now sim.VTimeInSec, t int64) error {
	if r.homes != nil {
		for m := r.local.Retrieve(now); m != nil; m = r.local.Retrieve(now) {
			if err := r.receiveLocal(m.(sim.Rsp), t); err != nil {
				return err
			}
		}
	}
	if r.guest != nil {
		return r.receiveGuest(t)
	}
	for m := r.host.Retrieve(now); m != nil; m = r.host.Retrieve(now) {
		if err := r.accept(m, t); err != nil {
			return err
		}
	}
	return nil
}

// receiveGuest takes the requests of the guest.
func (r *Root) receiveGuest(t int64) error {
	for x := r.guest.Asked(uint64(t)); x != nil; x = r.guest.Asked(uint64(t)) {
		m := x.Asked()
		if err := r.cut(nil, x.Tag, &m, t); err != nil {
			return err
		}
	}
	return nil
}

// Receive implements block.Host.
func (r *Root) Receive(g block.Guest, _, _ *engine.Port) *block.GuestPort {
	r.fabric.begin()
	if r.fabric.carrier != nil {
		r.guest = r.fabric.carrier.receive(g, r)
	}
	return r.guest
}

// receiveLocal takes an answer of the local memory.
func (r *Root) receiveLocal(m sim.Rsp, t int64) error {
	s, err := r.slots.Answered(m.GetRspTo())
	if err != nil {
		return fmt.Errorf("cxl: %s: %w", r.Name(), err)
	}
	if s.Line < 0 {
		r.home.Complete(-1-s.Line, s.Accepted(), t)
		return nil
	}
	l := r.fabric.Lines.At(s.Line)
	l.AddMemory(s.Accepted(), t)
	l.Add(transit.Return, t+r.times.local)
	r.fabric.Add(l.Mark, s.Line, r.number, transit.Complete)
	return nil
}

// send implements node.
func (r *Root) send(now sim.VTimeInSec, t int64) (more bool, later int64, err error) {
	if r.homes != nil {
		if err := r.sendLocal(now, t); err != nil {
			return false, 0, err
		}
	}
	if err := r.respond(now, t); err != nil {
		return false, 0, err
	}
	more = r.atLocal.Len() > 0 || len(r.answers) > 0 || r.home != nil && !r.home.Jobs.Empty()
	return more, link.Never, nil
}

// sendLocal gives jobs and lines to the local memory, as far as the wire takes them.
func (r *Root) sendLocal(now sim.VTimeInSec, t int64) error {
	f := r.fabric
	for r.home != nil && !r.home.Jobs.Empty() && r.local.CanSend() {
		j := *r.home.Jobs.Peek()
		if err := r.load(-1-r.home.Jobs.Start(t), j.Write, j.Addr, outstanding.Reason{}, now); err != nil {
			return err
		}
	}
	for r.atLocal.Len() > 0 && r.local.CanSend() {
		i := r.atLocal.Pop(&f.Lines)
		l := f.Lines.At(i)
		l.Add(transit.DRAMQueue, t)
		if err := r.load(i, l.Write, l.Addr, f.requests.reason(l), now); err != nil {
			return err
		}
	}
	return nil
}

// load sends a message to the local memory.
func (r *Root) load(i int32, write bool, addr uint64, why outstanding.Reason, now sim.VTimeInSec) error {
	home, k, _, _ := r.homes.Find(addr)
	if r.local.Send(r.slots.Message(i, write, addr, home.Ports[k], why, now)) != nil {
		return r.refused()
	}
	return nil
}

// respond sends the answers to requests that are done, as far as the wire takes them.
func (r *Root) respond(now sim.VTimeInSec, t int64) error {
	n := 0
	for _, i := range r.answers {
		q := r.fabric.requests.At(i)
		if r.guest != nil {
			r.guest.Answer(uint64(t), q.tag)
			r.finish(now, t, i)
			n++
			continue
		}
		if !r.host.CanSend() {
			break
		}
		if q.failed {
			r.count.failed++
		}
		rsp := r.responses.Respond(q.msg, r.host, now)
		if q.failed && r.spec.OnTimeout == "error" {
			rsp = timedOut(q.msg, r.host, now)
		}
		if r.host.Send(rsp) != nil {
			return r.refused()
		}
		r.finish(now, t, i)
		n++
	}
	r.answers = r.answers[:copy(r.answers, r.answers[n:])]
	return nil
}

// finish counts a request that is answered at t.
func (r *Root) finish(now sim.VTimeInSec, t int64, i int32) {
	q := r.fabric.requests.At(i)
	r.count.answer(q, t)
	r.tasks.End(now, q.task)
	r.fabric.requests.remove(i)
}

func (r *Root) refused() error {
	return fmt.Errorf("cxl: %s: the wire refused a message after it had room", r.Name())
}

// Waiting implements engine.Waiter.
func (r *Root) Waiting() []engine.Wait {
	var out []engine.Wait
	for i, n := range r.lost {
		if n == 0 {
			continue
		}
		out = append(out, engine.Wait{Who: r.Name(), For: r.fabric.places[i], Why: fmt.Sprintf("%d lines are lost there, and no timeout gives them up", n)})
	}
	if n := r.count.open; n > 0 {
		out = append(out, engine.Wait{Who: r.Name(), For: r.Name() + "'s devices", Why: fmt.Sprintf("%d requests are not answered", n)})
	}
	return out
}
