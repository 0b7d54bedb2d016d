package cache

import (
	"fmt"
	"math/bits"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/components/system"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cache/content"
	"github.com/causeway-sim/causeway/memory/cache/prefetch"
	"github.com/causeway-sim/causeway/memory/cache/reuse"
	"github.com/causeway-sim/causeway/memory/cache/tagstore"
	"github.com/causeway-sim/causeway/memory/cache/tally"
	"github.com/causeway-sim/causeway/memory/cache/tensor"
	"github.com/causeway-sim/causeway/memory/policy"
)

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
	*b = base{
		ComponentBase: sim.NewComponentBase(name), spec: s, clock: s.Clock.Clock, core: core,
		shift: uint(bits.TrailingZeros64(uint64(s.Line))), tensors: tensor.New(core.Policies()...),
	}
	b.clean, b.around = s.Write != "back", s.Write == "around"
	b.sector = b.shift - uint(bits.Len(uint(s.Sectors))-1)
	_, b.foresight = core.Policy().(policy.Clairvoyant)
	b.ticker = engine.NewTicker(e, b.clock, self)
	b.top = engine.NewPort(self, name+".Top", topBuffer)
	b.below.port = engine.NewPort(self, name+".Bottom", bottomBuffer)
	b.below.calls = memory.NewCalls[purpose](b.below.port)
	b.AddPort("Top", b.top)
	b.AddPort("Bottom", b.below.port)
	b.detail = tally.NewDetail(s.Detail, s.Slices)
	if s.Functional {
		b.bytes = content.New(uint64(s.Line), core.Has)
	}
	if s.ReuseDistance {
		b.reuse = reuse.New()
	}
	if s.Prefetch.Name == "stream" {
		b.streams = prefetch.NewStreams(uint64(s.Line), s.Prefetch.Degree)
	}
	b.startInclusion()
	b.stats = b.newStats()
	return nil
}

// bottomBuffer is how many answers wait at the lower port; all are taken at once.
const bottomBuffer = 1024

// PortSpecs implements system.Node.
func (b *base) PortSpecs() []system.PortSpec {
	return []system.PortSpec{
		{Name: "top", Protocol: system.Mem, Role: system.Responds, Ports: []sim.Port{b.top}, Many: true, Clock: b.clock},
		{Name: "bottom", Protocol: system.Mem, Role: system.Requests, Ports: []sim.Port{b.below.port}, Many: true, Clock: b.clock},
	}
}

// Stats implements system.Node.
func (b *base) Stats() *stats.Group { return b.stats }

// SetMap implements system.Requester.
func (b *base) SetMap(_ string, m *memory.Map) error {
	b.below.homes = m
	if err := b.includes(m); err != nil {
		return err
	}
	b.startFlush()
	if !b.spec.Functional {
		return m.TimingOnly(b.Name())
	}
	return nil
}

// CarriesBytes implements memory.Carrier.
func (b *base) CarriesBytes() bool { return b.spec.Functional }

// Below implements system.Relay.
func (b *base) Below(string) []string { return []string{"bottom"} }

// Foresees implements memory.Foreseer.
func (b *base) Foresees() (uint64, bool) { return uint64(b.spec.Line), b.foresight }

// NotifyRecv implements sim.Component.
func (b *base) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { b.ticker.WakeAfter(now) }

// NotifyPortFree implements sim.Component.
func (b *base) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { b.ticker.WakeAfter(now) }

// accept notes a request and returns its number.
func (b *base) accept(msg sim.Msg, cycle uint64) (uint32, error) {
	q, ok := memory.RequestOf(msg)
	if !ok {
		panic(fmt.Sprintf("cache: %s at cycle %d: %T is no memory request", b.Name(), cycle, msg))
	}
	i := b.note(q, cycle)
	r := b.requests.At(i)
	r.msg = msg
	if b.tasks.On() {
		b.beginTask(r)
	}
	b.takeBytes(r)
	if b.foresight {
		return i, b.foreseen(r)
	}
	return i, nil
}

// SetPeers implements system.Neighbour: a policy that looks ahead wants one requester.
func (b *base) SetPeers(port string, peers []system.Peer) error {
	var first system.Node
	for _, p := range peers {
		if _, asks := p.Node.(system.Requester); port != "top" || !b.foresight || p.Hops > 0 || !asks {
			continue
		}
		if first != nil && p.Node != first {
			return memory.BadInputf("policy %s wants a single requester, since %s and %s do not know each other's future", b.spec.Policy.Name, first.Name(), p.Node.Name())
		}
		first = p.Node
	}
	return nil
}

// note makes a request of what was asked for, and counts it.
func (b *base) note(q memory.Request, cycle uint64) uint32 {
	i := b.requests.Take()
	b.count.Count(q)
	*b.requests.At(i) = request{hint: q.Hint, addr: q.Addr, bytes: q.Bytes, write: q.Write, at: cycle, order: b.count.Requests()}
	if b.count.Requests() == 1 {
		b.count.first = cycle
	}
	return i
}

// from is the port that a request came from.
func (b *base) from(r *request) sim.Port {
	if b.gate != nil {
		return b.gate.From
	}
	return r.msg.Meta().Src
}

// foreseen checks that a request tells the next uses of its lines, and that there
// is one requester only: two do not know of each other.
func (b *base) foreseen(r *request) error {
	src := b.from(r)
	if b.source == nil {
		b.source = src
	}
	switch {
	case r.hint == nil || len(r.hint.Next) != b.lines(r):
		return memory.BadInputf("%s: policy %s wants to know the next use of every line, which %s does not tell (a driver that plays a trace does)", b.Name(), b.spec.Policy.Name, src.Name())
	case b.source != src:
		return memory.BadInputf("%s: policy %s wants a single requester, since %s and %s do not know each other's future", b.Name(), b.spec.Policy.Name, b.source.Name(), src.Name())
	}
	return nil
}

// touch is the access of a request to its k-th line.
func (b *base) touch(r *request, k int) tagstore.Touch {
	line := r.addr>>b.shift + uint64(k)
	if !r.write && b.spec.Sectors == 1 && !b.foresight && len(b.spec.Regions) == 0 { // most are
		t := tagstore.Touch{Access: policy.Access{Line: line}, Sectors: 1, Clean: b.clean}
		if h := r.hint; h != nil {
			t.PC, t.Core, t.Reuse, t.Tensor = h.PC, h.Core, h.Reuse, b.tensors.Of(h)
		}
		return t
	}
	t := tagstore.Touch{Access: policy.Access{Line: line, Write: r.write}, Sectors: 1, Clean: b.clean}
	from, to := b.span(r, line)
	if b.spec.Sectors > 1 {
		lo, hi := from>>b.sector&uint64(b.spec.Sectors-1), (to-1)>>b.sector&uint64(b.spec.Sectors-1)
		t.Sectors = uint8(1<<(hi+1) - 1<<lo)
	}
	if r.write {
		t.Whole = t.Sectors
		if size := uint64(1) << b.sector; from&(size-1) != 0 || to&(size-1) != 0 {
			lo, hi := (from+size-1)>>b.sector, to>>b.sector
			t.Whole = 0
			if first := line << (b.shift - b.sector); lo < hi {
				t.Whole = uint8(1<<(hi-first) - 1<<(lo-first))
			}
		}
		if b.bytes != nil {
			t.Whole = b.unmasked(r, line, t.Whole)
		}
		if b.incl.below { // which has to know of the line
			t.Whole = 0
		}
		t.NoFill = b.around || r.hint != nil && r.hint.Passing
	}
	if h := r.hint; h != nil {
		t.PC, t.Core, t.Reuse, t.Tensor = h.PC, h.Core, h.Reuse, b.tensors.Of(h)
		if b.foresight {
			t.Next = h.Next[k]
		}
	}
	if len(b.spec.Regions) > 0 {
		b.classify(r, &t)
	}
	return t
}

// waitsFor names who is to take the answer of a request: a flush of the cache's own has
// none but itself.
func (b *base) waitsFor(r *request) string {
	if from := b.from(r); from != nil {
		return from.Name()
	}
	return b.Name()
}

// Waiting implements engine.Waiter.
func (b *base) Waiting() []engine.Wait {
	var out []engine.Wait
	if b.flushing() {
		out = append(out, engine.Wait{Who: b.Name(), For: b.Name(), Why: "the flush has not begun"})
	}
	if n := b.below.inFlight(); n > 0 {
		out = append(out, engine.Wait{Who: b.Name(), For: b.below.waits().Name(), Why: fmt.Sprintf("%d requests below are not answered", n)})
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
