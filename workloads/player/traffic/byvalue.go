package traffic

import (
	"math"
	"strconv"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/noc/network"
)

// sharing is how many cores share the network, which changes no result.
type sharing struct {
	workers int
	divided bool // several can
	whole   string
}

// Share implements system.Sharer.
func (s *sharing) Share(workers int) { s.workers = workers }

// Shared implements system.Sharer.
func (s *sharing) Shared() bool { return s.divided }

// Whole implements system.Whole.
func (s *sharing) Whole() string { return s.whole }

// Stride implements system.Strider. It is equal with messages and by value, so the figures of a
// report are equal too.
func (c *Comp) Stride() sim.VTimeInSec {
	if s, ok := c.net.(network.Strider); ok {
		return instant.Of(c.net.Clock(), uint64(s.Stride()))
	}
	return 0
}

// Scale implements system.Scaler.
func (c *Comp) Scale() {
	if c.direct == nil {
		return
	}
	if s, ok := c.direct.net.(network.Scaler); ok {
		s.Scale()
	}
}

// Estimate implements system.Scaler.
func (c *Comp) Estimate(cores []int) (times []float64, windows, parts int) {
	if c.direct == nil {
		return nil, 0, 0
	}
	s, ok := c.direct.net.(network.Scaler)
	if !ok {
		return nil, 0, 0
	}
	return s.Estimate(cores)
}

// byValue is a network that takes packets by value.
type byValue interface {
	DriveByValue(flits int) network.ByValue
	Followed() bool
}

// direct passes packets by value. The node acts right after each cycle of the network, as with
// messages. In one event it simulates all cycles up to the next other event or change of rules.
type direct struct {
	c      *Comp
	net    network.ByValue
	shell  byValue
	engine *engine.Engine
	steps  *engine.Ticker // the network's cycles
	time   instant.Cursor // of them

	shares  []share
	ahead   int64             // cycles in which the parts of the network know nothing of each other
	tasks   map[int32]task.ID // of packets under way, while they are followed
	follow  bool
	last    int64 // cycle of the network that is simulated last
	offered bool  // what is due in the cycle has been offered, and the network has not moved
}

// A share is the node's state for one part of the network: its terminals, and its counts since the
// last join.
type share struct {
	first, end int // terminals
	window     window
	count      counters
	late       []trip   // came in the last cycle: the node sees them when it acts next
	trip       trip     // scratch
	_          [64]byte // no two in a line of a processor's cache
}

// drive makes the network take packets by value, if it can, all links are plain, and packets have
// no replies.
func (c *Comp) drive() {
	shell, ok := c.net.(byValue)
	switch {
	case !ok:
		c.whole = "the network of " + c.Name() + " takes messages only"
		return
	case c.partial:
		c.whole = c.Name() + " has not all terminals of its network"
		return
	case c.spec.Reply > 0:
		c.whole = "packets of " + c.Name() + " ask for answers (reply)"
		return
	}
	var own *engine.Engine
	for _, p := range c.ports {
		near, far, e, ok := p.Carries()
		switch {
		case e == nil || len(far) != 1 || near.Latency != 1 || far[0].Latency != 1:
			c.whole = "links of " + c.Name() + " have a latency or a bandwidth, or are watched (--timeline)"
			return
		case !ok:
			c.whole = "everything is a message (--messages, or an engine other than causeway and shuffle)"
			return
		}
		own = e
	}
	net := shell.DriveByValue(c.spec.Packet)
	if net == nil {
		if x, ok := c.net.(losing); ok && x.Fails() {
			c.whole = "channels of the network of " + c.Name() + " fail during the run"
			return
		}
		c.whole = "the network of " + c.Name() + " is not of fidelity flit, or takes no packets of " + strconv.Itoa(c.spec.Packet) + " flits by value"
		return
	}
	d := &direct{c: c, net: net, shell: shell, engine: own, tasks: map[int32]task.ID{}, time: instant.NewCursor(c.net.Clock())}
	d.steps = engine.NewTicker(own, c.net.Clock(), (*stepper)(d))
	ends, ahead := net.Drive(d)
	d.ahead = ahead
	d.shares = make([]share, len(ends))
	first := 0
	for i, end := range ends {
		s := &d.shares[i]
		s.first, s.end, first = first, end, end
		s.window.shared, s.window.ejectedBy = len(ends) > 1, c.window.ejectedBy
		c.window.shares = append(c.window.shares, &s.window)
	}
	c.direct, c.divided = d, len(ends) > 1
	if w, ok := net.(system.Whole); ok && !c.divided {
		c.whole = "the network of " + c.Name() + " stays whole: " + w.Whole()
	}
}

// handle is the node's part of a cycle, and the cycles that follow until the next event.
func (d *direct) handle(now sim.VTimeInSec) error {
	c := d.c
	c.now = int64(c.pace.AtOrBefore(now))
	for i := range d.shares {
		d.shares[i].see()
	}
	d.join()
	if c.state == done {
		return nil
	}
	if sends := c.rule(); c.state == done {
		if last := d.net.Last(); last > c.now { // the network comes to rest
			d.steps.WakeAt(uint64(last))
		}
		return nil
	} else if sends {
		if err := c.apply(); err != nil {
			return err
		}
	}
	d.prepare()
	d.follow = d.c.tasks.Wants(task.Request) || d.shell.Followed() || len(d.tasks) > 0
	n := d.stretch()
	if n == 0 { // another event comes before the network's next cycle
		for i := range d.shares {
			d.Offer(i, c.now)
		}
		d.offered = true
		d.join()
		d.steps.WakeAt(uint64(c.now + 1))
		return nil
	}
	return d.run(n)
}

// stepper moves the network in its own instants, for handle.
type stepper direct

// Handle implements sim.Handler.
func (s *stepper) Handle(sim.Event) error {
	d := (*direct)(s)
	if d.c.state == done {
		d.last = none
		return d.net.Run(d.c.now, d.net.Last(), false, d.c.workers)
	}
	return d.run(max(1, d.stretch()))
}

// Name is the node's.
func (s *stepper) Name() string { return s.c.Name() }

// run simulates cycles. What comes in the last of them the node sees when it acts next.
func (d *direct) run(n int64) error {
	c := d.c
	d.last = c.now + n
	if err := d.net.Run(c.now, d.last, d.offered, c.workers); err != nil {
		return err
	}
	d.offered = false
	d.join()
	c.now = d.last - 1
	c.ticker.WakeAt(c.actAt(d.last))
	return nil
}

// stretch is the number of cycles until a rule may change or the next event comes.
func (d *direct) stretch() int64 {
	c := d.c
	next, last := d.engine.Ahead()
	horizon := min(next, last)
	n := int64(math.MaxInt64)
	if !math.IsInf(float64(horizon), 1) && horizon < 1e6 {
		n = int64(d.time.AtOrBefore(horizon)) - c.now
	}
	switch {
	case d.follow:
		n = min(n, 1)
	case c.state == running && c.window.end == far:
		n = min(n, c.window.next-c.now)
	default: // every cycle may be the last
		n = min(n, 1)
	}
	if list := c.spec.Changes.list; c.change < len(list) {
		n = min(n, list[c.change].at-c.now)
	}
	if d.ahead < mostCycles {
		return min(max(n, 0), d.ahead-c.now%d.ahead)
	}
	return min(max(n, 0), mostCycles)
}

// mostCycles bounds those between two events, so that a run can be stopped and looked at.
const mostCycles = 512

// prepare sets the measurement of all shares.
func (d *direct) prepare() {
	w := &d.c.window
	for i := range d.shares {
		s := &d.shares[i].window
		s.rules, s.series, s.start, s.end = w.rules, w.series, w.start, w.end
	}
}

// join adds what the parts have counted.
func (d *direct) join() {
	for i := range d.shares {
		s := &d.shares[i]
		d.c.out += int64(s.count.sent) - int64(s.count.come)
		d.c.count.add(&s.count)
		s.count = counters{}
		d.c.window.join(&s.window)
	}
}

// see counts what has come in the last cycle.
func (s *share) see() {
	for i := range s.late {
		s.count.arrive(&s.late[i])
		s.window.come(&s.late[i])
	}
	s.late = s.late[:0]
}

// Offer implements network.Source.
func (d *direct) Offer(part int, cycle int64) {
	c := d.c
	if c.state != running {
		return
	}
	s := &d.shares[part]
	due := c.src.due
	for t := s.first; t < s.end; t++ {
		if due[t] > cycle {
			continue
		}
		if !d.net.Free(t) {
			if c.spec.Process.Queue == "none" {
				c.src.skip(t, cycle)
			}
			continue
		}
		created := due[t]
		dst := c.src.next(t)
		if dst < 0 {
			continue
		}
		id := d.net.Offer(part, t, dst, c.spec.Packet, created)
		s.count.send(int32(c.spec.Packet))
		s.window.send(int32(c.spec.Packet), created)
		if d.follow {
			bytes := uint64(c.spec.Packet*c.net.Width() - c.net.Header())
			if x := c.tasks.Begin(c.fine.Time(c.actAt(cycle)), task.Request, task.Send, 0, bytes); x != 0 {
				d.tasks[id] = x
			}
		}
	}
}

// Come implements network.Source. The network's cycle 1 is cycle 0.
func (d *direct) Come(part int, p *network.Packet) {
	s := &d.shares[part]
	x := &s.trip // field by field: a copy would wait for its parts to reach the cache
	x.src, x.flits, x.hops, x.created = p.Src, p.Flits, int(p.Hops), p.Due
	x.taken, x.injected, x.arrived = p.Taken-1, p.Injected-1, p.Arrived-1
	if p.Arrived == d.last {
		s.late = append(s.late, *x)
	} else {
		s.count.arrive(x)
		s.window.come(x)
	}
	if d.follow {
		if id, ok := d.tasks[p.ID]; ok {
			d.c.tasks.End(d.c.fine.Time(d.c.actAt(p.Arrived)), id)
			delete(d.tasks, p.ID)
		}
	}
}

// Cause implements network.Source.
func (d *direct) Cause(id int32) task.ID { return d.tasks[id] }

// join adds the counts of a part, without latencies.
func (w *window) join(s *window) {
	w.latest, s.latest = max(w.latest, s.latest), 0
	w.flits, w.created, w.behind = w.flits+s.flits, w.created+s.created, w.behind+s.behind
	w.ejected += s.ejected
	w.packets, w.hops, w.latency, w.net = w.packets+s.packets, w.hops+s.hops, w.latency+s.latency, w.net+s.net
	s.flits, s.created, s.behind, s.ejected = 0, 0, 0, 0
	s.packets, s.hops, s.latency, s.net = 0, 0, 0, 0
	for _, x := range s.came {
		w.ejectedBy[x.src] += uint64(x.flits)
	}
	s.came = s.came[:0]
}

// latencies are those of all parts.
func (w *window) latencies() *stats.Histogram {
	for _, s := range w.shares {
		w.histogram.Take(&s.histogram)
	}
	return &w.histogram
}
