package engine

import (
	"fmt"
	"testing"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// inbox is a component that takes everything at once and says when and what.
type inbox struct {
	*sim.ComponentBase
	tick *Ticker
	port *Port
	log  []string
	told int // NotifyPortFree
}

func newInbox(e sim.Engine, name string, c clock.Clock, capacity int) *inbox {
	b := &inbox{ComponentBase: sim.NewComponentBase(name)}
	b.tick = NewTicker(e, c, b)
	b.port = NewPort(b, name+".Port", capacity)
	return b
}

func (b *inbox) NotifyRecv(now sim.VTimeInSec, _ sim.Port) { b.tick.WakeAfter(now) }
func (b *inbox) NotifyPortFree(sim.VTimeInSec, sim.Port)   { b.told++ }
func (b *inbox) Handle(e sim.Event) error {
	for b.port.Peek() != nil {
		m := b.port.Retrieve(e.Time()).(*reqMsg)
		b.log = append(b.log, fmt.Sprintf("%d: %d.%d", b.tick.Cycle(e.Time()), m.from, m.seq))
	}
	return nil
}

// sendAt schedules a send from p.
func sendAt(t require.TestingT, e sim.Engine, at sim.VTimeInSec, p *Port, m *reqMsg) {
	e.Schedule(&note{at, false, func() error {
		if m.Src == nil {
			m.Src = p
		}
		require.Nil(t, p.Send(m))
		return nil
	}})
}

// The message is seen at c.After(t)+L-1, and not a cycle earlier or later.
func TestLatencyIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.SampledFrom(partClocks).Draw(t, "from")
		to := rapid.SampledFrom(partClocks).Draw(t, "to")
		latency := rapid.Uint64Range(1, 1000).Draw(t, "latency")
		n := rapid.Uint64Range(0, 1e6).Draw(t, "cycle")
		e := New()
		w := NewWire("Wire", e)
		a, b := newInbox(e, "A", from, 1), newInbox(e, "B", to, 1)
		w.Attach(a.port, from, EndOptions{})
		w.Attach(b.port, to, EndOptions{Latency: latency})
		sendAt(t, e, instant.Of(from, n), a.port, &reqMsg{})
		require.NoError(t, e.Run())
		require.Equal(t, []string{fmt.Sprintf("%d: 0.0", instant.After(to, instant.Of(from, n))+latency-1)}, b.log)
	})
}

// Offers of one time: by name with numbers by value, then as sent; not in the
// order of attaching or sending.
func TestOrderOfOneTime(t *testing.T) {
	e := New()
	w := NewWire("Wire", e)
	hub := newInbox(e, "Hub", clock.GHz, 10)
	w.Attach(hub.port, clock.GHz, EndOptions{})
	for _, i := range []int{10, 2, 1} {
		p := newInbox(e, fmt.Sprintf("P[%d]", i), clock.GHz, 1)
		w.Attach(p.port, clock.GHz, EndOptions{})
		for seq := range 2 {
			m := &reqMsg{from: i, seq: seq}
			m.Dst = hub.port
			sendAt(t, e, 3e-9, p.port, m)
		}
	}
	require.NoError(t, e.Run())
	require.Equal(t, []string{"4: 1.0", "4: 1.1", "4: 2.0", "4: 2.1", "4: 10.0", "4: 10.1"}, hub.log)
}

// 64 B per cycle: so many bytes take so many cycles, fractions add up exactly.
func TestBandwidth(t *testing.T) {
	for _, x := range []struct {
		gb    float64 // GB/s at 1 GHz: bytes per cycle
		bytes []int
		seen  []uint64 // sent at cycle 0, latency 1
	}{
		{64, []int{64}, []uint64{1}},
		{64, []int{65}, []uint64{2}},
		{64, []int{128}, []uint64{2}},
		{64, []int{64, 64, 64}, []uint64{1, 2, 3}},
		{64, []int{32, 32, 32, 32}, []uint64{1, 1, 2, 2}},
		{48, []int{64, 64, 64, 64}, []uint64{2, 3, 4, 6}}, // 1.33 2.67 4 5.33
		{1, []int{0, 1, 0, 1}, []uint64{1, 1, 2, 2}},      // an empty one waits for its turn too
	} {
		for _, limited := range []string{"A", "B", "both"} {
			e := New()
			w := NewWire("Wire", e)
			a, b := newInbox(e, "A", clock.GHz, 1), newInbox(e, "B", clock.GHz, 10)
			opts := func(n string) EndOptions {
				o := EndOptions{Buffer: 10}
				if limited == n || limited == "both" {
					o.Bandwidth = units.Bandwidth(x.gb * 8e9)
				}
				return o
			}
			w.Attach(a.port, clock.GHz, opts("A"))
			w.Attach(b.port, clock.GHz, opts("B"))
			var want []string
			for i, n := range x.bytes {
				m := &reqMsg{seq: i}
				m.TrafficBytes = n
				sendAt(t, e, 0, a.port, m)
				want = append(want, fmt.Sprintf("%d: 0.%d", x.seen[i], i))
			}
			require.NoError(t, e.Run())
			require.Equal(t, want, b.log, "%v limited at %s", x, limited)
		}
	}
}

// A long link is a pipeline: its buffer does not bound what is on its way.
func TestLatencyDoesNotThrottle(t *testing.T) {
	e := New()
	w := NewWire("Wire", e)
	a, b := newInbox(e, "A", clock.GHz, 1), newInbox(e, "B", clock.GHz, 1)
	w.Attach(a.port, clock.GHz, EndOptions{Buffer: 1})
	w.Attach(b.port, clock.GHz, EndOptions{Latency: 100})
	for i := range 50 {
		sendAt(t, e, instant.Of(clock.GHz, uint64(i)), a.port, &reqMsg{seq: i})
	}
	require.NoError(t, e.Run())
	require.Equal(t, "100: 0.0", b.log[0])
	require.Equal(t, "149: 0.49", b.log[49])
}

// The buffer fills, Send fails, and NotifyPortFree comes once there is room.
func TestFullBuffer(t *testing.T) {
	e := New()
	w := NewWire("Wire", e)
	a, b := newInbox(e, "A", clock.GHz, 1), NewPort(nil, "B", 2)
	w.Attach(a.port, clock.GHz, EndOptions{Buffer: 2})
	w.Attach(b, clock.GHz, EndOptions{})
	at := func(cycle uint64, do func()) {
		e.Schedule(&note{instant.Of(clock.GHz, cycle), false, func() error { do(); return nil }})
	}
	send := func() bool {
		m := &reqMsg{}
		m.Src = a.port
		return a.port.Send(m) == nil
	}
	at(0, func() {
		require.True(t, send())
		require.True(t, send())
		require.False(t, a.port.CanSend())
		require.False(t, send())
	})
	at(1, func() { // both are in the port of B
		require.Equal(t, 1, a.told)
		require.Equal(t, 2, b.Len())
		require.True(t, send())
	})
	at(2, func() { // one waits
		require.True(t, send())
		require.False(t, send())
	})
	at(3, func() {
		require.Equal(t, 1, a.told)
		require.NotNil(t, b.Retrieve(instant.Of(clock.GHz, 3)))
		require.False(t, send(), "slots free in the secondary event only")
	})
	at(4, func() {
		require.Equal(t, 2, a.told)
		require.True(t, send())
		for range 2 {
			require.NotNil(t, b.Retrieve(instant.Of(clock.GHz, 4)))
		}
	})
	at(5, func() {
		for range 2 {
			require.NotNil(t, b.Retrieve(instant.Of(clock.GHz, 5)))
		}
		require.Nil(t, b.Retrieve(instant.Of(clock.GHz, 5)))
	})
	require.NoError(t, e.Run())
}

// Sources that compete for a sink are served in turn.
func TestFairness(t *testing.T) {
	s := stream{sink: streamEnd{period: 1000, capacity: 1}, busy: 2}
	for range 3 {
		s.sources = append(s.sources, streamEnd{period: 1000, opts: EndOptions{Buffer: 2}, from: make([]uint64, 20), bytes: make([]int, 20)})
	}
	served := map[string]int{}
	n := 0
	for _, line := range s.wire(t) {
		var at float64
		var what, who string
		if _, err := fmt.Sscan(line, &at, &what, &who); err != nil || what != "got" {
			continue
		}
		require.Equal(t, n%3, int(who[0]-'0'), line)
		served[who[:1]]++
		n++
	}
	require.Equal(t, map[string]int{"0": 20, "1": 20, "2": 20}, served)
}

// A message from another sender, for a receiver off the wire: two ends
// need nothing, more need an uplink.
func TestForwarding(t *testing.T) {
	far := NewPort(nil, "Far", 1)
	for n := 2; n <= 3; n++ {
		e := New()
		w := NewWire("Wire", e)
		hub := newInbox(e, "Hub", clock.GHz, 4)
		w.Attach(hub.port, clock.GHz, EndOptions{Uplink: n > 2})
		for i := 1; i < n; i++ {
			p := newInbox(e, fmt.Sprintf("P[%d]", i), clock.GHz, 1)
			w.Attach(p.port, clock.GHz, EndOptions{})
			m := &reqMsg{from: i}
			m.Src, m.Dst = far, far
			sendAt(t, e, 0, p.port, m)
		}
		require.NoError(t, e.Run())
		require.Len(t, hub.log, n-1)
	}
}

func TestWirePanics(t *testing.T) {
	e := New()
	w := NewWire("Wire", e)
	port := func(name string) *Port { return NewPort(nil, name, 1) }
	a, b, c := port("A"), port("B"), port("C")
	w.PlugIn(a, 1)
	w.PlugIn(port("X"), 1)
	w.Unplug(w.ends[1].port)
	w.PlugIn(b, 1)
	w.PlugIn(c, 1)
	require.PanicsWithValue(t, "engine: two ports A on Wire", func() { w.PlugIn(port("A"), 1) })
	require.PanicsWithValue(t, "engine: buffer of -1 messages for D on Wire", func() { w.PlugIn(port("D"), -1) })
	m := &reqMsg{}
	m.Src = a
	require.PanicsWithValue(t, "engine: A on Wire cannot reach nowhere: it is not at another end, and no other end is the uplink",
		func() { a.Send(m) })
	m.Src = port("D")
	require.PanicsWithValue(t, "engine: D sends on Wire without being attached", func() { w.Send(m) })
	require.PanicsWithValue(t, "engine: D is attached to Wire, which is in use", func() { w.PlugIn(port("D"), 1) })
	require.Panics(t, func() { w.Unplug(a) })
	require.PanicsWithValue(t, "engine: port Q is not connected", func() { port("Q").Send(m) })
	require.PanicsWithValue(t, "engine: port Q is not connected", func() { port("Q").CanSend() })
	require.Panics(t, func() { NewPort(nil, "A", 0) })
	require.Panics(t, func() { NewPort(nil, "a_b", 1) })
	u := NewWire("U", e)
	require.PanicsWithValue(t, "engine: A is attached to U, and already to another connection", func() { u.PlugIn(a, 1) })
	u.Attach(port("E"), clock.GHz, EndOptions{Uplink: true})
	require.PanicsWithValue(t, "engine: U has two uplinks", func() { u.Attach(port("F"), clock.GHz, EndOptions{Uplink: true}) })
}

func TestCompareNames(t *testing.T) {
	for _, x := range [][2]string{{"A", "B"}, {"P[2]", "P[10]"}, {"P[2].X[9]", "P[2].X[10]"}, {"P", "P[0]"},
		{"P[01]", "P[1]"}, {"P9", "PA"}, {"P[99999999999999999999998]", "P[99999999999999999999999]"}} {
		require.Negative(t, compareNames(x[0], x[1]), x)
		require.Positive(t, compareNames(x[1], x[0]), x)
		require.Zero(t, compareNames(x[0], x[0]))
	}
}
