package gpu

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/accelerators/gpu/power"
	"github.com/causeway-sim/causeway/accelerators/work"
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/configs"
	"github.com/causeway-sim/causeway/configs/presets"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// bound has kernels that are bound by the matrix units and by the memory. Of kernels some are bound by the L2 as well, and some are short.
const bound = "name,op,m,n,k,rows,cols\nbig,gemm,8192,4096,4096,,\nadd,add,,,,8192,8192\n"
const kernels = "name,op,m,n,k,rows,cols,batch,heads,kv_heads,sequence,context,head_dim,dtype\n" +
	"big,gemm,8192,4096,4096,,,,,,,,,\nwide,gemm,320,8192,8192,,,,,,,,,\nthin,gemm,16,8192,8192,,,,,,,,,\nsmall,gemm,256,256,512,,,,,,,,,\n" +
	"int8,gemm,4096,4096,4096,,,,,,,,,int8\nprompt,prefill,,,,,,1,32,8,4096,0,128,\nadd,add,,,,8192,8192,,,,,,,\nsoft,softmax,,,,8192,4096,,,,,,,\n"

// chips are the presets of GPUs.
func chips(t require.TestingT) map[string]Spec {
	entries, err := presets.FS.ReadDir(".")
	require.NoError(t, err)
	out := map[string]Spec{}
	for _, e := range entries {
		text, err := presets.FS.ReadFile(e.Name())
		require.NoError(t, err)
		v, err := configs.ParseValue(e.Name(), text)
		if err != nil || !v.Get("kind").Exists() {
			continue
		}
		if kind, err := v.Get("kind").String(); err != nil || kind != "gpu" {
			continue
		}
		s := DefaultSpec()
		v = v.Without("kind").Without("doc").Without("source")
		require.NoError(t, v.Decode(&s), e.Name())
		require.NoError(t, s.check(v), e.Name())
		out[strings.TrimSuffix(e.Name(), ".yaml")] = s
	}
	require.Len(t, out, 23)
	return out
}

// limitsOf are limits of a chip from the least on, each so many times the one before, its own among them.
func limitsOf(s *Spec, step units.Power) (out []units.Power) {
	chip := s.watts(true)
	for w := units.Power(chip.Least()); w < 4*s.PowerLimit; w *= step {
		if last := len(out) - 1; last >= 0 && out[last] < s.PowerLimit && w > s.PowerLimit {
			out = append(out, s.PowerLimit)
		}
		out = append(out, w)
	}
	return out
}

// A state is what a chip did with kernels under a limit.
type state struct {
	limit         float64 // W
	seconds, work float64 // s; energy of the matrix and vector units, pJ
	static, all   float64 // pJ
	power         []float64
	cycles        []uint64
	clocks        []float64
}

func under(t require.TestingT, s Spec, load string, limit units.Power, g *graph.Graph) (x state) {
	s.Load, s.PowerLimit = load, limit
	return stateOf(&s, run(t, s, work.Share{Graph: g}))
}

// stateOf is what a chip did.
func stateOf(s *Spec, c *Comp) (x state) {
	x.limit = float64(s.PowerLimit)
	for _, l := range c.Rows() {
		w, _ := c.watts(&l)
		x.power, x.cycles, x.clocks = append(x.power, w), append(x.cycles, l.cycles), append(x.clocks, l.share)
		x.seconds += c.clock.Nanoseconds(l.cycles) * 1e-9
		x.work += l.energy[power.Matrix] + l.energy[power.Vector]
		x.static += l.energy[power.Static]
		x.all += l.energy.Total()
	}
	return x
}

// exact is how far the clock of a limit may be off: it lies between two that differ by less than a thousandth.
const exact = 1e-3

// mixes is what a faster clock may cost a product of library cutlass: its time is the mean of tiles that are nearly as
// good as the best, and more of them are at some clocks.
const mixes = 3e-3

// With a higher limit no kernel takes longer and no event less energy, the rest of the chip takes less, and no kernel
// (load: continuous) and no workload (steady) takes more than the limit. A chip that its limit slows down takes the limit.
func TestHigherLimitsAreFaster(t *testing.T) {
	all, g, step := chips(t), list(t, kernels), units.Power(1.12)
	if os.Getenv("CAUSEWAY_LONG") == "" { // 60 s
		g, step = list(t, bound), 1.7
		maps.DeleteFunc(all, func(name string, _ Spec) bool {
			return !slices.Contains([]string{"a100", "gb200", "h100", "l4", "mi300x", "rtx_4090"}, name)
		})
	}
	for name, s := range all {
		for _, load := range []string{continuous, steady} {
			var was state
			for _, limit := range limitsOf(&s, step) {
				x := under(t, s, load, limit, g)
				say := name + " " + load + " at " + limit.String()
				mean := x.all / x.seconds / 1e12
				free := under(t, s, burst, limit, g)
				require.LessOrEqual(t, mean, power.Held*x.limit*(1+exact), say)
				if load == steady && x.clocks[0] < 1 {
					require.InEpsilon(t, power.Held*x.limit, mean, 5*exact, say)
				}
				for i, w := range x.power {
					require.GreaterOrEqual(t, float64(x.cycles[i]), float64(free.cycles[i])*0.99, "%s: kernel %d", say, i)
					if x.clocks[i] == 1 {
						require.Equal(t, free.cycles[i], x.cycles[i], "%s: kernel %d below the limit", say, i)
					}
					if load == continuous {
						require.LessOrEqual(t, w, power.Held*x.limit*(1+exact), "%s: kernel %d", say, i)
						if x.clocks[i] < 1 && x.cycles[i] > 20_000 { // cycles are whole
							require.InEpsilon(t, power.Held*x.limit, w, exact, "%s: kernel %d", say, i)
						}
					}
					if was.limit > 0 {
						require.LessOrEqual(t, float64(x.cycles[i]), float64(was.cycles[i])*(1+mixes)+1, "%s: kernel %d", say, i)
					}
				}
				if was.limit > 0 {
					require.LessOrEqual(t, x.seconds, was.seconds*(1+mixes), say)
					require.GreaterOrEqual(t, x.work, was.work*(1-exact), say)
					require.LessOrEqual(t, x.static, was.static*(1+exact), say)
				}
				was = x
			}
		}
	}
}

// More than its own limit buys time for products of a chip whose products were measured at its limit (sustained_limit),
// and none where they were not. At its own limit a burst has the rate that was measured.
func TestLimitSetsTheRateOfProducts(t *testing.T) {
	g := list(t, "name,op,m,n,k\nbig,gemm,8192,8192,8192\n")
	n, faster := 0, 0
	for name, s := range chips(t) {
		if s.SustainedLimit > 0 {
			require.Equal(t, s.PowerLimit, s.SustainedLimit, name)
		}
		own := under(t, s, burst, s.PowerLimit, g)
		alone := s
		alone.SustainedLimit = 0
		require.Equal(t, own.cycles, under(t, alone, burst, s.PowerLimit, g).cycles, name)
		more := under(t, s, burst, 1.5*s.PowerLimit, g)
		less := under(t, s, burst, 0.8*s.PowerLimit, g)
		if s.SustainedLimit == 0 {
			require.Equal(t, own.cycles, more.cycles, name)
			require.Equal(t, own.cycles, less.cycles, name)
			continue
		}
		n++
		require.LessOrEqual(t, more.seconds, own.seconds, name)
		if more.seconds < 0.9*own.seconds {
			faster++
		}
		require.Greater(t, less.seconds, 1.01*own.seconds, name)
		require.GreaterOrEqual(t, more.work, own.work, name)
		require.Less(t, less.work, own.work, name)
	}
	require.Equal(t, 20, n)
	require.GreaterOrEqual(t, faster, 10, "shared memory binds some")
}

// A burst on a chip with more tensor cores takes less time and its events no less energy than at the clock of its time.
func TestEnergyOfABurstIsThatOfItsEvents(t *testing.T) {
	g := list(t, bound)
	for name, s := range chips(t) {
		least := under(t, s, burst, s.PowerLimit, g)
		chip := s.watts(true)
		for range 4 {
			for d := range s.Tensor {
				s.Tensor[d] *= 2
			}
			x := under(t, s, burst, s.PowerLimit, g)
			require.LessOrEqual(t, x.seconds, least.seconds, name)
			floor := chip.At(power.Parts{power.Matrix: 1}, 0, s.Sustained)
			full := chip.At(power.Parts{power.Matrix: 1}, 0, 1)
			require.GreaterOrEqual(t, x.work, least.work*floor.Total()/full.Total(), name)
		}
	}
}
