package cxl

import (
	"fmt"
	"math"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
)

// portBuffer is how many requests wait at a port; all are taken at once.
const portBuffer = 1024

// face is what root, switch and device share: they are seen as nodes, the fabric
// does the work.
type face struct {
	*sim.ComponentBase
	engine sim.Engine
	seed   uint64
	fabric *fabric
	stats  *stats.Group
	ends   []*engine.Port // fused ports, for links only
}

func newFace(name string, env *system.Env) face {
	return face{ComponentBase: sim.NewComponentBase(name), engine: env.Engine, seed: env.Seed, stats: stats.NewGroup(name)}
}

// fused makes an array of ports for links that are no wires.
func (f *face) fused(c sim.Component, name string, n int) []sim.Port {
	var out []sim.Port
	for i := range n {
		p := engine.NewPort(c, fmt.Sprintf("%s.%s[%d]", f.Name(), name, i), 1)
		f.ends = append(f.ends, p)
		out = append(out, p)
	}
	return out
}

// Stats implements system.Node.
func (f *face) Stats() *stats.Group { return f.stats }

// NotifyRecv implements sim.Component.
func (f *face) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { f.fabric.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (f *face) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { f.fabric.ticker.WakeAfter(now) }

// Handle implements sim.Handler; the fabric has the events.
func (f *face) Handle(sim.Event) error { panic("cxl: an event of a part") }

// protocol of fused ports.
const protocol = "cxl"

// Root is a host's root complex.
type Root struct {
	face
	spec  RootSpec
	times struct{ host, bridge, protocol, local, timeout int64 } // of spec, in ps
	index int32
	host  *engine.Port
	local *engine.Port
	down  []sim.Port
	homes *memory.Map // of local
	// hidden are the tiers of the fabric that it is not bound to
	hidden []string
	slots  slots // messages to local
	// lines
	open      int    // outstanding
	paces     []pace // of each logical device
	queue     list
	held      list // at the local port, which is full
	watches   watches
	lost      []int // lines that are lost and not given up, by where
	at        configs.Value
	responses memory.Responses
	answers   []int32 // requests that are done and not answered, oldest first
	count     rootCount
	home      *home   // its side of coherent memory; nil: there is none
	keeper    *keeper // of local memory that devices cache; nil: none does
}

// NewRoot makes a root; it works once it is fused.
func NewRoot(name string, env *system.Env, s RootSpec, v configs.Value) (*Root, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if at := v.Get("on_timeout"); at.Exists() && s.Timeout.IsZero() {
		return nil, at.Errorf(nil, "has no effect without timeout")
	}
	r := &Root{face: newFace(name, env), spec: s, at: v}
	r.host = engine.NewPort(r, name+".Host", portBuffer)
	r.local = engine.NewPort(r, name+".Mem", portBuffer)
	r.AddPort("Host", r.host)
	r.AddPort("Mem", r.local)
	r.down = r.fused(r, "Down", s.Ports)
	r.slots.src = r.local
	r.times.host, r.times.bridge, r.times.protocol, r.times.local = ps(s.HostLatency), ps(s.Bridge), ps(s.Protocol), ps(s.LocalLatency)
	r.times.timeout = ps(s.Timeout)
	r.newStats()
	return r, nil
}

// PortSpecs implements system.Node.
func (r *Root) PortSpecs() []system.PortSpec {
	return []system.PortSpec{
		{Name: "host", Protocol: system.Mem, Role: system.Responds, Ports: []sim.Port{r.host}, Many: true, Clock: fine, Buffer: portBuffer},
		{Name: "mem", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{r.local}, Optional: true, Clock: fine},
		{Name: "down", Protocol: protocol, Role: system.Requests, Ports: r.down, Array: true, Optional: true, Fused: true, Clock: fine},
	}
}

// Nominal implements system.Responder.
func (r *Root) Nominal() (uint64, units.Bandwidth) {
	return uint64(r.times.host + 2*r.times.bridge + 2*r.times.protocol), 0
}

// Below implements system.Relay.
func (r *Root) Below(string) []string {
	out := []string{"mem"}
	for i := range r.down {
		out = append(out, fmt.Sprintf("down[%d]", i))
	}
	return out
}

// SetMap implements system.Requester.
func (r *Root) SetMap(_ string, m *memory.Map) error { r.homes = m; return nil }

// Fuse implements system.Part.
func (r *Root) Fuse(f *system.Fusion) error { return fuse(f) }

// take cuts a request into lines.
func (r *Root) take(f *fabric, msg sim.Msg, t int64) error {
	m, ok := memory.RequestOf(msg)
	if !ok {
		return fmt.Errorf("cxl: %s: %T is no memory request", r.Name(), msg)
	}
	r.count.Count(m)
	addr, bytes, write := m.Addr, m.Bytes, m.Write
	first, last := addr/64, (addr+max(bytes, 1)-1)/64
	if last < first || last-first > math.MaxInt32/2 {
		return fmt.Errorf("cxl: %s: a request of %d B at %#x", r.Name(), bytes, addr)
	}
	q := f.newRequest()
	f.requests[q] = request{msg: msg, root: r.index, left: int32(last - first + 1), at: t, write: write}
	for n := first; n <= last; n++ {
		i, err := f.newLine(r, n*64)
		if err != nil {
			return err
		}
		l := &f.lines[i]
		l.request, l.write, l.start, l.mark = q, write, t, t
		l.partial = n*64 < addr || n*64+64 > addr+bytes
		r.queue.push(f.lines, i)
	}
	r.issue(f, t)
	return nil
}

// issue lets lines that wait begin their way.
func (r *Root) issue(f *fabric, t int64) {
	for r.queue.n > 0 && r.open < r.spec.Outstanding {
		if head := &f.lines[r.queue.head]; r.spec.Throttle && head.device >= 0 {
			d := head.ld
			if r.paces[d].under >= r.paces[d].limit {
				break
			}
			r.paces[d].under++
		}
		i := r.queue.pop(f.lines)
		l := &f.lines[i]
		r.open++
		r.count.issued++
		l.add(partHost, t)
		l.add(partHost, t+r.times.host)
		if r.home != nil && l.device >= 0 && f.devices[l.device].dcoh.coherent() {
			f.push(l.mark, i, stepLook)
			continue
		}
		if l.device < 0 && r.keeper != nil {
			f.push(l.mark, i, stepLook)
			continue
		}
		if l.device < 0 {
			l.add(partPort, l.mark+r.times.local)
			f.push(l.mark, i, stepLocal)
			continue
		}
		l.add(partPort, l.mark+r.times.bridge+r.times.protocol)
		f.push(l.mark, i, stepIssue)
	}
}

// finish ends a line.
func (r *Root) finish(f *fabric, i int32, t int64) error {
	l := &f.lines[i]
	l.over = true
	if l.done { // it was given up
		r.count.late++
		f.end(i)
		return nil
	}
	r.open--
	if l.device >= 0 {
		r.count.loads[l.load]++
		if r.spec.Throttle {
			r.paces[l.ld].answer(l.load, r.spec.Outstanding)
		}
	}
	if err := r.count.line(l, t); err != nil {
		return fmt.Errorf("cxl: %s: %w", r.Name(), err)
	}
	if l.device >= 0 {
		c := &f.lds[l.ld].count
		c.done[kind(l.write)]++
		c.latency[kind(l.write)] += uint64(t - l.start)
	}
	q := &f.requests[l.request]
	if q.left--; q.left == 0 {
		r.answers = append(r.answers, l.request)
	}
	l.done = true
	f.end(i)
	r.issue(f, t)
	return nil
}

// ask gives lines to the local memory, as far as the wire takes them.
func (r *Root) ask(f *fabric, now sim.VTimeInSec, t int64) error {
	if r.keeper != nil {
		if err := r.keeper.feed(now, t); err != nil {
			return err
		}
	}
	for r.held.n > 0 && r.local.CanSend() {
		i := r.held.pop(f.lines)
		l := &f.lines[i]
		l.add(partDRAMQueue, t)
		home, k, _, _ := r.homes.Find(l.addr)
		if r.local.Send(r.slots.message(i, l.write, l.addr, home.Ports[k], f.hint(l), now)) != nil {
			return fmt.Errorf("cxl: %s: the wire refused a message after it had room", r.Name())
		}
	}
	return nil
}

// told takes an answer of the local memory.
func (r *Root) told(f *fabric, m sim.Rsp, t int64) error {
	s, err := r.slots.answered(m.GetRspTo())
	if err != nil {
		return fmt.Errorf("cxl: %s: %w", r.Name(), err)
	}
	if s.line < 0 {
		r.keeper.back(s, t)
		return f.err
	}
	l := &f.lines[s.line]
	l.memory(s, t)
	l.add(partReturn, t+r.times.local)
	f.push(l.mark, s.line, stepDone)
	return nil
}

// answer sends what is done, as far as the wire takes it.
func (r *Root) answer(f *fabric, now sim.VTimeInSec, t int64) error {
	n := 0
	for _, i := range r.answers {
		if !r.host.CanSend() {
			break
		}
		q := &f.requests[i]
		if q.failed {
			r.count.failed++
		}
		rsp := r.responses.Respond(q.msg, r.host, now)
		if q.failed && r.spec.OnTimeout == "error" {
			rsp = timedOut(q.msg, r.host, now)
		}
		if r.host.Send(rsp) != nil {
			return fmt.Errorf("cxl: %s: the wire refused a message after it had room", r.Name())
		}
		r.count.answer(q, t)
		*q = request{}
		f.idle = append(f.idle, i)
		n++
	}
	r.answers = r.answers[:copy(r.answers, r.answers[n:])]
	return nil
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
	if n := r.count.Reads + r.count.Writes - r.count.answered; n > 0 {
		out = append(out, engine.Wait{Who: r.Name(), For: r.Name() + "'s devices", Why: fmt.Sprintf("%d requests are not answered", n)})
	}
	return out
}
