package hosts

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
)

// Comp is a group of hosts that share a memory.
type Comp struct {
	*sim.ComponentBase
	spec     Spec
	overhead int64 // ps
	ticker   *engine.Ticker
	hosts    []host
	list     []sim.Port
	signals  signals
	tasks    task.Source
	stats    *stats.Group
}

// New makes hosts that execute the programs.
func New(name string, e sim.Engine, s Spec, programs []Program) *Comp {
	c := &Comp{ComponentBase: sim.NewComponentBase(name), spec: s, overhead: int64(s.Overhead.In(fine))}
	c.ticker = engine.NewTicker(e, fine, c)
	c.hosts = make([]host, len(programs))
	for i := range c.hosts {
		h := &c.hosts[i]
		h.index, h.program, h.waits, h.cur = i, programs[i], never, -1
		h.port = engine.NewPort(c, fmt.Sprintf("%s.Mem[%d]", name, i), portBuffer)
		h.calls = memory.NewCalls[int32](h.port)
		c.AddPort(fmt.Sprintf("Mem[%d]", i), h.port)
		c.list = append(c.list, h.port)
	}
	if s.Sync {
		c.signals = newSignals(&s, programs)
	}
	c.newStats()
	return c
}

// portBuffer is how many answers wait at a port; all are taken at once.
const portBuffer = 1024

// PortSpecs implements system.Node.
func (c *Comp) PortSpecs() []system.PortSpec {
	return []system.PortSpec{{Name: "mem", Protocol: system.Mem, Role: system.Requests, Ports: c.list, Array: true, Clock: fine, Buffer: 4}}
}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.stats }

// SetMap implements system.Requester: every address needs a home.
func (c *Comp) SetMap(port string, m *memory.Map) error {
	i := 0
	if len(c.hosts) > 1 {
		if _, err := fmt.Sscanf(port, "mem[%d]", &i); err != nil || i >= len(c.hosts) {
			return fmt.Errorf("no port %q", port)
		}
	}
	h := &c.hosts[i]
	h.homes = m
	for k := range h.program.Requests {
		q := &h.program.Requests[k]
		for off := uint64(0); off < uint64(q.Size); {
			_, _, run, ok := m.Find(q.Addr + off)
			if !ok {
				return fmt.Errorf("host %d, request %d: address %#x has no home (base: moves addresses)", i, k, q.Addr+off)
			}
			off += run
		}
	}
	return nil
}

// Tasks implements task.Reporter: a packet of a host, from the first request of it to the
// last answer.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// Start implements system.Starter.
func (c *Comp) Start() error {
	c.ticker.WakeAt(0)
	return nil
}

// Unit implements system.Counter.
func (*Comp) Unit() string { return "requests" }

// Progress counts the requests that have begun. Any goroutine may call it.
func (c *Comp) Progress() (done, total int64) {
	for i := range c.hosts {
		done += c.hosts[i].begun.Load()
		total += int64(len(c.hosts[i].program.Requests))
	}
	return done, total
}

// NotifyRecv implements sim.Component.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// Handle implements sim.Handler.
func (c *Comp) Handle(e sim.Event) error {
	now := e.Time()
	t := int64(c.ticker.Cycle(now))
	for i := range c.hosts {
		h := &c.hosts[i]
		for m := h.port.Retrieve(now); m != nil; m = h.port.Retrieve(now) {
			if err := c.take(h, m, now, t); err != nil {
				return err
			}
		}
	}
	next := int64(never)
	for i := range c.hosts {
		at, err := c.step(&c.hosts[i], now, t)
		if err != nil {
			return err
		}
		next = min(next, at)
		c.hosts[i].judge(t)
	}
	if next != never {
		c.ticker.WakeAt(uint64(max(next, t+1)))
	}
	return nil
}

// take notes an answer.
func (c *Comp) take(h *host, m sim.Msg, now sim.VTimeInSec, t int64) error {
	s, err := h.calls.Answered(m)
	if err != nil {
		return fmt.Errorf("hosts: %w", err)
	}
	p := h.packets.At(s.Note)
	if p.parts--; p.parts > 0 || !p.whole {
		return nil
	}
	c.tasks.End(now, p.task)
	h.end(p, s.Note, t)
	if p.write && c.spec.Sync {
		c.signals.done(p.key)
	}
	return nil
}

// step continues a host's program as far as possible, and returns when to continue; never: an
// answer, a signal or a wire with room wakes it.
func (c *Comp) step(h *host, now sim.VTimeInSec, t int64) (int64, error) {
	for {
		if h.at > t {
			return h.at, nil
		}
		if h.pc == len(h.program.Requests) {
			if h.reads == 0 && !h.over {
				h.over = true
				h.count.compute += h.program.Tail
				h.count.finish = max(h.count.finish, t+h.program.Tail)
			}
			return never, nil
		}
		q := &h.program.Requests[h.pc]
		if !h.open {
			if h.reads > 0 {
				return never, nil
			}
			h.open, h.at = true, t+q.Delta
			h.begun.Add(1)
			h.count.compute += q.Delta
			continue
		}
		if h.cur < 0 {
			if ready, again := c.mayBegin(h, q, t); again {
				continue
			} else if !ready {
				return never, nil
			}
			n := q.cut(h.off, uint64(c.spec.Packet), c.spec.Cut == Cuts[0])
			h.begin(q, q.Addr+uint64(h.off), n, !(q.Write && c.spec.Posted), t)
			h.packets.At(h.cur).task = c.tasks.Begin(now, task.Request, task.ReadWrite(q.Write), 0, uint64(n))
		}
		for h.left > 0 {
			if !h.port.CanSend() {
				return never, nil
			}
			if err := c.send(h, q, now); err != nil {
				return 0, err
			}
		}
		p := h.packets.At(h.cur)
		p.whole = true
		h.cur = -1
		if h.off == q.Size {
			h.count.request(q, uint64(c.spec.Packet))
			h.pc++
			h.off, h.open = 0, false
		}
	}
}

// mayBegin reports whether the next packet of a request may begin: there is a place for
// it, its write is done if it is a read, and the host's thread has taken its time; again
// tells that it takes that now.
func (c *Comp) mayBegin(h *host, q *Request, t int64) (ready, again bool) {
	if h.under >= c.spec.Outstanding && !(q.Write && c.spec.Posted) {
		return false, false
	}
	reads := !q.Write && c.spec.Sync
	key := q.Addr + uint64(h.off)
	if reads {
		if !c.signals.ready(key) {
			if h.waits == never {
				h.waits = t
			}
			h.key = key
			return false, false
		}
		if h.waits != never {
			h.count.wait += t - h.waits
			h.waits = never
		}
	}
	if c.overhead > 0 && !h.paid {
		h.paid, h.at = true, t+c.overhead
		return false, true
	}
	h.paid = false
	if reads {
		c.signals.read(key)
	}
	return true, false
}

// send sends the next part of the packet, up to where addresses change their home.
func (c *Comp) send(h *host, q *Request, now sim.VTimeInSec) error {
	addr := q.Addr + uint64(h.off)
	home, i, run, ok := h.homes.Find(addr)
	if !ok {
		return fmt.Errorf("hosts: %s: address %#x has no home", c.Name(), addr)
	}
	size := min(uint64(h.left), run)
	s := h.calls.Take()
	s.Note = h.cur
	s.Hint = memory.Hint{Core: uint16(h.index), Task: h.packets.At(h.cur).task}
	if h.port.Send(s.Message(q.Write, addr, size, home.Ports[i], now)) != nil {
		return fmt.Errorf("hosts: %s: the wire refused a message after it had room", c.Name())
	}
	h.packets.At(h.cur).parts++
	h.left -= uint32(size)
	h.off += uint32(size)
	return nil
}

// Waiting implements engine.Waiter.
func (c *Comp) Waiting() []engine.Wait {
	var out []engine.Wait
	for i := range c.hosts {
		h := &c.hosts[i]
		who := fmt.Sprintf("%s host %d", c.Name(), i)
		switch {
		case h.waits != never:
			by := c.writer(h.key, i)
			out = append(out, engine.Wait{Who: who, For: by, Why: fmt.Sprintf("its request %d reads %#x, which is not written yet", h.pc, h.key)})
		case h.calls.InFlight() > 0:
			out = append(out, engine.Wait{Who: who, For: h.calls.Waits().Name(), Why: fmt.Sprintf("%d requests are not answered", h.calls.InFlight())})
		case h.pc < len(h.program.Requests):
			out = append(out, engine.Wait{Who: who, For: who, Why: fmt.Sprintf("request %d is not sent", h.pc)})
		}
	}
	return out
}

// writer names the host whose program still has to write an address.
func (c *Comp) writer(key uint64, reader int) string {
	for i := range c.hosts {
		h := &c.hosts[i]
		for k := h.pc; k < len(h.program.Requests); k++ {
			q := &h.program.Requests[k]
			if q.Write && q.Addr <= key && key < q.Addr+uint64(q.Size) {
				return fmt.Sprintf("%s host %d", c.Name(), i)
			}
		}
	}
	return fmt.Sprintf("%s host %d", c.Name(), reader)
}
