package ranks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/noc/collective"
	"github.com/causeway-sim/causeway/workloads/comm/motif"
	"github.com/causeway-sim/causeway/workloads/player/ranks"
	"github.com/causeway-sim/causeway/workloads/player/seat"
)

// gathered is the time of an all_gather of 64 KiB of two ranks over a wire of 100 cycles:
// each sends the other a message for each chunk, in steps of their own.
func gathered(t *testing.T, name string, chunks int, steps string, nic func(*seat.NIC)) float64 {
	return pair(t, "all_gather", motif.Single{Steps: motif.Steps{Steps: 1}, Bytes: 64 << 10}, func(s *ranks.Spec) {
		p := collective.Pipeline{Chunks: chunks, Steps: steps}
		s.Collectives.AllGather = seat.Algorithm{Name: name, Spec: collective.RingSpec{Pipeline: p}}
		if name == "ring_bi" {
			s.Collectives.AllGather.Spec = collective.BiRingSpec{Pipeline: p}
		}
		s.NIC.Piece = 4 << 10
		nic(&s.NIC)
	})
}

// So many pieces are on the way at a time, and others enter when they have come: 16
// pieces over 100 cycles.
func TestWindow(t *testing.T) {
	for window, want := range map[units.Bytes]float64{4 << 10: 1600, 8 << 10: 800, 12 << 10: 600, 32 << 10: 200} {
		require.Equal(t, want, gathered(t, "ring", 1, "", func(n *seat.NIC) { n.Interfaces, n.Window = 1, window }), "%s", window)
	}
	require.EqualValues(t, 100, gathered(t, "ring", 1, "", func(n *seat.NIC) { n.Interfaces = 1 }), "as one message")
	// An interface passes 4.096 B in a cycle, a piece in a thousand; the receiver's takes a
	// piece while the next one comes.
	slow := func(n *seat.NIC) { n.Interfaces, n.Window, n.Bandwidth = 1, 1<<20, 8*4096000000 }
	require.EqualValues(t, 16*1000+100+1000, gathered(t, "ring", 1, "", slow))
	require.EqualValues(t, 16*1000+100+1000, gathered(t, "ring", 2, "", slow), "messages of an interface follow each other")
	require.EqualValues(t, 8*1000+100+1000, gathered(t, "ring", 2, "", func(n *seat.NIC) { slow(n); n.Interfaces = 2 }), "each interface has the bandwidth")
}

// A send ends when its last piece has entered the network, or when the buffer holds the
// rest: of 16 pieces, one on the way at a time over 100 cycles.
func TestBuffer(t *testing.T) {
	root := func(buffer units.Bytes) float64 { // cycle in which the root of a broadcast is through
		return 2*pairFor(t, "finish_time_mean", 0, "broadcast", motif.Single{Steps: motif.Steps{Steps: 1}, Bytes: 64 << 10}, func(s *ranks.Spec) {
			s.NIC.Piece, s.NIC.Interfaces, s.NIC.Window, s.NIC.Buffer = 4<<10, 1, 4<<10, buffer
		}) - 1600
	}
	require.EqualValues(t, 1500, root(0))
	require.EqualValues(t, 1400, root(4<<10), "one waits")
	require.EqualValues(t, 1100, root(16<<10), "four wait")
	require.EqualValues(t, 0, root(1<<20))
}

// Two sends of eight pieces, or four of four, one piece of an interface on the way at a time.
func TestSteps(t *testing.T) {
	in := func(name, steps string, interfaces int) float64 {
		return gathered(t, name, 2, steps, func(n *seat.NIC) { n.Interfaces, n.Window = interfaces, 4<<10 })
	}
	require.EqualValues(t, 800, in("ring", "free", 2), "beside each other")
	require.EqualValues(t, 800, in("ring", "ordered", 2), "the second begins when the first has begun")
	require.EqualValues(t, 1600, in("ring", "strict", 2), "when it has ended")
	require.EqualValues(t, 1600, in("ring", "free", 1), "one interface")
	require.EqualValues(t, 400, in("ring_bi", "free", 4))
	require.EqualValues(t, 400, in("ring_bi", "ordered", 4))
	require.EqualValues(t, 800, in("ring_bi", "strict", 4), "two in a step")
	require.EqualValues(t, 800, in("ring_bi", "free", 2), "of the first chunk first")
}

// Steps alone, without interfaces, order the sends of a rank: with inject a send ends with
// the receiver's answer, 200 cycles after its begin.
func TestStepsWithoutInterfaces(t *testing.T) {
	in := func(steps string) float64 {
		return gathered(t, "ring", 4, steps, func(n *seat.NIC) { n.Inject = 1 })
	}
	require.EqualValues(t, 200, in("free"))
	require.EqualValues(t, 200, in("ordered"))
	require.EqualValues(t, 800, in("strict"))
}
