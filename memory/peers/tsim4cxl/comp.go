package tsim4cxl

import (
	"fmt"
	"strconv"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
)

// Comp is the node of kind cxl_tsim4cxl.
type Comp struct {
	*sim.ComponentBase
	spec   Spec
	times  struct{ port, interconnect, link int64 } // ps
	period int64
	ticker *engine.Ticker

	hosts   []*engine.Port
	list    []sim.Port
	ports   []port
	control controller
	threads []*thread

	memory  *engine.Port
	homes   *memory.Map
	waiting fifo // lines in front of the memory
	lines   []*line
	idle    []int32
	under   int // lines at the memory

	requests  []request
	spare     []int32
	done      []int32 // requests to be answered
	responses memory.Responses
	count     struct {
		memory.Traffic
		answered uint64
	}
	stop  int64 // when TSim4CXL would stop, if no request came any more; never: not yet
	stats *stats.Group
}

// A line is one message to the memory; it is made once and used again.
type line struct {
	read  mem.ReadReq
	write mem.WriteReq
	id    string
	addr  uint64
	port  int32
	store bool
	busy  bool
}

// A request is a message of a host.
type request struct {
	msg     sim.Msg
	port    int32
	packets int // not answered
	lines   int // answered of the packet
}

// New makes the node; SetMap sets the memory below it. The error is an impossible Spec.
func New(name string, e sim.Engine, s Spec) (*Comp, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	c := &Comp{ComponentBase: sim.NewComponentBase(name), spec: s}
	c.times.port, c.times.interconnect, c.times.link = ps(s.Port), ps(s.Interconnect), ps(s.Link)
	c.period = max(int64(s.Clock.Num()*1e12/s.Clock.Den()), 1)
	c.ticker = engine.NewTicker(e, fine, c)
	add := func(x *thread, step func(int64) int64) {
		x.step, x.asleep = step, true
		c.threads = append(c.threads, x)
	}
	c.control.c = c
	add(&c.control.there, c.control.pass)
	add(&c.control.back, c.control.answer)
	c.ports = make([]port, s.Hosts)
	for i := range c.ports {
		p := &c.ports[i]
		p.c, p.index = c, int32(i)
		add(&p.host, p.give)
		add(&p.there, p.pack)
		add(&p.back, p.unpack)
		h := engine.NewPort(c, fmt.Sprintf("%s.Host[%d]", name, i), portBuffer)
		c.AddPort(fmt.Sprintf("Host[%d]", i), h)
		c.hosts, c.list = append(c.hosts, h), append(c.list, h)
	}
	c.memory = engine.NewPort(c, name+".Mem", portBuffer)
	c.AddPort("Mem", c.memory)
	c.newStats()
	return c, nil
}

// portBuffer is how many messages wait at a port; all are taken at once.
const portBuffer = 1024

// PortSpecs implements system.Node.
func (c *Comp) PortSpecs() []system.PortSpec {
	return []system.PortSpec{
		{Name: "host", Protocol: system.Mem, Role: system.Responds, Ports: c.list, Array: true, Clock: fine, Buffer: portBuffer},
		{Name: "mem", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{c.memory}, Clock: fine},
	}
}

// Nominal implements system.Responder.
func (c *Comp) Nominal() (uint64, units.Bandwidth) {
	return uint64(4*c.times.port + 2*c.times.interconnect), 0
}

// Below implements system.Relay.
func (c *Comp) Below(string) []string { return []string{"mem"} }

// SetMap implements system.Requester.
func (c *Comp) SetMap(_ string, m *memory.Map) error { c.homes = m; return nil }

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.stats }

// NotifyRecv implements sim.Component.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// Handle implements sim.Handler.
func (c *Comp) Handle(e sim.Event) error {
	now := e.Time()
	t := int64(c.ticker.Cycle(now))
	for m := c.memory.Retrieve(now); m != nil; m = c.memory.Retrieve(now) {
		if err := c.completed(m.(sim.Rsp).GetRspTo(), t); err != nil {
			return err
		}
	}
	for i, h := range c.hosts {
		for m := h.Retrieve(now); m != nil; m = h.Retrieve(now) {
			if err := c.take(int32(i), m, t); err != nil {
				return err
			}
		}
	}
	c.run(t)
	for c.waiting.n() > 0 && c.memory.CanSend() {
		if err := c.issue(c.waiting.pop(), now); err != nil {
			return err
		}
	}
	if err := c.reply(now); err != nil {
		return err
	}
	if next := c.next(); next != never {
		c.ticker.WakeAt(uint64(max(next, t+1)))
	}
	return nil
}

// take cuts a request into lines of whole packets.
func (c *Comp) take(host int32, m sim.Msg, t int64) error {
	q, ok := memory.RequestOf(m)
	if !ok {
		return fmt.Errorf("tsim4cxl: %s: %T is no memory request", c.Name(), m)
	}
	c.count.Count(q)
	addr, bytes, k := q.Addr, q.Bytes, reads
	if q.Write {
		k = writes
	}
	c.stop = never
	if c.under == 0 {
		c.stop = t
	}
	p := &c.ports[host]
	packets := int((max(bytes, 1) + 64*packetLines - 1) / (64 * packetLines))
	var i int32
	if n := len(c.spare); n > 0 {
		i = c.spare[n-1]
		c.spare = c.spare[:n-1]
	} else {
		i = int32(len(c.requests))
		c.requests = append(c.requests, request{})
	}
	c.requests[i] = request{msg: m, port: host, packets: packets}
	p.asks[k].push(i)
	for n := range packets * packetLines {
		p.from[k].push(c.newLine(host, addr+64*uint64(n), k == writes))
	}
	p.host.wake(t, c.period)
	return nil
}

func (c *Comp) newLine(host int32, addr uint64, store bool) int32 {
	var i int32
	if n := len(c.idle); n > 0 {
		i = c.idle[n-1]
		c.idle = c.idle[:n-1]
	} else {
		i = int32(len(c.lines))
		x := &line{id: c.memory.Name() + "." + strconv.Itoa(int(i))}
		x.read.ID, x.write.ID = x.id, x.id
		x.read.Src, x.write.Src = c.memory, c.memory
		c.lines = append(c.lines, x)
	}
	x := c.lines[i]
	x.port, x.addr, x.store = host, addr, store
	return i
}

func (c *Comp) free(i int32) { c.idle = append(c.idle, i) }

// issue sends a line to the memory.
func (c *Comp) issue(i int32, now sim.VTimeInSec) error {
	x := c.lines[i]
	home, k, _, ok := c.homes.Find(x.addr)
	if !ok {
		return fmt.Errorf("tsim4cxl: %s: address %#x has no home (requests are padded to whole packets)", c.Name(), x.addr)
	}
	var m sim.Msg
	if x.store {
		x.write.Address, x.write.Data = x.addr, memory.Zeros(64)
		x.write.Dst, x.write.SendTime, x.write.TrafficBytes = home.Ports[k], now, 64
		m = &x.write
	} else {
		x.read.Address, x.read.AccessByteSize = x.addr, 64
		x.read.Dst, x.read.SendTime = home.Ports[k], now
		m = &x.read
	}
	x.busy = true
	c.under++
	if c.memory.Send(m) != nil {
		return fmt.Errorf("tsim4cxl: %s: the wire refused a message after it had room", c.Name())
	}
	return nil
}

// completed takes an answer of the memory; the number after the last dot is the line.
func (c *Comp) completed(id string, t int64) error {
	n, unit := 0, 1
	for i := len(id) - 1; i >= 0 && '0' <= id[i] && id[i] <= '9' && unit < 1e9; i-- {
		n += int(id[i]-'0') * unit
		unit *= 10
	}
	if n >= len(c.lines) || !c.lines[n].busy || c.lines[n].id != id {
		return fmt.Errorf("tsim4cxl: %s: an answer to %q, which is not outstanding", c.Name(), id)
	}
	x := c.lines[n]
	x.busy = false
	if c.under--; c.under == 0 && c.waiting.n() == 0 {
		c.stop = min(c.stop, t)
	}
	k := reads
	if x.store {
		k = writes
	}
	c.control.out[k].push(int32(n))
	c.control.back.wake(t, c.period)
	return nil
}

// answered is a line back at its host.
func (c *Comp) answered(p *port, k int, _ int64) {
	i := p.asks[k].list[p.asks[k].head]
	q := &c.requests[i]
	if q.lines++; q.lines < packetLines {
		return
	}
	q.lines = 0
	if q.packets--; q.packets == 0 {
		c.done = append(c.done, p.asks[k].pop())
	}
}

// reply answers requests, as far as the wires take it.
func (c *Comp) reply(now sim.VTimeInSec) error {
	kept := c.done[:0]
	for _, i := range c.done {
		q := &c.requests[i]
		h := c.hosts[q.port]
		if !h.CanSend() {
			kept = append(kept, i)
			continue
		}
		if _, read := q.msg.(*mem.ReadReq); read {
			c.stop = int64(c.ticker.Cycle(now)) // a host waits for it
		}
		if h.Send(c.responses.Respond(q.msg, h, now)) != nil {
			return fmt.Errorf("tsim4cxl: %s: the wire refused a message after it had room", c.Name())
		}
		c.count.answered++
		*q = request{}
		c.spare = append(c.spare, i)
	}
	c.done = kept
	return nil
}

// Waiting implements engine.Waiter.
func (c *Comp) Waiting() []engine.Wait {
	if n := c.count.Reads + c.count.Writes - c.count.answered; n > 0 {
		return []engine.Wait{{Who: c.Name(), For: c.Name() + "'s memory", Why: fmt.Sprintf("%d requests are not answered", n)}}
	}
	return nil
}
