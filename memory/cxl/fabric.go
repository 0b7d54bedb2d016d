package cxl

import (
	"fmt"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/calendar"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cxl/flit"
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

// A hop is one link of the fabric.
type hop struct {
	*link.Link
	f       *fabric
	index   int32
	latency int64
	channel bool         // between switches of a fabric
	dead    bool         // lost
	ends    [2]*junction // towards the host (nil: a root) and the device (nil: a device)
	names   [2]string
	// of a fabric with port-based routing, at that end; nil: none
	nets      [2]*PBR
	routers   [2]int
	terminals [2]int
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

// depart sets a line on a route.
func (f *fabric) depart(i, route int32, t int64) {
	l := &f.lines[i]
	if l.route, l.hop = route, 0; route < 0 {
		f.drop(i, "a way to "+f.target(l))
		return
	}
	l.route = f.open(route)
	f.onto(i, t)
}

// target is where a line is going.
func (f *fabric) target(l *line) string {
	if l.up {
		return f.roots[l.root].Name()
	}
	return f.lds[l.ld].name()
}

// onto gives a line to the next link of its route.
func (f *fabric) onto(i int32, t int64) {
	l := &f.lines[i]
	x := f.leg(l, l.hop)
	if h := f.links[x.link()]; h.dead {
		if l.hop > 0 {
			f.release(l, l.hop-1, t, l.class())
		}
		f.drop(i, h.title())
		return
	}
	l.on, l.departed = x.link()+1, false
	f.links[x.link()].PushOn(x.side(), t, flit.Message{Class: l.class(), Ref: uint32(i), Tag: uint16(i), Addr: l.addr, LD: l.id})
}

// Departed implements link.Sink: the place in front of the link is free.
func (h *hop) Departed(m *flit.Message, t int64) {
	l := &h.f.lines[m.Ref]
	l.departed = true
	if l.hop > 0 && !l.doomed {
		h.f.release(l, l.hop-1, t, m.Class)
	}
}

// Arrived implements link.Sink.
func (h *hop) Arrived(m *flit.Message, at link.Times) {
	f := h.f
	i := int32(m.Ref)
	l := &f.lines[i]
	l.on = 0
	l.add(partQueue, at.Start)
	l.add(partSerial, at.Sent)
	l.add(partRetry, at.At-h.latency)
	l.add(partWire, at.At)
	if l.note != 0 && l.hop == 0 {
		f.leaves(l, at)
	} else if l.up && l.hop == 0 {
		f.devices[l.device].count.pin(l.write, at.Start-l.pin)
	}
	switch last := int(l.hop) == len(f.routes[l.route])-1; {
	case l.doomed:
		f.release(l, l.hop, at.At, m.Class)
		f.drop(i, "a way to "+f.target(l))
	case !last:
		l.held = true
		l.add(partSwitch, at.At+f.beyond(f.leg(l, l.hop)).pass(l.up))
		f.push(l.mark, i, stepForward)
	case l.note != 0:
		h.noted(i, at)
	case l.up:
		h.Release(at.At, m.Class)
		r := f.roots[l.root]
		l.add(partReturn, at.At+r.times.protocol+r.times.bridge)
		f.push(l.mark, i, stepDone)
	default:
		d := f.devices[l.device]
		l.pin, l.in = at.At, h.index
		l.add(partDevice, at.At+d.protocol)
		f.push(l.mark, i, stepMemory)
	}
}

// ArrivedIO implements link.Sink: the fabric sends no packets of CXL.io yet.
func (h *hop) ArrivedIO(flit.Direction, uint32, link.Times) {}

// newLine makes the line of an address.
func (f *fabric) newLine(r *Root, addr uint64) (int32, error) {
	var i int32
	if n := len(f.free); n > 0 {
		i = f.free[n-1]
		f.free = f.free[:n-1]
	} else {
		f.lines = append(f.lines, line{})
		i = int32(len(f.lines) - 1)
	}
	l := &f.lines[i]
	*l = line{root: r.index, addr: addr, turn: l.turn + 1}
	if f.space != nil {
		if d, at, _, ok := f.space.Find(addr); ok {
			x := f.lds[d]
			l.device, l.ld, l.id, l.addr = x.device.index, int32(d), x.id, x.base+at
			if !f.bound[int(l.root)*len(f.lds)+d] {
				return 0, fmt.Errorf("cxl: %s: address %#x is at %s, which it does not reach", r.Name(), addr, x.name())
			}
			return i, nil
		}
	}
	if r.homes != nil {
		if _, _, _, ok := r.homes.Find(addr); ok {
			l.device = -1
			return i, nil
		}
	}
	return 0, fmt.Errorf("cxl: %s: address %#x has no home", r.Name(), addr)
}

func (f *fabric) freeLine(i int32) { f.free = append(f.free, i) }

func (f *fabric) newRequest() int32 {
	if n := len(f.idle); n > 0 {
		i := f.idle[n-1]
		f.idle = f.idle[:n-1]
		return i
	}
	f.requests = append(f.requests, request{})
	return int32(len(f.requests) - 1)
}

// hint is what the host knows about a line, as long as its request lasts.
func (f *fabric) hint(l *line) *memory.Hint {
	if l.done {
		return nil
	}
	switch m := f.requests[l.request].msg.(type) {
	case *mem.ReadReq:
		return memory.HintOf(m.Info)
	case *mem.WriteReq:
		return memory.HintOf(m.Info)
	}
	return nil
}
