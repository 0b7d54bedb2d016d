package relax

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/causeway-sim/causeway/accelerators/nest"
	"github.com/causeway-sim/causeway/accelerators/search"
)

// drawSpace makes a small convolution and a machine of four levels with fan-outs, bandwidths,
// leakage and wires.
func drawSpace(t *rapid.T, objective string) *nest.Space {
	size := rapid.SampledFrom([]int64{1, 2, 3, 4, 6, 8, 12})
	p := &nest.Problem{Name: "conv"}
	for _, name := range []string{"K", "C", "P", "Q", "R"} {
		p.Dims = append(p.Dims, nest.Dim{Name: name, Size: size.Draw(t, name)})
	}
	stride := rapid.Int64Range(1, 3).Draw(t, "stride")
	p.Tensors = []nest.Tensor{
		{Name: "Weights", Ranks: [][]nest.Term{{{Dim: 0, Coef: 1}}, {{Dim: 1, Coef: 1}}, {{Dim: 4, Coef: 1}}}},
		{Name: "Inputs", Ranks: [][]nest.Term{{{Dim: 1, Coef: 1}}, {{Dim: 3, Coef: 1}}, {{Dim: 2, Coef: stride}, {Dim: 4, Coef: 1}}}},
		{Name: "Outputs", Ranks: [][]nest.Term{{{Dim: 0, Coef: 1}}, {{Dim: 2, Coef: 1}}, {{Dim: 3, Coef: 1}}}, Written: true},
	}
	band := rapid.SampledFrom([]float64{0, 0, 0.5, 3})
	level := func(name string, x, y int64) nest.Level {
		return nest.Level{Name: name, WordBits: 8, Block: 1, Cluster: 1, Buffering: 1, Mesh: nest.Mesh{X: x, Y: y},
			ReadBandwidth: band.Draw(t, "read"), WriteBandwidth: band.Draw(t, "write"), SharedBandwidth: band.Draw(t, "shared"),
			NoMulticast: rapid.IntRange(0, 4).Draw(t, "multicast") == 0, NoReduction: rapid.IntRange(0, 4).Draw(t, "reduction") == 0,
			Wire:   float64(rapid.IntRange(0, 2).Draw(t, "wire")),
			Energy: nest.Actions{Read: 2, Write: 3, Update: 5, Leak: 0.25}}
	}
	a := &nest.Arch{Levels: []nest.Level{level("DRAM", 1, 1), level("Shared", 1, 1), level("Buffer", 4, 1), level("Registers", 4, 6)},
		Compute: nest.Compute{Name: "MAC", Mesh: nest.Mesh{X: 4, Y: 6}, Energy: 1}}
	n, err := nest.New(p, a, nil, rapid.SampledFrom([]nest.Rules{nest.Rules2024, nest.Rules2025}).Draw(t, "rules"))
	require.NoError(t, err)
	s, err := nest.NewSpace(n, nest.Free(4, 5), objective)
	require.NoError(t, err)
	return s
}

func drawMapping(s *nest.Space, seed uint64) *nest.Mapping {
	w := s.Walker()
	m, r := w.New(), rand.New(rand.NewPCG(seed, 1))
	for !w.Random(r, m) {
	}
	return m
}

// stored is a memory outside in which tensors lie row by row.
func stored(t *rapid.T, s *nest.Space) *Memory {
	m := &Memory{Request: rapid.SampledFrom([]float64{0, 1, 4}).Draw(t, "request")}
	p := s.Nest().Problem()
	for i := range p.Tensors {
		x := Stored{Word: 0.7, Sum: 1.5, Share: 1, Packed: rapid.Bool().Draw(t, "packed"), Burst: rapid.SampledFrom([]float64{0, 8}).Draw(t, "burst")}
		for k := range p.Tensors[i].Ranks {
			x.Size = append(x.Size, int64(s.Nest().Span(i, k)))
		}
		x.Stride = make([]int64, len(x.Size))
		all := int64(1)
		for k := len(x.Size) - 1; k >= 0; k-- {
			x.Stride[k] = all
			all *= x.Size[k]
		}
		m.Tensors = append(m.Tensors, x)
	}
	return m
}

// unlike reports whether two spatial loops of one level move the inputs by steps of which neither
// divides the other: their sums are counted as if one did.
func unlike(s *nest.Space, m *nest.Mapping, a []nest.Term) bool {
	ext := [2]int64{1, 1}
	for l := len(m.Levels) - 1; l >= 0; l-- {
		var step [2]int64
		for i, x := range a {
			for _, y := range m.Levels[l].Spatial {
				if y.Dim == x.Dim && y.Factor > 1 {
					step[i] = x.Coef * ext[i]
					ext[i] *= y.Factor
				}
			}
			for _, y := range m.Levels[l].Temporal {
				if y.Dim == x.Dim {
					ext[i] *= y.Factor
				}
			}
		}
		if step[0] > 0 && step[1] > 0 && step[0]%step[1] != 0 && step[1]%step[0] != 0 {
			return true
		}
	}
	return false
}

// At whole factors the relaxed cost is what nest.Evaluate counts: words of every level, energy,
// and cycles but for rounding to whole ones.
func TestWholeFactors(t *testing.T) {
	drawn, compared := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		drawn++
		s := drawSpace(t, "edp")
		p := drawMapping(s, rapid.Uint64().Draw(t, "seed"))
		n := s.Nest()
		if unlike(s, p, n.Problem().Tensors[1].Ranks[2]) {
			return
		}
		compared++
		m := newModel(s, nil)
		m.setTo(p)
		m.value()
		var r nest.Result
		n.Evaluate(p, &r)
		for l := range m.nL {
			read, write := 0.0, 0.0
			for k := range m.nT {
				c := r.Of(l, k)
				read += c.Actual.Reads
				write += c.Actual.Fills + c.Actual.Updates
			}
			require.InDelta(t, read, m.read[l].v, 1e-9*(1+read), "reads of level %d", l)
			require.InDelta(t, write, m.write[l].v, 1e-9*(1+write), "writes of level %d", l)
		}
		cycles := math.Exp(m.cycles.v)
		require.LessOrEqual(t, cycles, r.Cycles*(1+1e-9))
		require.Greater(t, cycles+1, r.Cycles*(1-1e-9))
		leak := 0.0
		for l := range m.nL {
			leak += 0.25 * r.Levels[l].Instances
		}
		require.InDelta(t, r.Energy, m.energy.v+leak*(r.Cycles-cycles), 1e-9*r.Energy)
	})
	require.Greater(t, 3*compared, drawn, "most draws are left out")
}

// Derivatives are those that small steps of the factors show, at points between whole ones, with
// the smooth maximum of cycles and with exceeded fan-outs; and of the memory outside alone.
func TestDerivatives(t *testing.T) {
	for _, objective := range []string{"cycles", "energy", "edp", "traffic", "time", "outside"} {
		t.Run(objective, func(t *testing.T) {
			off, all := 0, 0
			rapid.Check(t, func(t *rapid.T) {
				outside := objective == "outside"
				s := drawSpace(t, map[bool]string{true: "cycles", false: objective}[outside])
				m := newModel(s, stored(t, s))
				if len(m.vars) == 0 {
					return
				}
				m.setTo(drawMapping(s, rapid.Uint64().Draw(t, "seed")))
				m.sharp = 6
				r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "point"), 1))
				for i := range m.x {
					m.x[i] = 2.2 * r.Float64() * float64(r.IntN(2)) // every other factor is 1
					if m.x[i] == 0 {
						m.x[i] = 0.05 + 0.02*r.Float64()
					}
				}
				what, scale := &m.cost, 1.0
				m.gradient()
				if outside {
					what, scale = &m.outside, m.outside.v
				}
				got := append([]float64(nil), what.d...)
				for i := range m.x {
					const step = 1e-6
					x := m.x[i]
					m.x[i] = x + step
					m.value()
					up := what.v
					m.x[i] = x - step
					m.value()
					down := what.v
					m.x[i] = x
					all++
					if want := (up - down) / (2 * step); math.Abs(got[i]-want) > 1e-5*(scale+math.Abs(want)) {
						off++ // a corner: a maximum changes sides within the step
						t.Logf("%v: %g, steps show %g", m.vars[i], got[i], want)
					}
				}
			})
			require.Greater(t, all, 500)
			require.LessOrEqual(t, float64(off), 1e-3*float64(all))
		})
	}
}

// conv is a layer of ResNet-50 on a machine of four levels.
func conv(tb testing.TB) *nest.Space {
	p := &nest.Problem{Name: "conv"}
	for i, n := range []int64{1, 128, 128, 28, 28, 3, 3} {
		p.Dims = append(p.Dims, nest.Dim{Name: string("NKCPQRS"[i]), Size: n})
	}
	one := func(d int) []nest.Term { return []nest.Term{{Dim: d, Coef: 1}} }
	p.Tensors = []nest.Tensor{
		{Name: "Weights", Ranks: [][]nest.Term{one(1), one(2), one(5), one(6)}},
		{Name: "Inputs", Ranks: [][]nest.Term{one(0), one(2), {{Dim: 3, Coef: 1}, {Dim: 5, Coef: 1}}, {{Dim: 4, Coef: 1}, {Dim: 6, Coef: 1}}}},
		{Name: "Outputs", Ranks: [][]nest.Term{one(0), one(1), one(3), one(4)}, Written: true},
	}
	level := func(name string, words, read float64, x, y int64) nest.Level {
		return nest.Level{Name: name, Words: words, WordBits: 8, Block: 1, Cluster: 1, Buffering: 1, Mesh: nest.Mesh{X: x, Y: y},
			Energy: nest.Actions{Read: read, Write: read, Update: read}}
	}
	a := &nest.Arch{Levels: []nest.Level{level("DRAM", 0, 200, 1, 1), level("Buffer", 1<<17, 6, 1, 1), level("Local", 1024, 2, 16, 1), level("Registers", 16, 1, 16, 16)},
		Compute: nest.Compute{Name: "MAC", Mesh: nest.Mesh{X: 16, Y: 16}, Energy: 1}}
	a.Levels[0].SharedBandwidth = 16
	n, err := nest.New(p, a, nil, nest.Rules2024)
	require.NoError(tb, err)
	s, err := nest.NewSpace(n, nest.Free(4, 7), "edp")
	require.NoError(tb, err)
	return s
}

// Whatever the workers, a seed gives the same mapping, cost and passes; all evaluations are of
// mappings that are legal.
func TestWorkers(t *testing.T) {
	s := conv(t)
	var first *nest.Mapping
	var report search.Report
	for _, workers := range []int{1, 2, 5} {
		m, r, err := search.Run(context.Background(), Over(s, nil), search.Options{Algorithm: search.Gradient, Evaluations: 40, Seed: 3, Workers: workers})
		require.NoError(t, err)
		require.NoError(t, s.Nest().Legal(m))
		require.EqualValues(t, 40, r.Evaluated)
		require.EqualValues(t, 40*descentSteps, r.Passes.Gradients)
		require.Positive(t, r.Passes.Values)
		if first == nil {
			first, report = m, r
		}
		require.Equal(t, first, m)
		require.Equal(t, report, r)
	}
	_, r, err := search.Run(context.Background(), Over(s, nil), search.Options{Algorithm: search.Gradient, Evaluations: 40, Seed: 4})
	require.NoError(t, err)
	require.NotEqual(t, report.Passes.Values, r.Passes.Values, "another seed has other starts")
}

// What each start proposes is legal: factors multiply up, within fan-outs and capacities.
func TestProposalsAreLegal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpace(t, "edp")
		words := rapid.SampledFrom([]float64{0, 12, 60})
		for l := 1; l < 4; l++ {
			s.Nest().Arch().Levels[l].Words = words.Draw(t, "words")
		}
		w := Over(s, nil).Walker().(*walker)
		w.Propose(rand.New(rand.NewPCG(1, 1)), rapid.IntRange(0, 20).Draw(t, "start"), w.New(), func(m *nest.Mapping) (float64, bool) {
			require.NoError(t, s.Nest().Legal(m))
			return w.Cost(m), true
		})
	})
}

// A space without a relaxed cost refuses the search.
func TestPlainSpaceRefuses(t *testing.T) {
	_, _, err := search.Run(context.Background(), conv(t), search.Options{Algorithm: search.Gradient, Evaluations: 40})
	require.ErrorIs(t, err, search.ErrNoGradient)
}

// Constraints hold: fixed factors and largest ones, orders, fan-outs by axis, tensors that a level
// has to keep.
func TestConstraints(t *testing.T) {
	n := conv(t).Nest()
	c := nest.Free(4, 7)
	c.Levels[0].Temporal.Most[3] = 2
	c.Levels[1].Temporal.Factor[2] = 4
	c.Levels[1].Temporal.Order = []int{4, 3}
	c.Levels[2].Spatial.Order, c.Levels[2].Spatial.Split = []int{1}, 1
	c.Levels[3].Temporal.Factor[1] = 1
	c.Levels[2].Keep, c.Levels[3].Bypass = 1, 2
	s, err := nest.NewSpace(n, c, "edp")
	require.NoError(t, err)
	m, _, err := search.Run(context.Background(), Over(s, nil), search.Options{Algorithm: search.Gradient, Evaluations: 30, Seed: 1})
	require.NoError(t, err)
	require.NoError(t, n.Legal(m))
	factor := func(loops []nest.Loop, d int) int64 {
		for _, x := range loops {
			if x.Dim == d {
				return x.Factor
			}
		}
		return 0
	}
	require.LessOrEqual(t, factor(m.Levels[0].Temporal, 3), int64(2))
	require.EqualValues(t, 4, factor(m.Levels[1].Temporal, 2))
	require.Equal(t, 4, m.Levels[1].Temporal[0].Dim)
	require.Equal(t, 3, m.Levels[1].Temporal[1].Dim)
	require.EqualValues(t, 1, factor(m.Levels[3].Temporal, 1))
	require.True(t, m.Levels[2].Keep.Has(0))
	require.False(t, m.Levels[3].Keep.Has(1))
	for _, x := range m.Levels[2].Spatial {
		if x.Factor > 1 {
			require.Equal(t, x.Dim == 1, x.Axis == nest.SpaceX, "along X dimension 1 alone")
		}
	}
}

// A pass allocates nothing.
func TestPassAllocatesNothing(t *testing.T) {
	m := newModel(conv(t), nil)
	m.sharp = 8
	require.Zero(t, testing.AllocsPerRun(10, func() { m.gradient() }))
	require.Zero(t, testing.AllocsPerRun(10, func() { m.value() }))
}

// A pass of seven dimensions and four levels.
func BenchmarkPass(b *testing.B) {
	s := conv(b)
	m := newModel(s, nil)
	m.setTo(drawMapping(s, 1))
	m.sharp = 8
	for i := range m.x {
		m.x[i] = 0.9*m.x[i] + 0.1
	}
	for name, f := range map[string]func() float64{"gradient": m.gradient, "value": m.value} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				f()
			}
		})
	}
}

// setTo takes over the factors, orders and kept tensors of a mapping of the space.
func (m *model) setTo(p *nest.Mapping) {
	for l := range p.Levels {
		m.keep[l] = p.Levels[l].Keep
		for k, loops := range [2][]nest.Loop{p.Levels[l].Temporal, p.Levels[l].Spatial} {
			for i, x := range loops {
				if k == 0 {
					m.order[l][i] = x.Dim
				}
				if v := m.at[(2*l+k)*m.nD+x.Dim]; v >= 0 {
					m.x[v] = math.Log(float64(x.Factor)) - m.fixed[(2*l+k)*m.nD+x.Dim]
				}
			}
		}
	}
	m.lay()
}
