package planner

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/accelerators/mapping/machine"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// schedule is the time of a plan, step by step: loads of a step begin when the step two
// before is done, its stores first; one memory moves one thing at a time.
func schedule(plan *mapping.Plan, mem *machine.Memory) float64 {
	busy := func(list []dma.Transfer) (t float64) {
		for i := range list {
			x := list[i].Contiguous()
			t += mem.Time(float64(x.Bytes()), float64(x.RowBytes))
		}
		return t
	}
	var done, stores [2]float64
	free, previous, answer, i := 0.0, 0.0, 0.0, 0
	flush := func() {
		if stores[i%2] > 0 {
			free = max(free, done[i%2]) + stores[i%2]
			answer = max(answer, free+float64(mem.Latency))
			stores[i%2] = 0
		}
	}
	for s := range plan.All() {
		flush()
		start := previous
		if len(s.Loads) > 0 {
			free = max(free, done[i%2]) + busy(s.Loads)
			start = max(start, free+float64(mem.Latency))
		}
		previous = start + float64(s.Cycles)
		done[i%2], stores[i%2] = previous, busy(s.Stores)
		i++
	}
	flush()
	i++
	flush()
	return max(previous, answer)
}

// The closed form that a search for time goes by is the time of the schedule, of what it
// found on random machines.
func TestPacedIsTheSchedule(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	of := func(list ...int) int { return list[r.IntN(len(list))] }
	worst, sum := 0.0, 0.0
	const cases = 60
	for range cases {
		m := describe(t, fmt.Sprintf("levels: [{name: DRAM}, {name: Buffer, capacity: %dKiB, fanout: {x: 8, y: 4}}, {name: Registers, capacity: 32B}]", of(4, 16, 64)))
		mem := machine.Memory{Bandwidth: int64(of(1, 4, 16, 64)), Cycles: 1, Latency: int64(of(1, 20, 200)), Burst: 256, Outstanding: 64}
		var k graph.Kind = graph.MatMul{Batch: 1, M: of(32, 64, 96), N: of(64, 128), K: of(64, 80, 128)}
		if r.IntN(2) == 0 {
			side := of(14, 28)
			k = graph.Conv{N: 1, C: of(8, 16, 32), H: side, W: side, K: of(16, 48), R: 3, S: 3, StrideH: 1, StrideW: 1, DilationH: 1, DilationW: 1,
				PadTop: 1, PadLeft: 1, PadBottom: 1, PadRight: 1, Groups: 1}
		}
		o := options()
		o.Objective = "time"
		p := New(m, o)
		g, op := single(k)
		plan, err := mapping.NewMapper().Map(op, g, machine.Core{Planner: p, Lanes: 1 << 20, Accumulator: graph.Int32, Memory: mem}, "time", mapping.Rule{})
		require.NoError(t, err)
		require.Len(t, p.found, 1)
		for _, f := range p.found {
			off := math.Abs(f.cost/schedule(plan, &mem) - 1)
			worst, sum = max(worst, off), sum+off
		}
	}
	t.Logf("off by %.2f%% at most, %.2f%% on average", 100*worst, 100*sum/cases)
	require.Less(t, worst, 0.1)
	require.Less(t, sum/cases, 0.006)
}
