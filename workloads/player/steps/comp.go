package steps

import (
	"fmt"
	"strconv"
	"sync/atomic"

	"github.com/sarchlab/akita/v3/mem/mem"
	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/workloads/service"
)

// Comp executes one program.
type Comp struct {
	*sim.ComponentBase
	spec   Spec
	ticker *engine.Ticker
	faces  []face
	list   []sim.Port
	play   play
	slots  []*slot
	idle   []int32
	done   atomic.Int64 // steps, for other goroutines
	tasks  task.Source
	open   []task.ID // of steps, as in play
	turns  cause.Turns
	count  counters
	stats  *stats.Group
}

// A face is one port and the node at its other end.
type face struct {
	port  *engine.Port
	homes *memory.Map
}

// A slot is one message in flight; it is made once and used again.
type slot struct {
	read   mem.ReadReq
	hint   memory.Hint
	id     string
	step   int
	region int
	at     uint64
	busy   bool
	task   task.ID
}

// portBuffer is how many answers wait at the port; all are taken at once.
const portBuffer = 1024

// New makes a player of program p. It ignores Spec.Work.
func New(name string, e sim.Engine, s Spec, p *service.Program, r random) (*Comp, error) {
	bases, err := s.bases(p)
	if err != nil {
		return nil, err
	}
	c := &Comp{ComponentBase: sim.NewComponentBase(name), spec: s}
	c.play = play{program: p, bases: bases, burst: uint64(s.Burst), ahead: s.Ahead, random: r}
	c.play.init()
	c.open = make([]task.ID, s.Ahead+1)
	c.ticker = engine.NewTicker(e, fine, c)
	c.count.region = make([]uint64, len(p.Regions))
	c.stats = c.newStats()
	return c, nil
}

// Grow implements system.Grower: a port for each link.
func (c *Comp) Grow(_ string, n int) {
	for i := len(c.faces); i < n; i++ {
		p := engine.NewPort(c, fmt.Sprintf("%s.Mem[%d]", c.Name(), i), portBuffer)
		c.AddPort(fmt.Sprintf("Mem[%d]", i), p)
		c.faces, c.list = append(c.faces, face{port: p}), append(c.list, p)
	}
}

// PortSpecs implements system.Node.
func (c *Comp) PortSpecs() []system.PortSpec {
	return []system.PortSpec{{Name: "mem", Protocol: system.Mem, Role: system.Requests, Ports: c.list, Array: true, Elastic: true, Clock: fine, Buffer: min(c.spec.Outstanding, portBuffer)}}
}

// Stats implements system.Node.
func (c *Comp) Stats() *stats.Group { return c.stats }

// SetMap implements system.Requester. After the last map it is an error if a byte of a region has
// no home.
func (c *Comp) SetMap(port string, m *memory.Map) error {
	i := 0
	if _, err := fmt.Sscanf(port, "mem[%d]", &i); err != nil && port != "mem" || i >= len(c.faces) {
		return fmt.Errorf("no port %q", port)
	}
	c.faces[i].homes = m
	for _, f := range c.faces {
		if f.homes == nil {
			return nil
		}
	}
	p := &c.play
	for i := range p.program.Regions {
		r := &p.program.Regions[i]
		share := r.Size
		if n := uint64(len(p.bases[i])); n > 1 {
			share = r.Size/n + uint64(c.spec.Burst) // a turn at most more than its part
		}
		for _, base := range p.bases[i] {
			if at, ok := c.covered(base, share); !ok {
				return fmt.Errorf("region %s (%d bytes from %#x on) leaves the memory at %#x", r.Name, share, base, at)
			}
		}
	}
	return nil
}

// covered reports whether a range of bytes has homes, or the first address without one.
func (c *Comp) covered(base, size uint64) (at uint64, ok bool) {
	for at = base; at < base+size; {
		r := c.rangeOf(at)
		if r == nil {
			return at, false
		}
		at = r.Base + r.Size
	}
	return at, true
}

func (c *Comp) rangeOf(addr uint64) *memory.Range {
	for _, f := range c.faces {
		if r, _, _, ok := f.homes.Find(addr); ok {
			return r
		}
	}
	return nil
}

// Start implements system.Starter.
func (c *Comp) Start() error {
	c.ticker.WakeAt(0)
	return nil
}

// Unit implements system.Counter.
func (*Comp) Unit() string { return "steps" }

// Progress counts the steps that have ended. Any goroutine may call it.
func (c *Comp) Progress() (done, total int64) {
	return c.done.Load(), int64(len(c.play.program.Steps))
}

// NotifyRecv implements sim.Component.
func (c *Comp) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (c *Comp) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { c.ticker.WakeAfter(now) }

// Handle implements sim.Handler.
func (c *Comp) Handle(e sim.Event) error {
	now := e.Time()
	t := c.ticker.Cycle(now)
	for i := range c.faces {
		p := c.faces[i].port
		for m := p.Retrieve(now); m != nil; m = p.Retrieve(now) {
			if err := c.take(m, now, t); err != nil {
				return err
			}
		}
	}
	p := &c.play
	turn := p.turn
	wake := p.advance(t, float64(c.spec.Compute)/1e12)
	c.report(turn, now)
	for i := range p.cursors {
		if err := c.send(&p.cursors[i], now, t); err != nil {
			return err
		}
	}
	c.done.Store(int64(p.turn))
	if p.over() && c.count.end == 0 {
		c.count.end = t
	}
	c.judge(t)
	if wake != never {
		c.ticker.WakeAt(wake)
	}
	return nil
}

// send sends what may be of a region.
func (c *Comp) send(at *cursor, now sim.VTimeInSec, t uint64) error {
	for at.under < c.spec.Outstanding {
		step := at.step
		addr, bytes, ok := c.play.next(at)
		if !ok {
			break
		}
		f, dst, run := c.find(addr)
		if f == nil {
			return fmt.Errorf("steps: %s: address %#x has no home", c.Name(), addr)
		}
		if !f.port.CanSend() {
			break
		}
		bytes = min(bytes, run)
		s := c.slot(f.port)
		s.step, s.region, s.at = step, at.region, t
		s.task = 0
		if c.tasks.On() {
			s.task = c.tasks.Begin(now, task.Request, task.Read, c.stepTask(step, now), bytes)
		}
		s.hint = memory.Hint{Task: s.task}
		s.read.Address, s.read.AccessByteSize, s.read.Dst, s.read.SendTime = addr, bytes, dst, now
		if f.port.Send(&s.read) != nil {
			return fmt.Errorf("steps: %s: the wire refused a message after it had room", c.Name())
		}
		c.play.took(at, bytes)
		c.count.reads++
		c.count.bytes += bytes
		c.count.region[at.region] += bytes
	}
	return nil
}

// find is the way to an address: a port, where it leads, and how far.
func (c *Comp) find(addr uint64) (f *face, dst sim.Port, run uint64) {
	for i := range c.faces {
		if home, k, run, ok := c.faces[i].homes.Find(addr); ok {
			return &c.faces[i], home.Ports[k], run
		}
	}
	return nil, nil, 0
}

func (c *Comp) slot(src sim.Port) *slot {
	var s *slot
	if n := len(c.idle); n > 0 {
		s = c.slots[c.idle[n-1]]
		c.idle = c.idle[:n-1]
	} else {
		s = &slot{id: c.Name() + "." + strconv.Itoa(len(c.slots))}
		s.read.ID, s.read.Info = s.id, &s.hint
		c.slots = append(c.slots, s)
	}
	s.busy, s.read.Src = true, src
	return s
}

// take notes an answer.
func (c *Comp) take(m sim.Msg, now sim.VTimeInSec, t uint64) error {
	switch r := m.(type) {
	case *mem.DataReadyRsp:
	case *memory.ErrorRsp:
		return fmt.Errorf("steps: %s: a request failed: %s", c.Name(), r.Code)
	default:
		return fmt.Errorf("steps: %s: a %T is no answer to a read", c.Name(), m)
	}
	id := m.(sim.Rsp).GetRspTo()
	n, unit := 0, 1
	for i := len(id) - 1; i >= 0 && '0' <= id[i] && id[i] <= '9' && unit < 1e9; i-- {
		n += int(id[i]-'0') * unit
		unit *= 10
	}
	if n >= len(c.slots) || !c.slots[n].busy || c.slots[n].id != id {
		return fmt.Errorf("steps: %s: an answer to %q, which is not outstanding", c.Name(), id)
	}
	s := c.slots[n]
	s.busy = false
	c.tasks.End(now, s.task)
	c.idle = append(c.idle, int32(n))
	c.count.answered++
	c.count.latency += t - s.at
	c.play.answered(s.region, s.step)
	return nil
}

// Waiting implements engine.Waiter.
func (c *Comp) Waiting() []engine.Wait {
	for _, s := range c.slots {
		if s.busy {
			return []engine.Wait{{Who: c.Name(), For: s.read.Dst.Name(), Why: fmt.Sprintf("step %d: %d requests are not answered", c.play.turn, len(c.slots)-len(c.idle))}}
		}
	}
	if !c.play.over() {
		return []engine.Wait{{Who: c.Name(), For: c.Name(), Why: fmt.Sprintf("step %d is under way", c.play.turn)}}
	}
	return nil
}
