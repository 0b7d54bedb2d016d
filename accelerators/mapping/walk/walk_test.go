package walk

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// A list yields steps one by one.
type list struct{ steps []dma.Step }

func (l *list) Next(s *dma.Step) bool {
	if len(l.steps) == 0 {
		return false
	}
	*s, l.steps = l.steps[0], l.steps[1:]
	return true
}

func load(id graph.TensorID, bytes int64) dma.Transfer {
	return dma.Transfer{Tensor: id, RowBytes: bytes, Rows: 1, Planes: 1}
}

// By hand, a memory of 8 B a cycle with a latency of 10 and requests of 16 B. Step 0 loads 32 B:
// busy from 0 to 4, there at 14, computed at 34. Step 1 loads 64 B from cycle 2 on, while step 0
// computes: busy to 12, there at 22. It begins at 34 and ends at 54. Its store of 16 B goes at 54
// and arrives at 66. A tensor that stays on the chip moves nothing.
func TestWalkByHand(t *testing.T) {
	mem := &machine.Memory{Bandwidth: 8, Cycles: 1, Latency: 10, Burst: 16}
	steps := func() *list {
		return &list{[]dma.Step{
			{Loads: []dma.Transfer{load(0, 32)}, Cycles: 20},
			{Loads: []dma.Transfer{load(1, 64)}, Cycles: 20, Stores: []dma.Transfer{load(2, 16)}},
		}}
	}
	cycles, work, bytes := Run(steps(), Engine{Mem: mem}, Most, machine.Overflow)
	require.Equal(t, [3]int64{66, 40, 112}, [3]int64{cycles, work, bytes})
	cycles, _, bytes = Run(steps(), Engine{Mem: mem, Kept: []graph.TensorID{0}}, Most, machine.Overflow)
	require.Equal(t, [2]int64{52, 80}, [2]int64{cycles, bytes}, "the first step begins at once, the second after its loads of 18 cycles and the first")
	cycles, _, bytes = Run(steps(), Engine{Mem: mem, Stays: []bool{false, false, true}}, Most, machine.Overflow)
	require.Equal(t, [2]int64{54, 96}, [2]int64{cycles, bytes})
	_, work, _ = Run(steps(), Engine{Mem: mem}, 1, machine.Overflow)
	require.EqualValues(t, 20, work, "one step")
	cycles, _, _ = Run(steps(), Engine{Mem: mem}, Most, 34)
	require.EqualValues(t, 66, cycles, "at the limit it goes on")
	cycles, work, _ = Run(steps(), Engine{Mem: mem}, Most, 5)
	require.Equal(t, [2]int64{34, 20}, [2]int64{cycles, work}, "it ends past the limit")
}

// By hand, with two requests under way at a time. A load of four takes 20 cycles for its answers
// (4 x 10 / 2), the last ones from cycle 20 to 30. The next request waits for one of these until 25,
// is served by 27 and answered at 37.
func TestWalkWithFewRequestsByHand(t *testing.T) {
	mem := &machine.Memory{Bandwidth: 8, Cycles: 1, Latency: 10, Burst: 16, Outstanding: 2}
	one := []dma.Step{{Loads: []dma.Transfer{load(0, 64), load(1, 16)}, Cycles: 5}}
	cycles, _, _ := Run(&list{one}, Engine{Mem: mem}, Most, machine.Overflow)
	require.EqualValues(t, 42, cycles)
	// Two that fit are as without a limit: 0 to 2 and 2 to 4, there at 12 and 14.
	one[0].Loads = []dma.Transfer{load(0, 16), load(1, 16)}
	cycles, _, _ = Run(&list{one}, Engine{Mem: mem}, Most, machine.Overflow)
	require.EqualValues(t, 19, cycles)
	// A third waits until one of the two is answered, the first at 12.
	one[0].Loads = []dma.Transfer{load(0, 16), load(1, 16), load(2, 16)}
	cycles, _, _ = Run(&list{one}, Engine{Mem: mem}, Most, machine.Overflow)
	require.EqualValues(t, 29, cycles)
}

// A walk is no shorter than the work, nor than the memory needs for the bytes, nor longer than both
// one after the other with a latency for each transfer; a slower memory is never faster.
func TestWalksAreBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, least, most int64) int64 { return rapid.Int64Range(least, most).Draw(t, name) }
		mem := machine.Memory{Bandwidth: n("bandwidth", 1, 64), Cycles: 1, Latency: n("latency", 0, 50), Burst: n("burst", 1, 64)}
		steps := make([]dma.Step, n("steps", 1, 6))
		transfers := int64(0)
		for i := range steps {
			for range n("loads", 0, 2) {
				steps[i].Loads = append(steps[i].Loads, load(0, n("bytes", 1, 300)))
			}
			for range n("stores", 0, 1) {
				steps[i].Stores = append(steps[i].Stores, load(1, n("bytes", 1, 300)))
			}
			steps[i].Cycles = n("cycles", 0, 60)
			transfers += int64(len(steps[i].Loads) + len(steps[i].Stores))
		}
		cycles, work, bytes := Run(&list{steps}, Engine{Mem: &mem}, Most, machine.Overflow)
		requests := int64(0)
		for i := range steps {
			for _, l := range [][]dma.Transfer{steps[i].Loads, steps[i].Stores} {
				for j := range l {
					requests += mem.Requests(1, l[j].RowBytes)
				}
			}
		}
		busy := mem.Busy(bytes, 0)
		require.GreaterOrEqual(t, cycles, max(work, busy))
		require.LessOrEqual(t, cycles, work+busy+requests+transfers*(mem.Latency+2)+1)
		slow := mem
		slow.Latency++
		later, _, _ := Run(&list{steps}, Engine{Mem: &slow}, Most, machine.Overflow)
		require.GreaterOrEqual(t, later, cycles)
	})
}
