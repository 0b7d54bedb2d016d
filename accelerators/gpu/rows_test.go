package gpu

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
)

// rowed is a machine on which only rounds of thread blocks count: ten SMs of 1,536 threads.
func rowed() Spec {
	s := DefaultSpec()
	s.SMs, s.Threads, s.L2Bandwidth, s.Memory = 10, 1536, 8*1e15, 8*1e15
	return s
}

// Kernels with a thread block per row take a round more where one more block finds no SM:
// gated activations have one of 1,024 threads on an SM, rotary embeddings three of 512, rms
// norms one of 1,024 below 256 rows and six of 256 from there.
func TestRowsGoInRounds(t *testing.T) {
	s := rowed()
	for op, steps := range map[string][]struct{ rows, rounds int }{
		"swiglu":  {{1, 1}, {10, 1}, {20, 2}, {21, 3}, {30, 3}, {31, 4}},
		"rope":    {{1, 1}, {30, 1}, {31, 2}, {60, 2}},
		"rmsnorm": {{1, 1}, {10, 1}, {11, 2}, {250, 25}, {256, 5}, {300, 5}, {301, 6}},
	} {
		one, cols := 0.0, 4096
		if op == "rmsnorm" {
			cols = 1024
		}
		for _, x := range steps {
			c := cycles(run(t, s, work.Share{Graph: list(t, fmt.Sprintf("name,op,rows,cols,dtype\nx,%s,%d,%d,bf16\n", op, x.rows, cols))}))["x"]
			kernel := float64(c) - 500 // its launch, at 1 GHz
			if one == 0 {
				one = 700
				if op == "rmsnorm" {
					one = 700
				} else if op == "rope" {
					one = 700 + 4*150 // 2,048 pairs of 512 threads
				}
			}
			require.InDelta(t, max(1500, float64(x.rounds)*one), kernel, 0.03*kernel+2, "%s of %d rows", op, x.rows)
		}
	}
}

// A gather of up to 16 rows copies them one after the other, of 17 all at once.
func TestFewRowsAreGatheredInTurn(t *testing.T) {
	s := rowed()
	s.Least = units.Latency{}
	took := func(rows int) int {
		return int(cycles(run(t, s, work.Share{Graph: list(t, fmt.Sprintf("name,op,rows,cols,vocabulary,dtype\nx,embedding,%d,256,100,bf16\n", rows))}))["x"])
	}
	require.InDelta(t, 15*2*150, took(16)-took(1), 60)
	require.InDelta(t, 0, took(17)-took(1), 60)
}

// The operator before leaves one of the operands of a norm with a residual: with warm caches
// the other one comes from memory, with hot ones none.
func TestResidualsAreCold(t *testing.T) {
	s := DefaultSpec()
	s.Resident, s.Absorbed = 1, 1
	bytes := func(caches string) uint64 {
		s.Caches = caches
		c := run(t, s, work.Share{Graph: list(t, "name,op,rows,cols,dtype\nx,residual_rms,1024,1024,bf16\n")})
		return cyclesOf(float64(c.Rows()[0].memory), c.clock)
	}
	require.Greater(t, bytes(cold), bytes(warm))
	require.Greater(t, bytes(warm), bytes(hot))
}
