package nearmem

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/nearmem/offload"
	"github.com/causeway-sim/causeway/components/units"
)

// flits is plain over a link of 68 B flits, x16 at 32 GT/s, of 3 ns.
func flits(p Protocol) Spec {
	s := plain(p)
	s.Link.Flit, s.Link.Rate, s.Link.Lanes, s.Link.Credits, s.Link.Wire = "68B", 32, 16, 128, 3*units.Nanosecond
	return s
}

// The time of a flit in ps, and of wire and layers.
const (
	flitTime = 68. * 8 * 1000 / (32 * 16) * 130 / 128
	wires    = 3000.
)

// One task of 1000 cycles: each protocol is a sum of flits, wires and layers. A line
// with its header takes five slots, two flits; a request or a posted write of 4 B one.
func TestOneTaskOverFlits(t *testing.T) {
	p := offload.Program{{Name: "one", Tasks: 1, Task: offload.Cost{Ops: 1000}, Result: 4, Host: offload.Cost{Ops: 1000}}}
	const (
		mem, io = 50_000., 200_000.
		line    = 2*flitTime + wires + mem
		request = flitTime + wires + mem
		packet  = flitTime + wires + io // 16 of header, 4 of data, 8 of framing in 64 B
	)
	for _, c := range []struct {
		protocol Protocol
		want     float64
	}{
		// the poll of 2000 is the first after the end at 1504
		{RemotePolling, 2000_000 + 2*packet + request + line + 1000_000},
		{BulkSynchronous, line + 1000_000 + line + request + line + 1000_000},
		// a slot of 32 B and metadata of 16 B, 24 more each, are two flits
		{Interrupt, line + 1000_000 + 500_000 + flitTime + packet + 50_000_000 + 1000_000},
	} {
		s := flits(c.protocol)
		m := finished(t, s, p)
		require.InDelta(t, c.want, float64(m.now), 10, c.protocol)
	}
	// the look after the arrival at 1754
	require.EqualValues(t, (1800+1000)*1000, finished(t, flits(Async), p).now)
	// arguments before a doorbell: the host waits for their completion
	p[0].Argument = 64
	m := finished(t, flits(RemotePolling), p)
	require.InDelta(t, 2000_000+2*packet+request+line+1000_000+line+request, float64(m.now), 10)
}

// Loads are bound by the packing of flits (one line's header per flit: five slots of
// 20), by credits over a round trip, or by the answers' lines; posted writes by 280 B
// for 256.
func TestThroughputOverFlits(t *testing.T) {
	const size = 1 << 20
	p := offload.Program{{Name: "one", Tasks: 1, Task: offload.Cost{}, Result: size, Host: offload.Cost{Ops: 1}}}
	load := func(change func(*Spec)) float64 {
		s := flits(BulkSynchronous)
		s.Link.Mem, s.Link.Credits = 0, 1024
		change(&s)
		m := finished(t, s, p)
		return size / float64(m.acct.host[hostLoad]) * 1000 // GB/s
	}
	raw := 68 * 1000 / flitTime // GB/s
	got := load(func(*Spec) {})
	require.InEpsilon(t, 128./153*raw, got, 0.01, "83.7%: two headers in a slot")
	require.InEpsilon(t, got/2, load(func(s *Spec) { s.Link.Lanes = 8 }), 0.01)
	few := load(func(s *Spec) { s.Link.Mem, s.Link.Credits = 1000*units.Nanosecond, 16 })
	require.InEpsilon(t, 16*64/(500+2*wires/1000+2*flitTime/1000), few, 0.02, "16 lines per round trip of a credit")
	require.InEpsilon(t, 0.75, load(func(s *Spec) { s.Link.Flit = "256B"; s.Link.Rate = 64 })/128, 0.15)
	wrong := load(func(s *Spec) { s.Link.BER = [2]float64{0, 1e-5} })
	require.Less(t, wrong, got*0.97, "replays")

	s := flits(Interrupt)
	s.Ring.Slot, s.Ring.Slots, s.Stream.Metadata, s.Signal = size, 2, 0, 0
	m := finished(t, s, p)
	start := 2*flitTime + wires + 50_000 + 500_000 // launch, kernel of no time, preparation
	bytes := (4096*280 + 28) / 64. * flitTime      // packets of 256 B, and the tail, in flits of 64 B
	want := start + bytes + wires + 200_000 + 1000
	require.InEpsilon(t, want, float64(m.now), 0.005) // and flits for Acks
	require.Greater(t, float64(m.now), want)
}

// All laws hold over flits, with errors and few credits; the same work is done.
func TestLawsOverFlits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, p := drawSpec(t), drawProgram(t)
		s.Link.Flit = rapid.SampledFrom(flitNames).Draw(t, "flit")
		s.Link.Credits = rapid.IntRange(1, 20).Draw(t, "credits")
		if rapid.Bool().Draw(t, "errors") {
			s.Link.BER = [2]float64{1e-5, 1e-5}
		}
		for _, s.Protocol = range []Protocol{RemotePolling, BulkSynchronous, Async, Interrupt} {
			finished(t, s, p)
		}
	})
}

func TestBadFlits(t *testing.T) {
	for _, f := range []func(*Spec){
		func(s *Spec) { s.Link.Flit = "pbr" },
		func(s *Spec) { s.Link.Rate = 64 },
		func(s *Spec) { s.Link.Credits = 0 },
		func(s *Spec) { s.Link.Lanes = 3 },
	} {
		s := flits(Async)
		f(&s)
		_, err := newMachine(s, offload.Program{{Name: "one", Tasks: 1, Result: 4}})
		require.Error(t, err)
	}
}
