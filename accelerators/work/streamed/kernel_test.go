package streamed

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/curve"
)

// Requests to a memory of fixed latency and bandwidth are busy as long as their bytes take, in whatever
// groups they are asked for; a slower memory shows by as much.
func TestMeterSeesTheBandwidth(t *testing.T) {
	for _, group := range []int{1, 3, 16} {
		for _, slow := range []uint64{1, 2, 7} {
			var m meter
			const due, latency = 10, 500
			free := uint64(0)
			for now := uint64(0); now < 100*1000; now += uint64(group) * due * slow * 3 {
				for range group {
					free = max(free, now) + due*slow
					m.answered(free+latency, now+latency, due)
				}
			}
			require.InDelta(t, float64(slow), m.slow(), 1e-9, "groups of %d", group)
		}
	}
	var m meter
	require.EqualValues(t, 1, m.slow(), "nothing is known")
}

// Two pieces of a kernel of 100 cycles, 40 without memory, whose launch ends in cycle 1,000. By hand: the
// first ends by the rule at 1,050, the second 20 cycles after its operands, which are late.
func TestPiecesByHand(t *testing.T) {
	p := pace{ruled: true, time: curve.Of(func(slow float64) float64 { return max(40, 100*slow) }), begin: 1000, last: 1000, steps: 2, each: 1, ahead: 1, reads: 200, writes: 100}
	require.True(t, p.may(false))
	require.False(t, p.may(true), "no result yet")
	p.sent(false, 200)
	require.False(t, p.may(false))
	wake, more := p.advance(990, 1)
	require.Zero(t, wake, "no operand is here")
	require.False(t, more)
	p.came = 100
	wake, _ = p.advance(995, 1)
	require.EqualValues(t, 1050, wake)
	_, more = p.advance(1050, 1)
	require.True(t, more)
	require.True(t, p.may(true), "half of the results")
	p.sent(true, 50)
	require.False(t, p.may(true))
	p.came = 200
	wake, _ = p.advance(1190, 1)
	require.EqualValues(t, 1210, wake)
	p.advance(1210, 1)
	require.True(t, p.over())
	require.True(t, p.may(true))
	// A memory that is known to be slower moves the end of the next piece alone.
	q := pace{ruled: true, time: p.time, begin: 1000, last: 1000, steps: 2, each: 1}
	wake, _ = q.advance(1000, 1)
	require.EqualValues(t, 1050, wake)
	q.advance(1050, 3)
	require.EqualValues(t, 1300, q.until)
}
