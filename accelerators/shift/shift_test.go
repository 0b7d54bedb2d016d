package shift

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// mk2 is a small chip with the cores of an IPU MK2.
func mk2(cores int) *Machine {
	return &Machine{Cores: cores, Memory: 624 << 10, Buffer: 8 << 10, Compute: 170e9, Local: 32e9, Link: 5.3e9, Sync: 200e-9}
}

// 64 x 96 by 96 x 48 in fp16 over 4 x 3 x 2 cores, A in 3 windows and B in 2: by hand.
// Tiles of 16 x 16 x 48, 6 slabs of 8. Windows: A 16 x 16, B 24 x 16. Each of 5 shifts
// passes on 16 x 8 of A and 8 x 16 of B; sums of 16 x 16 are exchanged by halves.
func TestByHand(t *testing.T) {
	m := mk2(24)
	p := Plan{Product: Product{Batch: 1, M: 64, N: 48, K: 96, Element: 2, Sum: 4}, Pb: 1, Pm: 4, Pn: 3, Pk: 2, Fa: 3, Fb: 2}
	require.Equal(t, 24, p.Cores())
	require.Equal(t, 6, p.Steps())
	require.Equal(t, Tile{1, 16, 16, 8}, p.Step())
	a, b := p.Windows()
	require.EqualValues(t, 2*16*16, a)
	require.EqualValues(t, 2*24*16, b)
	require.EqualValues(t, 5*(2*16*8+2*8*16), p.Shifted())
	require.EqualValues(t, 4*128, p.Partial())
	require.EqualValues(t, 512+768+4*256+8192, p.Memory(m))
	compute := 6 * max(2*16*16*8/170e9, (256+256+512)/32e9)
	require.InDelta(t, compute+2560/5.3e9+5*200e-9+512/5.3e9+200e-9, p.Time(m), 1e-15)
	p.Fa, p.Fb = 1, 1 // all in place: no shift
	require.Zero(t, p.Shifted())
	require.Equal(t, 1, p.Steps())
}

// A grid of cores that knows nothing but the rules: windows as lists of slabs, rings.
// Every product is computed exactly once, on real numbers, with bytes and memory as the
// plan says.
func TestRotationMultiplies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, most int) int { return rapid.IntRange(1, most).Draw(t, name) }
		p := Plan{Product: Product{M: n("M", 9), N: n("N", 9), K: n("K", 30), Batch: 1, Element: 1, Sum: 4}, Pb: 1, Pk: n("Pk", 3), Fa: n("Fa", 4), Fb: n("Fb", 4)}
		p.Pm, p.Pn = p.Fb*n("replicas of B", 2), p.Fa*n("replicas of A", 2)
		s, tile := p.Steps(), p.Step()
		at := func(k, slab int) int { return k*tile.K*s + slab*tile.K } // first row of B
		seen := make([]int, p.M*p.N*p.K)
		c := make([]int, p.M*p.N)
		type core struct{ i, j, k int }
		a, b := map[core][]int{}, map[core][]int{} // slabs in the windows
		var grid []core
		for i := range p.Pm {
			for j := range p.Pn {
				for k := range p.Pk {
					x := core{i, j, k}
					grid = append(grid, x)
					for w := range s / p.Fa {
						a[x] = append(a[x], (p.Offset(i, j)+w)%s)
					}
					for w := range s / p.Fb {
						b[x] = append(b[x], (p.Offset(i, j)+w)%s)
					}
				}
			}
		}
		var shifted int64
		for step := range s {
			for _, x := range grid {
				slab := a[x][0]
				require.Equal(t, slab, b[x][0], "A and B of one step are of one slab")
				wa, wb := p.Windows()
				require.LessOrEqual(t, int64(len(a[x])*tile.M*tile.K), wa)
				require.LessOrEqual(t, int64(len(b[x])*tile.N*tile.K), wb)
				for m := x.i * tile.M; m < min(p.M, (x.i+1)*tile.M); m++ {
					for n := x.j * tile.N; n < min(p.N, (x.j+1)*tile.N); n++ {
						for k := at(x.k, slab); k < min(p.K, at(x.k, slab)+tile.K); k++ {
							seen[(m*p.N+n)*p.K+k]++
							c[m*p.N+n] += (m + 2*k + 1) * (3*k - n)
						}
					}
				}
			}
			if step == s-1 {
				break
			}
			na, nb := map[core][]int{}, map[core][]int{}
			for _, x := range grid {
				// From the next of the ring comes the slab that it has just used.
				from := core{x.i, x.j - x.j%p.Fa + (x.j+1)%p.Fa, x.k}
				na[x] = append(append([]int{}, a[x][1:]...), a[from][0])
				from = core{x.i - x.i%p.Fb + (x.i+1)%p.Fb, x.j, x.k}
				nb[x] = append(append([]int{}, b[x][1:]...), b[from][0])
			}
			sa, sb := p.Shift()
			shifted += sa + sb
			a, b = na, nb
		}
		require.Equal(t, p.Shifted(), shifted)
		for _, times := range seen {
			require.Equal(t, 1, times)
		}
		for m := range p.M {
			for n := range p.N {
				want := 0
				for k := range p.K {
					want += (m + 2*k + 1) * (3*k - n)
				}
				require.Equal(t, want, c[m*p.N+n])
			}
		}
	})
}

// The list goes from little memory and much time to the other way round, fits, and has the
// fastest of all plans at its end.
func TestPlansArePareto(t *testing.T) {
	m := mk2(64)
	q := Product{Batch: 2, M: 128, N: 1024, K: 1024, Element: 2, Sum: 4}
	plans := Plans(q, m, nil)
	require.Greater(t, len(plans), 3)
	for i := range plans {
		require.LessOrEqual(t, plans[i].Memory(m), m.Memory)
		require.LessOrEqual(t, plans[i].Cores(), m.Cores)
		if i > 0 {
			require.Greater(t, plans[i].Memory(m), plans[i-1].Memory(m))
			require.Less(t, plans[i].Time(m), plans[i-1].Time(m))
		}
	}
	all(q, m, false, func(p Plan) {
		if p.Memory(m) <= m.Memory {
			require.LessOrEqual(t, plans[len(plans)-1].Time(m), p.Time(m))
		}
	})
}

func layer(element int64) []Product {
	q := func(name string, m, n, k int, stored bool) Product {
		return Product{Name: name, Batch: 1, M: m, N: n, K: k, Element: element, Sum: 4, Stored: stored}
	}
	return []Product{q("qkv", 64, 768, 256, true), q("scores", 64, 64, 256, false), q("proj", 64, 256, 256, true), q("up", 64, 1024, 256, true), q("down", 64, 256, 1024, true)}
}

// Whatever the memory, no operator takes more than there is, with all stored operands that
// lie about; keeping windows in place never costs time.
func TestChooseFitsMemory(t *testing.T) {
	for _, kib := range []int64{130, 160, 250, 600} {
		m := mk2(16)
		m.Memory = kib << 10
		times := map[bool]float64{}
		for _, keep := range []bool{false, true} {
			q := layer(2)
			got, err := Choose(q, m, false, keep)
			require.NoError(t, err)
			var lying int64
			for i := range got {
				w := q[i].spread(m)
				if _, b := got[i].Windows(); got[i].Kept {
					w = max(w, b)
				}
				lying += w
			}
			for i := range got {
				used := lying + got[i].Working(m)
				if _, b := got[i].Windows(); !got[i].Kept {
					used += max(0, b-q[i].spread(m))
				}
				require.LessOrEqual(t, used, m.Memory, "%s in %d KiB, kept %v", q[i].Name, kib, got[i].Kept)
				times[keep] += got[i].time(m, got[i].Kept)
			}
		}
		require.LessOrEqual(t, times[true], times[false]*(1+1e-12))
	}
	m := mk2(16)
	m.Memory = 20 << 10
	_, err := Choose(layer(2), m, false, true)
	require.ErrorContains(t, err, "no plan fits into")
}

// At each moment the memory holds what is loaded and the operator under way: all operands
// from the one whose end a loading waited for up to that loaded, and what else the largest
// operator in between needs.
func TestStreamFitsMemory(t *testing.T) {
	for how := Basic; how <= Dynamic; how++ {
		for _, kib := range []int64{96, 128, 400} {
			m := mk2(16)
			m.Memory = kib << 10
			got, err := Stream(layer(2), m, 2.7e9, how)
			require.NoError(t, err)
			for i := range got {
				if !got[i].Stored {
					continue
				}
				require.Less(t, got[i].After, i)
				var windows, most int64
				for j := got[i].After + 1; j <= i; j++ {
					_, b := got[j].Windows()
					if got[j].Stored {
						windows += b
						b = 0
					}
					most = max(most, got[j].Working(m)+b)
				}
				require.LessOrEqual(t, windows+most, m.Memory)
				if how == Basic {
					require.Equal(t, i-1, got[i].After)
				}
			}
		}
	}
}

// Offset returns the slab along K with which core (i, j) of the parts of M and N starts.
func (p *Plan) Offset(i, j int) int {
	s := p.Steps()
	return (j%p.Fa*(s/p.Fa) + i%p.Fb*(s/p.Fb)) % s
}
