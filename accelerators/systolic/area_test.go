package systolic

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// metricsOf are the metrics of a core that has multiplied matrices of a type.
func metricsOf(t *testing.T, d graph.DType, change func(*Spec)) map[string]float64 {
	b := defaultBench()
	change(&b.spec)
	w, _ := b.network(t, "tile", shareOf(t, product(40, 24, 56, d), b.spec))
	got := map[string]float64{}
	for _, x := range w.Stats().Metrics() {
		got[x.Name] = x.Value
	}
	return got
}

// The area by hand: 45 nm, int8, 4 x 6 elements of a multiplier and an adder of 32 bits
// (282 + 137 um2), two operands of 8 bits and a sum of 32 (48 bits of 5.98 um2). The registers
// at the edges of a weight-stationary array delay row i by i cycles and column j of the results by the rest.
func TestAreaByHand(t *testing.T) {
	got := metricsOf(t, graph.Int8, func(s *Spec) { s.Rows, s.Cols, s.Dataflow, s.Energy.Process = 4, 6, "ws", "45nm" })
	require.InEpsilon(t, 4*6*(282+137)*1e-6, got["area_array"], 1e-12)
	skew := 8*(0+1+2+3) + 32*(0+1+2+3+4+5)
	require.InEpsilon(t, (4*6*48+float64(skew))*5.981433e-6, got["area_registers"], 1e-12)
	require.InEpsilon(t, got["area_sram"]+got["area_array"]+got["area_registers"], got["area"], 1e-12)
	watts := 48.17683e-6/4595e-6*got["area_array"] + 73.95312e-9/5.981433e-6*got["area_registers"]
	require.InEpsilon(t, watts*1e12*got["total_cycles"]*1e-9, got["energy_static"], 1e-9, "pJ at 1 GHz")
}

// More elements and wider types take more area, in every process; a type at a higher rate takes
// as many multipliers.
func TestAreaGrows(t *testing.T) {
	for _, process := range []string{"45nm", "15nm", "7nm"} {
		last := 0.0
		for n := 8; n <= 160; n += 8 {
			a := metricsOf(t, graph.Int8, func(s *Spec) { s.Rows, s.Cols, s.Energy.Process = n, n, process })["area"]
			require.Greater(t, a, last, "%s %d", process, n)
			last = a
		}
		last = 0
		for _, d := range []graph.DType{graph.Int4, graph.Int8, graph.FP8, graph.FP16, graph.FP32} {
			a := metricsOf(t, d, func(s *Spec) { s.Energy.Process = process })["area_array"]
			require.Greater(t, a, last, "%s %s", process, d)
			last = a
		}
	}
}

// Where the energy of a cycle is given, leakage is in it: no joule has two owners.
func TestCycleReplacesStatic(t *testing.T) {
	e := units.Energy(1e-12)
	got := metricsOf(t, graph.Int8, func(s *Spec) { s.Energy.Cycle = &e })
	require.Zero(t, got["energy_static"])
	require.Positive(t, got["energy_clock"])
}

// A core has no area of an array before it is known what it multiplies: the area is that of its buffers.
func TestAreaOfACoreWithoutProducts(t *testing.T) {
	_, w := defaultBench().build(t, "tile")
	got := metricMap(w)
	require.Positive(t, got["area_sram"])
	require.Equal(t, got["area_sram"], got["area"])
	require.NotContains(t, got, "area_array")
	require.NotContains(t, got, "area_registers")
}
