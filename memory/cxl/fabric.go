package cxl

import (
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/calendar"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/memory/cxl/hdm"
	"github.com/causeway-sim/causeway/memory/cxl/link"
)

// fabric is the one component behind roots, switches and devices that links join.
// Its time is in picoseconds.
type fabric struct {
	ticker   *engine.Ticker
	roots    []*Root
	switches []*Switch
	nets     []*PBR
	devices  []*Type3
	lds      []*logical // of all devices
	links    []*hop
	agenda   agenda  // of links
	bound    []bool  // by root and logical device: there was a way at first
	ways     []way   // by root and logical device
	packed   packed  // routes of all ways
	routes   [][]leg // those that lines have taken; never changed once there
	space    *hdm.Space

	lines    []line
	free     []int32
	requests []request
	idle     []int32
	notes    []note // coherence messages under way
	noteless []int32
	devs     []devAccess // of accelerators
	devFree  []int32

	incidents []incident // to come, in order of time
	epoch     int        // times that tables were filled again
	now       int64      // of the incident
	places    []string   // where lines were lost
	joints    []system.Joint
	from      map[system.Node][]int // joints by their upper end
	watchful  []*Root               // that wait only so long

	inside, outside calendar.Of[event] // steps that nobody outside sees, and others
	order           uint64
	// tail is the least time from anything inside to an effect outside. What is
	// inside need not be done when it is due, but before that.
	tail int64
	err  error
}

// Handle implements sim.Handler.
func (f *fabric) Handle(e sim.Event) error {
	now := e.Time()
	t := int64(f.ticker.Cycle(now))
	if err := f.run(t); err != nil {
		return err
	}
	if err := f.receive(now, t); err != nil {
		return err
	}
	if err := f.run(t); err != nil {
		return err
	}
	if err := f.send(now, t); err != nil {
		return err
	}
	next := min(soonest(&f.outside), soonest(&f.inside))
	if n := soonest(&f.inside); n != link.Never {
		next = min(soonest(&f.outside), n+f.tail)
	}
	if n := f.agenda.next(); n != link.Never {
		next = min(next, n+f.tail)
	}
	for _, d := range f.devices {
		next = min(next, d.later)
	}
	next = min(next, f.deadline())
	if len(f.incidents) > 0 && len(f.free) < len(f.lines) { // else it may wait
		next = min(next, f.incidents[0].at)
	}
	if next != link.Never {
		f.ticker.WakeAt(uint64(max(next, t+1)))
	}
	return nil
}

// receive takes what has come to the ports.
func (f *fabric) receive(now sim.VTimeInSec, t int64) error {
	for _, d := range f.devices {
		for m := d.port.Retrieve(now); m != nil; m = d.port.Retrieve(now) {
			if err := d.back(f, m.(sim.Rsp), t); err != nil {
				return err
			}
		}
		if d.dev != nil {
			for m := d.dev.port.Retrieve(now); m != nil; m = d.dev.port.Retrieve(now) {
				if err := d.dev.take(f, m, t); err != nil {
					return err
				}
			}
		}
	}
	for _, r := range f.roots {
		for m := r.local.Retrieve(now); m != nil; m = r.local.Retrieve(now) {
			if err := r.told(f, m.(sim.Rsp), t); err != nil {
				return err
			}
		}
		for m := r.host.Retrieve(now); m != nil; m = r.host.Retrieve(now) {
			if err := r.take(f, m, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// send gives to the ports what is due there.
func (f *fabric) send(now sim.VTimeInSec, t int64) error {
	for _, d := range f.devices {
		if err := d.feed(f, now, t); err != nil {
			return err
		}
		if d.dev != nil {
			if err := d.dev.answer(now, t); err != nil {
				return err
			}
		}
	}
	for _, r := range f.roots {
		if err := r.ask(f, now, t); err != nil {
			return err
		}
		if err := r.answer(f, now, t); err != nil {
			return err
		}
	}
	return nil
}

// run does everything inside up to and including time until, in order of time:
// links first, in the order of their numbers.
func (f *fabric) run(until int64) error {
	for f.err == nil {
		t := min(soonest(&f.inside), soonest(&f.outside), f.agenda.next(), f.deadline())
		if len(f.incidents) > 0 && f.incidents[0].at <= min(t, until) {
			x := f.incidents[0]
			f.incidents = f.incidents[1:]
			f.err = f.happen(x)
			continue
		}
		if t > until || t == link.Never {
			break
		}
		for i := f.agenda.due(0, t); i >= 0; i = f.agenda.due(i+1, t) {
			f.links[i].Run(t)
		}
		for f.err == nil {
			c := &f.inside
			if c.Len() == 0 || f.outside.Len() > 0 && f.outside.First().Before(c.First()) {
				c = &f.outside
			}
			if !c.Due(uint64(t)) {
				break
			}
			e := c.Pop()
			f.err = f.do(e.What, int64(e.At))
		}
		for _, r := range f.watchful {
			if r.watches.next(f.lines) <= t {
				r.expire(f, t)
			}
		}
	}
	return f.err
}

// deadline is when the next line is given up.
func (f *fabric) deadline() int64 {
	t := int64(link.Never)
	for _, r := range f.watchful {
		t = min(t, r.watches.next(f.lines))
	}
	return t
}

// push plans a step of a line.
func (f *fabric) push(at int64, i int32, s step) {
	e := calendar.Entry[event]{At: uint64(at), Order: f.order, What: event{i, s}}
	f.order++
	if s.outside() {
		f.outside.Push(e)
	} else {
		f.inside.Push(e)
	}
}

// do carries out a step.
func (f *fabric) do(e event, t int64) error {
	i := e.line
	switch e.step {
	case stepDev:
		f.beginDev(i, t)
		return f.err
	case stepFetch, stepBrought:
		f.roots[i&255].keeper.came(i>>8, e.step, t)
		return f.err
	}
	l := &f.lines[i]
	switch e.step {
	case stepIssue:
		f.roots[l.root].watch(l, i, t)
		f.depart(i, f.way(l).down, t)
	case stepForward:
		l.held = false
		if l.doomed {
			f.release(l, l.hop, t, l.class())
			f.drop(i, "a way to "+f.target(l))
			break
		}
		l.hop++
		f.onto(i, t)
	case stepMemory:
		d := f.devices[l.device]
		x := f.lds[l.ld]
		x.queue.push(f.lines, i)
		d.waiting++
		if l.write && d.spec.Early {
			l.early, l.load = true, x.load()
			l.add(partDevice, t+d.protocol)
			f.push(l.mark, i, stepReply)
		}
	case stepReply:
		l.up = true
		f.depart(i, f.way(l).up, t)
	case stepLocal:
		f.roots[l.root].held.push(f.lines, i)
	case stepDone:
		return f.roots[l.root].finish(f, i, t)
	case stepLook:
		if r := f.roots[l.root]; l.device < 0 {
			r.keeper.look(i, t)
		} else {
			r.home.look(i, t)
		}
		return f.err
	case stepNote:
		return f.read(i, t)
	}
	return nil
}
