package cache

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/ideal"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// A cache that carries bytes has those of its lines and no others once nothing is under way.
func TestBytesGoWithTheirLines(t *testing.T) {
	s := DefaultTimedSpec()
	s.Size, s.Ways, s.Functional = 256, 2, true
	for _, timed := range []bool{true, false} {
		e := engine.New()
		var c interface {
			sim.Component
			level
			SetMap(string, *memory.Map) error
		}
		var err error
		if timed {
			c, err = NewTimed("LLC", e, s)
		} else {
			c, err = NewFunctional("LLC", e, s.Spec)
		}
		require.NoError(t, err)
		m := ideal.MakeBuilder().WithEngine(e).WithLatency(30).WithData().Build("Memory")
		top := m.GetPortByName("Top")
		homes, err := memory.NewMap(memory.Range{Size: 1 << 20, Ports: []sim.Port{top}, Paths: make([]memory.Path, 1)})
		require.NoError(t, err)
		require.NoError(t, c.SetMap("bottom", homes))
		r := memtest.New("Core", e, clock.GHz, c.GetPortByName("Top"))
		for i := range uint64(40) {
			r.List = append(r.List, memtest.Request{Addr: 64 * (i * 7 % 20), Bytes: 64, Write: i%3 == 0})
		}
		memtest.Wire(e, r.Dst, clock.GHz, r)
		w := engine.NewWire("Lower", e)
		for _, p := range []sim.Port{c.GetPortByName("Bottom"), top} {
			w.Attach(p, clock.GHz, engine.EndOptions{Latency: 1, Buffer: 64})
		}
		r.Start()
		require.NoError(t, e.Run())
		b, held := c.lower(), 0
		for line := range uint64(20) {
			_, known := b.bytes.Read(64*line, 64)
			require.Equal(t, b.core.Has(line), known, "timed %v, line %d", timed, line)
			if known {
				held++
			}
		}
		require.Equal(t, 4, held)
	}
}
