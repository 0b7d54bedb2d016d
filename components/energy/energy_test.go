package energy

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/workloads/graph"
)

// Reference: Horowitz 2014, figure 1.1.9; Jouppi 2021, table 2.
func TestPublishedFigures(t *testing.T) {
	s := defaultSpec()
	m, err := New(s, graph.Int8, [3]units.Bytes{8 << 10, 32 << 10, 1 << 20})
	require.NoError(t, err)
	require.InDelta(t, 0.1, m.MAC, 1e-12)
	require.InDeltaSlice(t, []float64{7.5 / 8, 8.5 / 8, 14.0 / 8}, m.SRAM[:], 1e-9)
	s.Process = "45nm"
	m, err = New(s, graph.FP16, [3]units.Bytes{1 << 10, 4 << 20, 16 << 10})
	require.NoError(t, err)
	require.InDelta(t, 2.0, m.MAC, 1e-12)
	require.InDeltaSlice(t, []float64{2 * math.Pow(8, math.Log(5)/math.Log(64)) / 8, 200.0 / 8, 14.142135 / 8}, m.SRAM[:], 1e-6)
	for kind, want := range map[string]float64{"hbm2": 31.36, "hbm2e": 31.36, "hbm3": 31.36, "hbm3e": 31.36, "gddr5": 112, "gddr6": 51.875, "lpddr4": 32, "ddr4": 162.5} {
		mem := Memory{DRAM: kind}
		pj, ok, err := mem.PerByte()
		require.NoError(t, err)
		require.True(t, ok)
		require.InDelta(t, want, pj, 1e-9)
		require.NotEmpty(t, mem.Source())
	}
}

func TestEveryTypeHasAFigure(t *testing.T) {
	for _, p := range Processes() {
		for i := range graph.DTypeNames() {
			s := defaultSpec()
			s.Process = p
			m, err := New(s, graph.DType(i), [3]units.Bytes{})
			require.NoError(t, err)
			require.Positive(t, m.MAC)
		}
	}
}

func TestOverrides(t *testing.T) {
	e := units.Energy(2.5e-12)
	s := Spec{Process: "7nm", MAC: &e, Vector: &e, Register: &e, IfmapByte: &e, FilterByte: &e, OfmapByte: &e}
	m, err := New(s, graph.Int8, [3]units.Bytes{1, 1, 1})
	require.NoError(t, err)
	b := m.Energy(Counts{MACs: 1, Vector: 1, Registers: 1, SRAM: [3]int64{1, 1, 1}})
	require.InDelta(t, 6*2.5, b.Total(), 1e-9)
	_, err = New(Spec{Process: "3nm"}, graph.Int8, [3]units.Bytes{})
	require.EqualError(t, err, `process: unknown "3nm" (want one of: 45nm, 15nm, 7nm; other figures can be given one by one)`)

	pj, ok, err := Memory{DRAM: "ddr4", Byte: &e}.PerByte()
	require.NoError(t, err)
	require.True(t, ok)
	require.InDelta(t, 2.5, pj, 1e-12)
	for _, m := range []Memory{{}, {DRAM: None}} {
		_, ok, err = m.PerByte()
		require.NoError(t, err)
		require.False(t, ok, "no figure is no energy, not 0")
		require.Empty(t, m.Source())
	}
	_, _, err = Memory{DRAM: "core"}.PerByte()
	require.EqualError(t, err, `dram: unknown "core" (want one of: none, hbm2, hbm2e, hbm3, hbm3e, gddr5, gddr6, lpddr4, ddr4)`)
}

// A larger SRAM never costs less per byte, and energy is linear in the counts.
func TestMonotoneAndLinear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &processes[rapid.IntRange(0, 2).Draw(t, "process")]
		a := rapid.Uint64Range(0, 1<<30).Draw(t, "a")
		b := a + rapid.Uint64Range(0, 1<<20).Draw(t, "more")
		require.LessOrEqual(t, p.sramByte(units.Bytes(a)), p.sramByte(units.Bytes(b))*(1+1e-12))
		some := units.Energy(2e-13)
		s := defaultSpec()
		s.SkewByte, s.Cycle = &some, &some
		m, err := New(s, graph.BF16, [3]units.Bytes{1 << 20, 1 << 20, 1 << 20})
		require.NoError(t, err)
		n := func(s string) int64 { return rapid.Int64Range(0, 1e9).Draw(t, s) }
		c := Counts{n("macs"), n("vector"), n("registers"), [3]int64{n("i"), n("f"), n("o")}, n("skew"), n("cycles")}
		d := Counts{2 * c.MACs, 2 * c.Vector, 2 * c.Registers, [3]int64{2 * c.SRAM[0], 2 * c.SRAM[1], 2 * c.SRAM[2]}, 2 * c.Skew, 2 * c.Cycles}
		require.InEpsilon(t, 2*m.Energy(c).Total()+1, m.Energy(d).Total()+1, 1e-9)
	})
}

func ExampleModel_Energy() {
	m, _ := New(defaultSpec(), graph.Int8, [3]units.Bytes{2 << 20, 2 << 20, 2 << 20})
	b := m.Energy(Counts{MACs: 4089184256, SRAM: [3]int64{44 << 20, 0, 0}}) // ResNet-50
	fmt.Printf("MAC %.0f uJ, ifmap buffer %.0f uJ\n", b.MAC/1e6, b.SRAM[0]/1e6)
	// Output: MAC 409 uJ, ifmap buffer 114 uJ
}

// Every figure of the columns is the published one. Reference: Horowitz 2014, figure 1.1.9;
// Jouppi 2021, table 2; Keckler 2011, table 1; Han 2015, figure 1.
func TestColumns(t *testing.T) {
	type row struct{ add, multiply, mac float64 }
	for process, want := range map[string]map[string]row{
		"45nm": {"int8": {0.03, 0.2, 0.3}, "int16": {0.05, 0.787400787, 0.887400787}, "int32": {0.1, 3.1, 3.2}, "fp16": {0.4, 1.1, 2.0}, "fp32": {0.9, 3.7, 4.6}},
		"7nm":  {"int8": {0.007, 0.07, 0.1}, "int32": {0.03, 1.48, 1.51}, "bf16": {0.11, 0.21, 0.59}, "fp16": {0.16, 0.34, 0.72}, "fp32": {0.38, 1.31, 1.69}},
	} {
		for dtype, w := range want {
			got, err := ArithmeticOf(process, dtype)
			require.NoError(t, err)
			require.InDeltaSlice(t, []float64{w.add, w.multiply, w.mac}, []float64{got.Add, got.Multiply, got.MAC}, 1e-8, "%s %s", process, dtype)
		}
	}
	for process, want := range map[string][4]float64{"45nm": {2, 10, 20, 100}, "7nm": {1.5, 7.5, 8.5, 14}} {
		for i, c := range []units.Bytes{128, 8 << 10, 32 << 10, 1 << 20} {
			got, err := SRAMAccess(process, c, 64)
			require.NoError(t, err)
			require.InDelta(t, want[i], got, 1e-9)
		}
	}
	got, err := Wire("45nm")
	require.NoError(t, err)
	require.InDelta(t, 310.0, got*256*10, 1e-9)
	_, err = Wire("7nm")
	require.EqualError(t, err, "process: nothing is published of wires at 7nm (want one of: 45nm, 15nm)")
	_, err = ArithmeticOf("45nm", "int9")
	require.EqualError(t, err, `dtype: unknown "int9" (want one of: int4, int8, int16, int32, fp8, fp16, bf16, fp32)`)
}

// 15 nm lies where the straight line from 45 nm to 7 nm passes it, in every figure.
func TestBetween(t *testing.T) {
	share := math.Log(45.0/15) / math.Log(45.0/7)
	for _, dtype := range Types() {
		var x [3]Arithmetic
		for i, p := range []string{"45nm", "15nm", "7nm"} {
			var err error
			x[i], err = ArithmeticOf(p, dtype)
			require.NoError(t, err)
		}
		require.InEpsilon(t, math.Pow(x[0].Multiply, 1-share)*math.Pow(x[2].Multiply, share), x[1].Multiply, 1e-9)
		require.Less(t, x[1].MAC, x[0].MAC)
		require.Greater(t, x[1].MAC, x[2].MAC)
	}
	got, err := SRAMAccess("15nm", 1<<20, 32)
	require.NoError(t, err)
	require.InEpsilon(t, 50*math.Pow(0.14, share), got, 1e-9)
}

// defaultSpec is a core of the default process.
func defaultSpec() Spec { return Spec{Process: DefaultProcess} }
