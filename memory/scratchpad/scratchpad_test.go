package scratchpad

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/memtest"
)

func small() *timing {
	return &timing{width: 16, banks: 4, latency: 2, ports: make([]stream, 2)}
}

// A word per cycle and port; the answer leaves the latency after the last word.
func TestOneRequest(t *testing.T) {
	require.EqualValues(t, 10+1+2, small().DueAt(10, 0, 16, false))
	require.EqualValues(t, 10+4+2, small().DueAt(10, 0, 64, false))
	require.EqualValues(t, 10+5+2, small().DueAt(10, 8, 64, false), "five words are touched")
	require.EqualValues(t, 10+1+2, small().DueAt(10, 0, 0, false))
}

// Two requests that begin at one bank in one cycle would be at one bank in every cycle:
// the second begins a cycle later. Next to each other they go side by side.
func TestBanks(t *testing.T) {
	m := small()
	require.EqualValues(t, 8+2, m.DueAt(0, 0, 128, false))
	require.EqualValues(t, 1+8+2, m.DueAt(0, 256, 128, false))
	require.EqualValues(t, 1, m.conflicts)
	m = small()
	m.DueAt(0, 0, 128, false)
	require.EqualValues(t, 8+2, m.DueAt(0, 16, 128, false))
	require.EqualValues(t, 0, m.conflicts)
	// In cycle 1 the first is at bank 1: who begins there meets it, who begins at bank 0
	// is right behind it.
	m = small()
	m.DueAt(0, 0, 128, false)
	require.EqualValues(t, 1+1+8+2, m.DueAt(1, 16, 128, false))
}

// A third request waits for a port.
func TestPorts(t *testing.T) {
	m := small()
	m.DueAt(0, 0, 64, false)
	m.DueAt(0, 16, 160, false)
	// Free in cycle 4, where the second is at bank 1 of 4. Answers keep the order.
	require.EqualValues(t, 10+2, m.DueAt(0, 0, 64, false))
	require.EqualValues(t, 4+4, m.ports[0].end)
	require.Zero(t, m.conflicts)
}

// The twin walks every word: no bank ever has two in a cycle, no port two requests, and
// no request begins later than it must.
func TestNoBankServesTwo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		banks := rapid.IntRange(1, 8).Draw(t, "banks")
		m := &timing{width: 8, banks: uint64(banks), latency: 3, ports: make([]stream, rapid.IntRange(1, banks).Draw(t, "ports"))}
		taken := map[[2]uint64]bool{}
		at := uint64(0)
		for range rapid.IntRange(1, 30).Draw(t, "requests") {
			at += rapid.Uint64Range(0, 6).Draw(t, "gap")
			addr, bytes := 8*rapid.Uint64Range(0, 20).Draw(t, "word"), 8*rapid.Uint64Range(1, 12).Draw(t, "words")
			before := append([]stream(nil), m.ports...)
			m.DueAt(at, addr, bytes, false)
			for i := range m.ports {
				if m.ports[i] == before[i] {
					continue
				}
				begin := m.ports[i].end - bytes/8
				require.GreaterOrEqual(t, begin, max(at, before[i].end))
				for w := range bytes / 8 {
					k := [2]uint64{(addr/8 + w) % m.banks, begin + w}
					require.False(t, taken[k], "bank %d in cycle %d", k[0], k[1])
					taken[k] = true
				}
			}
		}
	})
}

// Saturated, it brings ports words per cycle.
func TestSaturated(t *testing.T) {
	e := engine.New()
	s := DefaultSpec()
	m := New("Pad", e, s)
	var list []memtest.Request
	for i := range 256 {
		list = append(list, memtest.Request{Addr: uint64(i) * 1024, Bytes: 1024})
	}
	r := memtest.New("Host", e, clock.GHz, m.PortSpecs()[0].Ports[0], list...)
	memtest.Wire(e, m.PortSpecs()[0].Ports[0], clock.GHz, r)
	r.Start()
	require.NoError(t, e.Run())
	require.Equal(t, 256, r.Done())
	require.Empty(t, m.Stats().Verify())
	for _, x := range m.Stats().Metrics() {
		if x.Name == "bandwidth_utilization" {
			require.Greater(t, x.Value, 85.0)
		}
	}
	_, peak := m.Nominal()
	require.Equal(t, units.Bandwidth(8*4*64e9), peak)
}
