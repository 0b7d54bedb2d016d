package engine

import (
	"fmt"
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
)

// posted sends a message at a cycle and notes when another port sees it.
type posted struct {
	sim.ComponentBase
	ticker *Ticker
	out    *Port
	in     *Port
	seen   []uint64
}

func (p *posted) Handle(e sim.Event) error {
	for p.in.Len() > 0 {
		p.in.Retrieve(e.Time())
		p.seen = append(p.seen, p.ticker.Cycle(e.Time()))
	}
	if p.out != nil && len(p.seen) == 0 {
		p.out.Send(&message{})
		p.out = nil
	}
	return nil
}

func (p *posted) NotifyRecv(now sim.VTimeInSec, _ sim.Port)     { p.ticker.WakeAfter(now) }
func (p *posted) NotifyPortFree(now sim.VTimeInSec, _ sim.Port) {}

type message struct{ sim.MsgMeta }

func (m *message) Meta() *sim.MsgMeta { return &m.MsgMeta }

// A message over a link of 10 cycles is seen when it should be, at every cycle of a quantum
// of 10; of a quantum of 25, at the next multiple of it, if that is later.
func TestQuantum(t *testing.T) {
	for _, quantum := range []uint64{0, 10, 25} {
		late := uint64(0)
		for at := range uint64(60) {
			e := New()
			a, b := &posted{}, &posted{}
			for _, p := range []*posted{a, b} {
				p.ComponentBase = *sim.NewComponentBase(fmt.Sprintf("P%p", p)[:1])
				p.ticker = NewTicker(e, clock.GHz, p)
				p.in = NewPort(p, "P.In", 4)
			}
			a.out = NewPort(a, "P.Out", 4)
			w := NewWire("Wire", e)
			w.Attach(a.out, clock.GHz, EndOptions{Latency: 10})
			w.Attach(b.in, clock.GHz, EndOptions{Latency: 10})
			out := a.out
			if quantum > 0 {
				w.Quantum(clock.Period(quantum*1000, 1e12))
			}
			a.ticker.WakeAt(at)
			require.NoError(t, e.Run())
			want := at + 10
			if quantum > 0 {
				want = max(want, (at/quantum+1)*quantum)
			}
			require.Equal(t, []uint64{want}, b.seen, "sent at %d, quantum %d", at, quantum)
			late += out.Late()
		}
		require.Equal(t, map[uint64]uint64{0: 0, 10: 0, 25: 40}[quantum], late) // sent in the first 15 cycles of a quantum
	}
}
