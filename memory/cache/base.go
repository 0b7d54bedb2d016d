package cache

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/block"
	"github.com/causeway-sim/causeway/memory/cache/content"
	"github.com/causeway-sim/causeway/memory/cache/hindsight"
	"github.com/causeway-sim/causeway/memory/cache/inclusion"
	"github.com/causeway-sim/causeway/memory/cache/line"
	"github.com/causeway-sim/causeway/memory/cache/prefetch"
	"github.com/causeway-sim/causeway/memory/cache/reuse"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/cache/tally"
	"github.com/causeway-sim/causeway/memory/cache/tensor"
	"github.com/causeway-sim/causeway/memory/policy"
)

// base is the last layer that both fidelities have: what makes a node of the cache.
type base struct {
	warmup
	spec        Spec
	fillsLate   bool // allocate: fill
	stats       *stats.Group
	assumptions []string
}

// init makes the parts. self is the component that is to be woken.
func (b *base) init(name string, e sim.Engine, s Spec, self interface {
	sim.Handler
	sim.Component
}, at func(key string) configs.Value, topBuffer int) error {
	if err := s.check(at); err != nil {
		return err
	}
	core, err := s.newCore(at)
	if err != nil {
		return err
	}
	*b = base{spec: s}
	b.ports = newPorts(name, e, s.Clock.Clock, topBuffer, self)
	b.layout = line.New(uint64(s.Line), s.Sectors)
	b.foresight.policy = s.Policy.Name
	_, b.foresight.on = core.Policy().(policy.NextUsePolicy)
	if err := b.initLookups(&s, core, at); err != nil {
		return err
	}
	b.core, b.tensors, b.incl = core, tensor.New(core.Policies()...), inclusion.Start(s.Inclusion, core)
	if s.Hindsight {
		b.hindsight = hindsight.New(core.Index(), s.Ways)
	}
	if s.Functional {
		b.bytes = content.New(uint64(s.Line), core.Has)
	}
	b.stats = b.newStats()
	return nil
}

// initLookups takes what a Spec says of lookups.
func (l *lookups) initLookups(s *Spec, core *tagstore.Store, at func(key string) configs.Value) (err error) {
	l.clean, l.around = s.Write != "back", s.Write == "around"
	l.sectored, l.regions = s.Sectors > 1, s.Regions
	l.simple = !l.sectored && !l.foresight.on && len(s.Regions) == 0
	if l.prefetcher, err = prefetch.New(s.Prefetch, prefetch.Geometry{Line: uint64(s.Line), Slots: core.Size()}); err != nil {
		return at("prefetch").Errorf(nil, "%s", err)
	}
	l.detail = tally.NewDetail(s.Detail, s.Slices)
	if s.ReuseDistance {
		l.reuse = reuse.New()
	}
	return nil
}

// Stats implements system.Node.
func (b *base) Stats() *stats.Group { return b.stats }

// Assumptions lists what the cache takes for granted, for the report.
func (b *base) Assumptions() []string { return b.assumptions }

// CarriesBytes implements memory.Carrier.
func (b *base) CarriesBytes() bool { return b.spec.Functional }

// NextUseLine implements memory.NextUseReader.
func (b *base) NextUseLine() (uint64, bool) { return b.layout.Bytes(), b.foresight.on }

// SetMap implements system.Requester.
func (b *base) SetMap(_ string, m *memory.Map) error {
	b.below.Homes = m
	if err := b.includes(m); err != nil {
		return err
	}
	var due uint64
	var known bool
	if b.flush, due, known = b.spec.Flush.Start(b.clock); known {
		b.ticker.WakeAt(due)
	}
	if !b.spec.Functional {
		return m.TimingOnly(b.Name())
	}
	return nil
}

// Finish implements system.Finisher: the flush at the end of the run.
func (b *base) Finish(now sim.VTimeInSec) bool {
	if !b.flush.Finish(b.core.Dirty) {
		return false
	}
	b.ticker.WakeAfter(now)
	return true
}

// ownFlush returns the request of the cache's own flush, which begins.
func (b *base) ownFlush(cycle uint64) *memory.ControlReq {
	return b.flush.Begin(cycle, b.core.Dirty()<<b.layout.Sector)
}

// Asks implements block.Node. Bytes travel in messages, and a flush comes from outside.
func (b *base) Asks() (*engine.Port, *memory.Map, bool) {
	return b.below.Port, b.below.Homes, b.bytes == nil && !b.flush.Planned() && !b.incl.Below && !b.incl.Applies() && !b.tasks.All()
}

// Enter implements block.Node.
func (b *base) Enter(top *block.Link, below *block.Outlet) {
	b.gate, b.below.Out, b.plain = top, below, b.isPlain()
	b.core.LookAtPolicy()
}

// respond answers a request and forgets it.
func (b *base) respond(i uint32, now sim.VTimeInSec, cycle uint64) error {
	r := b.requests.At(i)
	var rsp sim.Msg
	switch m := r.msg.(type) {
	case *memory.ControlReq:
		if b.flush.Own(m) {
			b.flush.Ended = cycle
			break
		}
		rsp = controlResponse(m, b.top, now)
	default:
		rsp = b.responses.Respond(m, b.top, now)
		b.giveBytes(r, rsp)
		b.count.answer(cycle-r.at, cycle)
	}
	if !b.flush.Own(r.msg) && b.top.Send(rsp) != nil {
		return fmt.Errorf("cache: %s: the wire refused a message after it had room", b.Name())
	}
	b.tasks.End(now, r.task)
	if r.drop {
		b.incl.RecallFrom(b.layout.Of(r.addr), r.msg.Meta().Src)
	}
	b.forget(i)
	if b.bytes != nil && b.top.Len() > 0 { // what waits at the port for this answer may be taken from the next cycle on
		b.ticker.WakeAt(cycle + 1)
	}
	return nil
}

func controlResponse(m *memory.ControlReq, src sim.Port, now sim.VTimeInSec) sim.Msg {
	rsp := &memory.ControlRsp{RespondTo: m.ID}
	rsp.ID, rsp.Src, rsp.Dst, rsp.SendTime = "r"+m.ID, src, m.Src, now
	return rsp
}

// Waiting implements engine.Waiter.
func (b *base) Waiting() []engine.Wait {
	var out []engine.Wait
	if b.flush.Pending() {
		out = append(out, engine.Wait{Who: b.Name(), For: b.Name(), Why: "the flush has not begun"})
	}
	if n := b.below.InFlight(); n > 0 {
		out = append(out, engine.Wait{Who: b.Name(), For: b.below.Waits().Name(), Why: fmt.Sprintf("%d requests below are not answered", n)})
	} else if b.open() > 0 {
		for i := range b.requests.All() {
			if r := &b.requests.All()[i]; r.msg != nil || b.gate != nil && r.order > 0 {
				out = append(out, engine.Wait{Who: b.Name(), For: b.waitsFor(r), Why: fmt.Sprintf("%d answers are not sent", b.open())})
				break
			}
		}
	}
	return out
}
