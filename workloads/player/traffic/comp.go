package traffic

import (
	"fmt"
	"hash/fnv"
	"strings"
	"sync/atomic"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/noc/network"
)

// fine is the clock of the ports: how long after a cycle the node acts.
var fine = clock.Hz(1e12)

// Buffers: a message may wait for room at the network's terminal, and as many as
// come in a cycle or two may wait to be looked at.
const (
	linkBuffer = 1
	mailbox    = 4
)

// Comp is a source and sink of synthetic traffic.
type Comp struct {
	*sim.ComponentBase
	spec   Spec
	seed   uint64
	at     configs.Value
	ticker *engine.Ticker // of fine
	ports  []*engine.Port // by element
	list   []sim.Port

	net      network.Terminals
	netName  string
	terminal []int32        // of an element
	port     []*engine.Port // of a terminal, or of an element where partial
	partial  bool           // there are terminals of the network that others have
	company  bool           // goes on until the jobs besides have ended
	pace     instant.Cursor
	fine     instant.Cursor

	src      *sources
	pool     pool
	answers  []answers // by terminal; nil without replies
	window   window
	now      int64 // cycle
	out      int64 // packets under way
	change   int   // next of the changes
	state    state
	search   search
	finished atomic.Int64
	parts    stranding // the network, if its channels fail during the run
	stranded bool      // packets will never come

	sharing
	direct *direct // nil: by messages

	tasks task.Source
	count counters
	stats *stats.Group

	assumptions []string
}

// state is the phase of the node.
type state uint8

const (
	running state = iota
	emptying
	done
)

// New makes a traffic node without ports; Grow adds them.
func New(name string, e sim.Engine, s Spec, seed uint64) *Comp {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never fails, see hash.Hash
	c := &Comp{ComponentBase: sim.NewComponentBase(name), spec: s, seed: seed ^ h.Sum64(), pool: pool{name: name}}
	c.ticker = engine.NewTicker(e, fine, c)
	c.fine = instant.NewCursor(fine)
	c.stats = c.newStats()
	return c
}

// Grow implements system.Grower.
func (c *Comp) Grow(_ string, n int) {
	for i := len(c.ports); i < n; i++ {
		p := engine.NewPort(c, fmt.Sprintf("%s.Net[%d]", c.Name(), i), mailbox)
		c.ports, c.list = append(c.ports, p), append(c.list, p)
		c.AddPort(fmt.Sprintf("Net[%d]", i), p)
	}
}

// PortSpecs implements system.Node.
func (c *Comp) PortSpecs() []system.PortSpec {
	return []system.PortSpec{{
		Name: "net", Protocol: system.Net, Role: system.Peers, Ports: c.list, Array: true, Elastic: true, Clock: fine, Buffer: linkBuffer,
	}}
}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.stats }

// SetPeers implements system.Neighbour.
func (c *Comp) SetPeers(port string, peers []system.Peer) error {
	var i int
	if _, err := fmt.Sscanf(port, "net[%d]", &i); err != nil {
		return fmt.Errorf("no port %q", port)
	}
	var t int32
	var at *system.Peer
	var net network.Terminals
	for k := range peers {
		if n, ok := peers[k].Node.(network.Terminals); ok && peers[k].Hops == 0 {
			at, net = &peers[k], n
		}
	}
	if at == nil {
		return fmt.Errorf("port %s is not linked to a terminal of a network", port)
	}
	if _, err := fmt.Sscanf(at.Local, "terminal[%d]", &t); err != nil {
		return fmt.Errorf("port %s is linked to %s of %s, which is no terminal", port, at.Local, at.Node.Name())
	}
	switch {
	case c.net == nil:
		c.net, c.netName = net, at.Node.Name()
		n := len(c.ports)
		c.partial = n != net.Topology().Terminals()
		c.terminal, c.port = make([]int32, n), make([]*engine.Port, n)
	case c.netName != at.Node.Name():
		return fmt.Errorf("is linked to %s and to %s", c.netName, at.Node.Name())
	}
	c.terminal[i] = t
	if c.partial {
		t = int32(i)
	}
	c.port[t] = c.ports[i]
	if i == len(c.ports)-1 {
		return c.prepare()
	}
	return nil
}

// prepare makes the parts of the node that depend on the network, once it is known.
func (c *Comp) prepare() error {
	top := c.patterned()
	n := top.Terminals()
	if x, ok := c.net.(losing); ok && c.partial && x.Fails() {
		return fmt.Errorf("drives %d of the terminals of %s, whose channels fail during the run (want all of them, or no failures)", n, c.netName)
	}
	if x, ok := c.net.(network.PeerTrafficUser); ok {
		c.adopt(x.PeerTraffic())
	}
	small := c.spec.Packet
	if c.spec.Reply > 0 {
		small = min(small, c.spec.Reply)
	}
	if small*c.net.Width() < c.net.Header() {
		return fmt.Errorf("a packet of %d flits of %d B has no room for the header of %d B", small, c.net.Width(), c.net.Header())
	}
	c.pace = instant.NewCursor(c.net.Clock())
	c.src = newSources(n)
	var err error
	if c.src.pattern, err = c.spec.Pattern.make(top, c.seed); err != nil {
		return c.partly(err)
	}
	for i := range c.spec.Changes.list {
		x := &c.spec.Changes.list[i].pattern
		if x.parts == nil {
			continue
		}
		if _, err := x.make(top, c.seed); err != nil {
			return c.partly(err)
		}
	}
	if c.spec.Reply > 0 {
		c.answers = make([]answers, n)
	}
	return nil
}

// adopt sets keys that the configuration leaves out to the defaults of the network: packet,
// process, rules.
func (c *Comp) adopt(x *network.PeerTraffic) {
	if x == nil || !c.at.Exists() {
		return
	}
	var set []string
	if !c.at.Get("packet").Exists() {
		c.spec.Packet = x.Packet
		set = append(set, fmt.Sprintf("packet %d", x.Packet))
	}
	if !c.at.Get("process").Exists() {
		c.spec.Process.Queue = x.Queue
		set = append(set, "process.queue "+x.Queue)
	}
	if !c.at.Get("rules").Exists() {
		c.spec.Rules = Rules{Sample: x.Sample, Warmup: x.Warmup, Samples: x.Samples, Change: x.Change, Count: x.Count, Limit: x.Limit}
		set = append(set, fmt.Sprintf("rules of %d samples of %d cycles, the first thrown away, packets that %s", x.Samples, x.Sample, x.Count))
	}
	if set != nil {
		c.assumptions = append(c.assumptions, fmt.Sprintf("%s: as %s has it, where nothing else is said: %s", c.Name(), x.Name, strings.Join(set, ", ")))
	}
}

// Assumptions implements system.Assumer.
func (c *Comp) Assumptions() []string { return c.assumptions }

// Start implements system.Starter.
func (c *Comp) Start() error {
	if c.net == nil {
		return fmt.Errorf("traffic: %s is linked to no network", c.Name())
	}
	if c.spec.Search.Repeats > 0 {
		c.search.begin(c.spec.Search, c.spec.most())
	}
	if x, ok := c.net.(losing); ok {
		x.OnLoss(c.lose)
		if p, ok := c.net.(stranding); ok && x.Fails() {
			c.parts = p
		}
	}
	c.begin(0)
	c.drive()
	c.ticker.WakeAt(c.actAt(0))
	return nil
}

// begin starts a measurement.
func (c *Comp) begin(now int64) {
	load, seed := c.spec.Load, c.seed
	if c.spec.Search.Repeats > 0 {
		load = c.search.load
		seed += uint64(c.search.trials) * 0x9e3779b97f4a7c15 // fresh numbers for each trial
	}
	c.src.process, _ = c.spec.process(load)
	c.src.begin(now, seed)
	c.window.begin(now, c.spec.Rules, len(c.port), c.spec.Search.Repeats == 0)
	if c.company {
		c.window.open()
	}
	c.state = running
}

// actAt is the instant, in cycles of fine, in which the node acts for a cycle:
// right after the network's cycle of that number.
func (c *Comp) actAt(n int64) uint64 { return c.fine.After(c.pace.Time(uint64(n))) }

// NotifyRecv implements sim.Component: the node looks at its ports in the cycle.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.wake(now) }

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.wake(now) }

// wake is needed only while no cycle wakes the node anyway.
func (c *Comp) wake(now sim.VTimeInSec) {
	switch {
	case c.state == done || c.stranded:
		c.ticker.WakeAfter(now)
	case c.company:
		c.ticker.WakeAt(c.actAt(int64(c.pace.AtOrBefore(now)) + 1))
	}
}

// Handle implements sim.Handler: one cycle.
func (c *Comp) Handle(e sim.Event) error {
	if c.direct != nil {
		return c.direct.handle(e.Time())
	}
	c.now = int64(c.pace.AtOrBefore(e.Time()))
	for _, p := range c.ports {
		for p.Len() > 0 {
			c.take(p.Retrieve(e.Time()), e.Time())
		}
	}
	if c.state == done {
		return nil
	}
	if err := c.act(e.Time()); err != nil {
		return err
	}
	if n := c.nextAct(); c.state != done && !c.stranded && n != far {
		c.ticker.WakeAt(c.actAt(n))
	}
	return nil
}

// take notes a packet that has come.
func (c *Comp) take(m sim.Msg, now sim.VTimeInSec) {
	p, ok := m.(*packet)
	if !ok {
		panic(fmt.Sprintf("traffic: %s got a %T", c.Name(), m))
	}
	// The network's cycle 1 is cycle 0.
	arrived := int64(p.stamp.Arrived) - 1
	c.out--
	c.tasks.End(now, p.task)
	x := trip{
		src: p.src, flits: p.flits, hops: p.stamp.Hops, created: p.created,
		taken: int64(p.stamp.Taken) - 1, injected: int64(p.stamp.Injected) - 1, arrived: arrived, reply: p.reply, born: p.born,
	}
	c.count.arrive(&x)
	c.window.come(&x)
	if c.answers != nil && !p.reply && c.state == running {
		c.answers[p.dst].push(answer{p.src, arrived + 1, p.created})
	}
	c.pool.give(p)
}

// rule decides whether the measurement continues, and reports whether the node sends.
func (c *Comp) rule() bool {
	c.strand()
	if c.state == running && c.window.cycle(c.now, c.src.due) {
		c.state = emptying
		for i := range c.answers {
			c.answers[i] = answers{}
		}
	}
	if c.state == emptying {
		if c.out > 0 {
			return false
		}
		if c.spec.Search.Repeats > 0 && c.search.next(c.window.saturated || c.window.short(c.search.load, c.spec.scatter(c.search.load)), c.window.perActive()) {
			c.begin(c.now)
		} else {
			c.state = done
			c.finished.Store(1)
			return false
		}
	}
	return true
}

// act is the node's part of a cycle.
func (c *Comp) act(now sim.VTimeInSec) error {
	if !c.rule() {
		return nil
	}
	if err := c.apply(); err != nil {
		return err
	}
	for t, due := range c.src.due {
		if c.answers != nil && c.answers[t].len() > 0 {
			if c.port[t].CanSend() {
				a := c.answers[t].pop()
				p := c.packet(t, int(a.dst), c.spec.Reply, a.created)
				p.reply, p.born = true, a.born
				if err := c.send(p, now); err != nil {
					return err
				}
			}
			continue
		}
		if due > c.now {
			continue
		}
		if !c.port[t].CanSend() {
			if c.spec.Process.Queue == "none" {
				c.src.skip(t, c.now)
			}
			continue
		}
		if dst := c.src.next(t); dst >= 0 {
			if err := c.send(c.packet(t, dst, c.spec.Packet, due), now); err != nil {
				return err
			}
		}
	}
	return nil
}

// packet makes a packet.
func (c *Comp) packet(src, dst, flits int, created int64) *packet {
	p := c.pool.take()
	p.src, p.dst, p.flits, p.created, p.reply = int32(src), int32(dst), int32(flits), created, false
	p.Src, p.Dst = c.port[src], c.port[dst]
	p.TrafficBytes = flits*c.net.Width() - c.net.Header()
	return p
}

// send puts a packet on the link of its terminal, which has room.
func (c *Comp) send(p *packet, now sim.VTimeInSec) error {
	p.SendTime = now
	p.task = c.tasks.Begin(now, task.Request, what(p), 0, uint64(p.TrafficBytes))
	if c.port[p.src].Send(p) != nil {
		return fmt.Errorf("traffic: %s: the link of terminal %d refused a packet after it had room", c.Name(), p.src)
	}
	c.out++
	c.count.send(p.flits)
	c.window.send(p.flits, p.created)
	return nil
}

func what(p *packet) task.What {
	if p.reply {
		return task.Answer
	}
	return task.Send
}

// Tasks implements task.Reporter: a packet from its sending to its arrival.
func (c *Comp) Tasks() *task.Source { return &c.tasks }

// apply makes the changes that are due.
func (c *Comp) apply() error {
	for list := c.spec.Changes.list; c.change < len(list) && list[c.change].at <= c.now; c.change++ {
		x := &list[c.change]
		if x.pattern.parts != nil {
			p, err := x.pattern.make(c.patterned(), c.seed)
			if err != nil {
				return err
			}
			c.src.pattern = p
		}
		if x.load >= 0 {
			c.src.process, _ = c.spec.process(x.load)
		}
		c.src.change(c.now)
	}
	return nil
}

// Progress is the progress of the measurement. Any goroutine may call it.
func (c *Comp) Progress() (part, total int64) { return c.finished.Load(), 1 }

// Waiting implements engine.Waiter.
func (c *Comp) Waiting() []engine.Wait {
	if c.state == done {
		return nil
	}
	return []engine.Wait{{Who: c.Name(), For: c.netName, Why: fmt.Sprintf("%d packets are under way", c.out)}}
}
