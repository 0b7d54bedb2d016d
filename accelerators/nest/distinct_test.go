package nest

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The closed form of two loops and the marking of three and more count what listing
// every sum counts.
func TestSumsAreWhatListingGives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := &Nest{}
		var loops []turn
		r := &terms{}
		for d := range rapid.IntRange(1, 4).Draw(t, "loops") {
			f := float64(rapid.IntRange(1, 5).Draw(t, "factor"))
			loops = append(loops, turn{dim: d, factor: f, trips: f, step: float64(rapid.IntRange(1, 6).Draw(t, "step"))})
			r.dim, r.coef = append(r.dim, d), append(r.coef, float64(rapid.IntRange(1, 3).Draw(t, "coef")))
		}
		all := map[float64]bool{0: true}
		for i, x := range loops {
			next := map[float64]bool{}
			for s := range all {
				for k := range int(x.factor) {
					next[s+float64(k)*x.step*r.coef[i]] = true
				}
			}
			all = next
		}
		require.Equal(t, float64(len(all)), n.sums(loops, r))
	})
}

// A diagonal A[i][i] over i is as many tiles as iterations, not their square.
func TestDiagonal(t *testing.T) {
	p := &Problem{Dims: []Dim{{"I", 6}}, Tensors: []Tensor{
		{Name: "A", Ranks: [][]Term{{{0, 1}}, {{0, 1}}}}, {Name: "Z", Ranks: [][]Term{{{0, 1}}}, Written: true}}}
	a := machine(6, 1)
	n, err := New(p, a, nil, Rules2024)
	require.NoError(t, err)
	m := &Mapping{Levels: []Placed{{Spatial: []Loop{{0, 6, SpaceX}}, Keep: 3}, {Keep: 3}, {Keep: 3}}}
	require.NoError(t, n.Legal(m))
	var r Result
	n.Evaluate(m, &r)
	require.Equal(t, 6.0, r.Of(0, 0).Actual.Reads)
}

// Between a buffer and 8 units with nothing in between, an operand that the innermost
// loop does not move is sent once; where registers feed one unit each, it is read
// every cycle. Reference: outputs of timeloop-accelergy-exercises, tutorial 02 (buffer
// Inputs: reads are cycles / 8) and eyeriss_like.
func TestWhatStaysBelowAFanOut(t *testing.T) {
	p := &Problem{Dims: []Dim{{"M", 64}, {"C", 4}}, Tensors: []Tensor{
		{Name: "W", Ranks: [][]Term{{{0, 1}}, {{1, 1}}}}, {Name: "I", Ranks: [][]Term{{{1, 1}}}}, {Name: "O", Ranks: [][]Term{{{0, 1}}}, Written: true}}}
	one := Level{Name: "Buffer", WordBits: 8, Block: 1, Cluster: 1, Buffering: 1, Mesh: Mesh{1, 1}}
	loops := []Loop{{0, 8, Time}, {1, 4, Time}}
	run := func(a *Arch, m *Mapping, l int) *Result {
		n, err := New(p, a, nil, Rules2024)
		require.NoError(t, err)
		require.NoError(t, n.Legal(m))
		var r Result
		n.Evaluate(m, &r)
		require.Equal(t, 32.0, r.Cycles)
		require.Equal(t, 32.0*8, r.Of(l, 0).Actual.Reads*r.Of(l, 0).Instances, "each unit has weights of its own")
		return &r
	}
	wide := &Arch{Levels: []Level{one}, Compute: Compute{Name: "MAC", Mesh: Mesh{8, 1}}}
	r := run(wide, &Mapping{Levels: []Placed{{Temporal: loops, Spatial: []Loop{{0, 8, SpaceX}}, Keep: 7}}}, 0)
	require.Equal(t, 4.0, r.Of(0, 1).Actual.Reads)
	regs := one
	regs.Name, regs.Mesh = "Registers", Mesh{8, 1}
	deep := &Arch{Levels: []Level{one, regs}, Compute: Compute{Name: "MAC", Mesh: Mesh{8, 1}}}
	r = run(deep, &Mapping{Levels: []Placed{{Spatial: []Loop{{0, 8, SpaceX}}, Keep: 7}, {Temporal: loops, Keep: 7}}}, 1)
	require.Equal(t, 32.0, r.Of(1, 1).Actual.Reads)
}

// Instances of a cluster share an access: energy is that of clusters, not of instances.
// Reference: simba_like of timeloop-accelergy-exercises, PEWeightRegs.
func TestClusters(t *testing.T) {
	p := conv([4]int64{8, 1, 4, 1}, 1)
	energy := func(cluster int64) (each, all, clusters float64) {
		a := machine(1, 8)
		a.Levels[2].Cluster = cluster
		n, err := New(p, a, nil, Rules2024)
		require.NoError(t, err)
		m := &Mapping{Levels: []Placed{{Keep: 7}, {Spatial: []Loop{{0, 6, SpaceY}}, Temporal: []Loop{{0, 2, Time}}, Keep: 7}, {Temporal: []Loop{{2, 4, Time}}, Keep: 7}}}
		m.Levels[1].Spatial[0].Factor, m.Levels[1].Temporal[0].Factor = 4, 2
		require.NoError(t, n.Legal(m))
		var r Result
		n.Evaluate(m, &r)
		c := r.Of(2, 0)
		return c.EnergyEach, c.Energy, c.Clusters
	}
	each, all, clusters := energy(1)
	require.Equal(t, []float64{4 * each, 4}, []float64{all, clusters})
	shared, less, fewer := energy(4) // 8 instances in 2 clusters, 4 instances in use
	require.Equal(t, []float64{all / 2, each / 2, 2}, []float64{less, shared, fewer})
}
