package engine

import (
	"fmt"
	"testing"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/clock/instant"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"
)

// pingMsg is a message without content.
type pingMsg struct{ sim.MsgMeta }

func (m *pingMsg) Meta() *sim.MsgMeta { return &m.MsgMeta }

// pinger answers every message until it has got limit of them. It allocates
// nothing once its pool is filled.
type pinger struct {
	*sim.ComponentBase
	tick   *Ticker
	port   *Port
	peer   sim.Port
	toSend int
	got    int
	limit  int
	pool   []*pingMsg
}

func newPinger(e sim.Engine, name string) *pinger {
	p := &pinger{ComponentBase: sim.NewComponentBase(name)}
	p.tick = NewTicker(e, clock.GHz, p)
	p.port = NewPort(p, name+".Port", 16)
	return p
}

func (p *pinger) NotifyRecv(now sim.VTimeInSec, _ sim.Port)     { p.tick.WakeAfter(now) }
func (p *pinger) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) { p.tick.WakeAfter(now) }

func (p *pinger) Handle(e sim.Event) error {
	now := e.Time()
	for p.port.Peek() != nil {
		p.pool = append(p.pool, p.port.Retrieve(now).(*pingMsg))
		p.got++
		if p.got < p.limit {
			p.toSend++
		}
	}
	for p.toSend > 0 {
		var m *pingMsg
		if n := len(p.pool); n > 0 {
			m, p.pool = p.pool[n-1], p.pool[:n-1]
		} else {
			m = new(pingMsg)
		}
		m.Src, m.Dst, m.SendTime = p.port, p.peer, now
		if p.port.Send(m) != nil {
			p.pool = append(p.pool, m)
			return nil // NotifyPortFree wakes us
		}
		p.toSend--
	}
	return nil
}

// pingPair plays ping-pong over a wire that has some idle ends besides.
func pingPair(e sim.Engine, limit, idle int) (a, b *pinger) {
	a, b = newPinger(e, "A"), newPinger(e, "B")
	a.limit, b.limit, a.peer, b.peer = limit, limit, b.port, a.port
	w := NewWire("Wire", e)
	w.Attach(a.port, clock.GHz, EndOptions{})
	w.Attach(b.port, clock.GHz, EndOptions{})
	for i := range idle {
		w.Attach(NewPort(nil, fmt.Sprintf("Idle[%d]", i), 1), clock.GHz, EndOptions{})
	}
	a.toSend = 1
	a.tick.WakeAt(0)
	return a, b
}

func TestPingPong(t *testing.T) {
	e := New()
	a, b := pingPair(e, 10, 3)
	require.NoError(t, e.Run())
	require.Equal(t, 9, a.got)
	require.Equal(t, 10, b.got)
	require.Equal(t, instant.Of(clock.GHz, 19), e.CurrentTime())
}

func TestMessagesDoNotAllocate(t *testing.T) {
	e := New()
	a, b := pingPair(e, 1<<40, 3)
	until := sim.VTimeInSec(0)
	step := func() {
		until += 1e-6
		require.NoError(t, e.RunUntil(until))
	}
	step()
	was := a.got + b.got
	require.Zero(t, testing.AllocsPerRun(20, step))
	require.Greater(t, a.got+b.got, was+20_000)
}
