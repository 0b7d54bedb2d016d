package engine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// reqMsg is a request or, going back, its response.
type reqMsg struct {
	sim.MsgMeta
	from, seq int
}

func (m *reqMsg) Meta() *sim.MsgMeta { return &m.MsgMeta }

// waker is what a part of the test system ticks with: our Ticker or Akita's.
type waker interface{ TickLater(sim.VTimeInSec) }

type ownWaker struct{ *Ticker }

func (w ownWaker) TickLater(now sim.VTimeInSec) { w.WakeAfter(now) }

// part is a requester or a responder. It follows the rules of the house: it
// sends and retrieves in primary events, and notifications only wake it.
type part struct {
	*sim.ComponentBase
	wake  waker
	port  sim.Port
	step  func(now sim.VTimeInSec) bool // one cycle; false: nothing to do until notified
	lines []string
}

func (p *part) NotifyRecv(now sim.VTimeInSec, _ sim.Port)     { p.wake.TickLater(now) }
func (p *part) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { p.wake.TickLater(now) }

func (p *part) Handle(e sim.Event) error {
	if p.step(e.Time()) {
		p.wake.TickLater(e.Time())
	}
	return nil
}

func (p *part) log(now sim.VTimeInSec, format string, args ...any) {
	p.lines = append(p.lines, fmt.Sprintf("%.15g ", float64(now))+fmt.Sprintf(format, args...))
}

// partSpec says how one part is built.
type partSpec struct {
	Clock     int // index into partClocks
	AkitaTick bool
	AkitaPort bool
	Capacity  int
	Opts      EndOptions
	Messages  int // requester: how many requests
	Window    int // requester: how many outstanding
	PerCycle  int // how many messages it moves in a cycle
	Busy      int // responder: every so many cycles it does nothing
}

var partClocks = []clock.Clock{clock.GHz, clock.Hz(940e6), clock.Period(416, 1e12), clock.Hz(2e9), clock.Hz(333e6)}

// systemSpec is requesters, a responder and what connects them.
type systemSpec struct {
	Direct     bool      // sim.DirectConnection in place of a Wire
	Relay      *partSpec // between two wires, if there is one: passes messages on unchanged
	Responder  partSpec
	Requesters []partSpec
}

func newPart(e sim.Engine, name string, s partSpec, conn sim.Connection) *part {
	p := &part{ComponentBase: sim.NewComponentBase(name)}
	c := partClocks[s.Clock]
	if s.AkitaTick {
		p.wake = sim.NewTickScheduler(p, e, instant.Freq(c))
	} else {
		p.wake = ownWaker{NewTicker(e, c, p)}
	}
	if s.AkitaPort {
		p.port = sim.NewLimitNumMsgPort(p, s.Capacity, name+".Port")
	} else {
		p.port = NewPort(p, name+".Port", s.Capacity)
	}
	if w, ok := conn.(*Wire); ok {
		w.Attach(p.port, c, s.Opts)
	} else {
		conn.PlugIn(p.port, s.Opts.Buffer)
	}
	return p
}

// build makes the system on an engine. The parts are plugged in and started in
// the order given, which must not matter on a Wire.
func (s systemSpec) build(e sim.Engine, order []int) []*part {
	var low sim.Connection
	if s.Direct {
		low = sim.NewDirectConnection("Low", e, sim.GHz)
	} else {
		low = NewWire("Low", e)
	}
	high := low
	if s.Relay != nil {
		high = NewWire("High", e)
	}
	n := len(s.Requesters)
	parts := make([]*part, n+1, n+2)
	if s.Relay != nil {
		parts = append(parts, s.relay(e, low.(*Wire), high.(*Wire)))
	}
	for _, i := range order {
		if i < n {
			parts[i] = newPart(e, fmt.Sprintf("Req[%d]", i), s.Requesters[i], low)
		} else if i == n {
			parts[i] = newPart(e, "Rsp", s.Responder, high)
		}
	}
	rsp := parts[n]
	rsp.step = s.Responder.respond(rsp)
	for i, r := range s.Requesters {
		parts[i].step = r.request(parts[i], i, rsp.port)
	}
	for _, i := range order {
		parts[i].wake.TickLater(0)
	}
	return parts
}

// relay makes a component with a port on each wire. It leaves Src and Dst as
// they are: on the low wire it is the uplink.
func (s systemSpec) relay(e sim.Engine, low, high *Wire) *part {
	p := &part{ComponentBase: sim.NewComponentBase("Relay")}
	c := partClocks[s.Relay.Clock]
	p.wake = ownWaker{NewTicker(e, c, p)}
	opts := s.Relay.Opts
	up := NewPort(p, "Relay.Up", s.Relay.Capacity)
	high.Attach(up, c, opts)
	opts.Uplink = true
	down := NewPort(p, "Relay.Down", s.Relay.Capacity)
	low.Attach(down, c, opts)
	p.step = func(now sim.VTimeInSec) bool {
		moved := false
		for _, x := range [][2]*Port{{up, down}, {down, up}} {
			for range s.Relay.PerCycle {
				if x[0].Peek() == nil || !x[1].CanSend() {
					break
				}
				m := x[0].Retrieve(now).(*reqMsg)
				p.log(now, "%s passes %d.%d", x[0].Name(), m.from, m.seq)
				x[1].Send(m)
				moved = true
			}
		}
		return moved
	}
	return p
}

func (s partSpec) request(p *part, me int, dst sim.Port) func(sim.VTimeInSec) bool {
	rnd := rand.New(rand.NewPCG(uint64(me), 7))
	sent, got := 0, 0
	return func(now sim.VTimeInSec) bool {
		moved := false
		for range s.PerCycle {
			m, ok := p.port.Retrieve(now).(*reqMsg)
			if !ok {
				break
			}
			got++
			moved = true
			p.log(now, "got %d.%d", m.from, m.seq)
		}
		for range s.PerCycle {
			if sent == s.Messages || sent-got >= s.Window {
				break
			}
			m := &reqMsg{from: me, seq: sent}
			m.Src, m.Dst, m.SendTime, m.TrafficBytes = p.port, dst, now, 1+rnd.IntN(200)
			if p.port.Send(m) != nil {
				p.log(now, "refused")
				break
			}
			p.log(now, "sent %d", sent)
			sent++
			moved = true
		}
		return moved
	}
}

func (s partSpec) respond(p *part) func(sim.VTimeInSec) bool {
	n := 0
	return func(now sim.VTimeInSec) bool {
		n++
		if s.Busy > 0 && n%s.Busy == 0 {
			return true // does nothing in this cycle, but is awake
		}
		moved := false
		for range s.PerCycle {
			if p.port.Peek() == nil || !p.port.CanSend() {
				break
			}
			m := p.port.Retrieve(now).(*reqMsg)
			p.log(now, "serves %d.%d", m.from, m.seq)
			m.Src, m.Dst, m.SendTime = m.Dst, m.Src, now
			if p.port.Send(m) != nil {
				panic("CanSend and Send disagree")
			}
			moved = true
		}
		return moved
	}
}

// run builds and runs the system and returns what every part saw.
func (s systemSpec) run(t require.TestingT, e sim.Engine, order []int) string {
	parts := s.build(e, order)
	require.NoError(t, e.Run())
	var b strings.Builder
	for _, p := range parts {
		fmt.Fprintf(&b, "%s\n  %s\n", p.Name(), strings.Join(p.lines, "\n  "))
	}
	total := 0
	for i, r := range s.Requesters {
		total += r.Messages
		require.Equal(t, r.Messages, strings.Count(strings.Join(parts[i].lines, "\n"), "got"), "responses of %s", parts[i].Name())
	}
	require.Equal(t, total, strings.Count(b.String(), "serves"))
	return b.String()
}

func (s systemSpec) order() []int {
	o := make([]int, len(s.Requesters)+1)
	if s.Relay != nil {
		o = append(o, 0)
	}
	for i := range o {
		o[i] = i
	}
	return o
}

// conforms runs the system on all engines and demands equal logs.
func (s systemSpec) conforms(t require.TestingT, seeds int) string {
	order := s.order()
	want := s.run(t, New(), order)
	require.Equal(t, want, s.run(t, New(External()), order), "External")
	require.Equal(t, want, s.run(t, sim.NewSerialEngine(), order), "SerialEngine")
	require.Equal(t, want, s.run(t, sim.NewParallelEngine(), order), "ParallelEngine")
	require.Equal(t, want, s.run(t, Adopt(sim.NewSerialEngine()), order), "adopted SerialEngine")
	require.Equal(t, want, s.run(t, Adopt(sim.NewParallelEngine()), order), "adopted ParallelEngine")
	for seed := range seeds {
		if !s.Direct { // sim.DirectConnection rotates in the order of PlugIn
			rand.New(rand.NewPCG(uint64(seed), 1)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		require.Equal(t, want, s.run(t, New(Shuffle(uint64(seed))), order), "seed %d", seed)
	}
	return want
}

// The fixed systems: each thing that the package promises, once.
func TestEnginesAgree(t *testing.T) {
	plain := partSpec{Capacity: 2, Opts: EndOptions{Latency: 1, Buffer: 2}, Messages: 30, Window: 4, PerCycle: 1}
	slow := plain
	slow.Busy, slow.Capacity = 3, 1
	with := func(p partSpec, f func(*partSpec)) partSpec { f(&p); return p }
	akita := func(p *partSpec) { p.AkitaPort, p.AkitaTick = true, true }
	odd := func(c int) func(*partSpec) { return func(p *partSpec) { p.Clock = c; p.Opts.Latency = uint64(c + 1) } }
	systems := map[string]systemSpec{
		"one to one":   {Responder: plain, Requesters: []partSpec{plain}},
		"backpressure": {Responder: slow, Requesters: []partSpec{plain, plain, plain}},
		"odd clocks":   {Responder: with(slow, odd(1)), Requesters: []partSpec{plain, with(plain, odd(2)), with(plain, odd(3)), with(plain, odd(4))}},
		"akita ports":  {Responder: slow, Requesters: []partSpec{with(plain, akita), plain, with(plain, func(p *partSpec) { p.AkitaPort = true })}},
		"all akita":    {Responder: with(slow, akita), Requesters: []partSpec{with(plain, akita), with(plain, akita)}},
		"direct":       {Direct: true, Responder: slow, Requesters: []partSpec{plain, with(plain, akita), with(plain, odd(1))}},
		"bandwidth": {Responder: with(plain, func(p *partSpec) { p.Opts.Bandwidth = 64e9 * 8 }),
			Requesters: []partSpec{with(plain, func(p *partSpec) { p.Opts.Bandwidth = 7e9 * 8; p.PerCycle = 2 }), plain}},
		"relay":  {Relay: &slow, Responder: slow, Requesters: []partSpec{plain, with(plain, odd(2)), with(plain, akita)}},
		"eleven": {Responder: slow, Requesters: []partSpec{plain, plain, plain, plain, plain, plain, plain, plain, plain, plain, plain}},
	}
	for name, s := range systems {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s.conforms(t, 20)
		})
	}
}

// A Wire that unchanged Akita components are plugged into keeps the time that
// sim.DirectConnection keeps.
func TestWireInPlaceOfDirectConnection(t *testing.T) {
	run := func(e sim.Engine, conn sim.Connection, window int) string {
		pair := []*akitaPinger{{limit: 50}, {limit: 50}}
		for i, p := range pair {
			p.TickingComponent = sim.NewTickingComponent(fmt.Sprintf("P[%d]", i), e, sim.GHz, p)
			p.port = sim.NewLimitNumMsgPort(p, 2, fmt.Sprintf("P[%d].Port", i))
			conn.PlugIn(p.port, 2)
		}
		pair[0].peer, pair[1].peer, pair[0].toSend = pair[1].port, pair[0].port, window
		pair[0].TickNow(0)
		require.NoError(t, e.Run())
		return fmt.Sprintf("%d %d %.15g", pair[0].got, pair[1].got, float64(e.CurrentTime()))
	}
	for window := 1; window < 8; window++ {
		s := sim.NewSerialEngine()
		want := run(s, sim.NewDirectConnection("Conn", s, sim.GHz), window)
		for _, e := range []sim.Engine{New(), New(Shuffle(1)), sim.NewSerialEngine(), sim.NewParallelEngine()} {
			require.Equal(t, want, run(e, NewWire("Conn", e), window), "%T, window %d", e, window)
		}
	}
}

// Random systems agree as well.
func TestEnginesAgreeOnRandomSystems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { drawSystem(t).conforms(t, 4) })
}

func drawPart(t *rapid.T, label string) partSpec {
	draw := func(lo, hi int, what string) int { return rapid.IntRange(lo, hi).Draw(t, label+"."+what) }
	flag := func(what string) bool { return rapid.Bool().Draw(t, label+"."+what) }
	s := partSpec{
		Clock: draw(0, len(partClocks)-1, "clock"), AkitaTick: flag("akita tick"), AkitaPort: flag("akita port"),
		Capacity: draw(1, 4, "capacity"),
		Opts:     EndOptions{Latency: uint64(draw(1, 6, "latency")), Buffer: draw(1, 4, "buffer")},
		Messages: draw(0, 20, "messages"), Window: draw(1, 6, "window"), PerCycle: draw(1, 3, "per cycle"),
	}
	if b := draw(0, 3, "busy"); b > 1 {
		s.Busy = b
	}
	if flag("limited") {
		s.Opts.Bandwidth = units.Bandwidth(draw(1, 400, "GB/s") * 8e9)
	}
	return s
}

func drawSystem(t *rapid.T) systemSpec {
	s := systemSpec{Direct: rapid.IntRange(0, 4).Draw(t, "direct") == 0, Responder: drawPart(t, "rsp")}
	if !s.Direct && rapid.Bool().Draw(t, "relayed") {
		r := drawPart(t, "relay")
		s.Relay = &r
	}
	for i := range rapid.IntRange(1, 5).Draw(t, "requesters") {
		s.Requesters = append(s.Requesters, drawPart(t, fmt.Sprintf("req%d", i)))
	}
	return s
}
