package curve_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/components/engine"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/curve"
	"github.com/causeway-sim/causeway/memory/memtest"
)

// A memory whose curve of reads ends at the peak and whose curve of half writes ends at
// half of it: a byte costs the transfer time of its share of reads, so that a stream
// carries the end of the curve of its own share.
func TestTransferCostsByShareOfReads(t *testing.T) {
	const n, bytes, peak = 4000, 256, 20.0 // GB/s
	line := func(reads, end float64) curve.Line {
		return curve.Line{Reads: reads, Points: []curve.Point{{Load: 0, NS: 50}, {Load: end, NS: 60}}}
	}
	for _, c := range []struct {
		writes int // one in so many; 0: none
		want   float64
	}{{0, peak}, {2, peak / 2}} {
		e := engine.New()
		s := curve.DefaultSpec()
		s.Bandwidth = units.Bandwidth(peak * 8e9)
		s.Curve = curve.Of(line(1, 1), line(0.5, 0.5))
		m, err := curve.New("Mem", e, s)
		require.NoError(t, err)
		r := memtest.New("Core", e, clock.GHz, m.GetPortByName("Top"))
		for i := range n {
			r.List = append(r.List, memtest.Request{Bytes: bytes, Write: c.writes > 0 && i%c.writes == 1})
		}
		r.Window = 64
		memtest.Wire(e, m.GetPortByName("Top"), clock.GHz, r)
		r.Start()
		require.NoError(t, e.Run())
		got := metrics(m.Stats())
		require.InEpsilon(t, c.want, got["bandwidth"], 0.02, "one write in %d", c.writes)
	}
}

// The latency of a request is read from the curve of the share of reads of its time: where
// one access in two writes it is that of the curve of half writes, and between two curves it
// is between them.
func TestLatencyByShareOfReads(t *testing.T) {
	const n = 4000
	line := func(reads, ns float64) curve.Line {
		return curve.Line{Reads: reads, Points: []curve.Point{{Load: 0, NS: ns}, {Load: 1, NS: ns}}}
	}
	for _, c := range []struct {
		writes int // one in so many; 0: none
		want   float64
	}{{0, 50}, {4, 75}, {2, 100}} {
		e := engine.New()
		s := curve.DefaultSpec()
		s.Bandwidth = units.Bandwidth(20 * 8e9)
		s.Curve = curve.Of(line(1, 50), line(0.5, 100))
		m, err := curve.New("Mem", e, s)
		require.NoError(t, err)
		r := memtest.New("Core", e, clock.GHz, m.GetPortByName("Top"))
		for i := range n {
			r.List = append(r.List, memtest.Request{Bytes: 64, Write: c.writes > 0 && i%c.writes == 1})
		}
		r.Window = 4
		memtest.Wire(e, m.GetPortByName("Top"), clock.GHz, r)
		r.Start()
		require.NoError(t, e.Run())
		require.InEpsilon(t, c.want, metrics(m.Stats())["latency_mean"], 0.03, "one write in %d", c.writes)
	}
}
