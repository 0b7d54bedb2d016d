package nest

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// eight outputs, two on each of four instances: the outer memory reads 8 weights and
// one input, and takes 8 sums.
func eight(t *testing.T, change func(a *Arch)) (*Nest, *Mapping) {
	a := machine(4, 1)
	change(a)
	n, err := New(conv([4]int64{8, 1, 1, 1}, 1), a, nil, Rules2025)
	require.NoError(t, err)
	return n, &Mapping{Levels: []Placed{
		{Spatial: []Loop{{Dim: 0, Factor: 4, Axis: SpaceX}}, Keep: 7}, {Keep: 7},
		{Temporal: []Loop{{Dim: 0, Factor: 2}}, Keep: 7},
	}}
}

// A level takes the cycles that its words need at the bandwidth of reads, of writes, or
// of both together, and never fewer than compute.
func TestBandwidths(t *testing.T) {
	for _, c := range []struct {
		read, write, shared, want float64
	}{
		{0, 0, 0, 2},
		{2, 0, 0, 5}, // 9 words read
		{0, 2, 0, 4}, // 8 words written
		{0, 0, 2, 9}, // 17 in all
		{0, 0, 6, 3}, // enough for either alone
		{0, 0, 100, 2},
		{1, 2, 2, 9},
		{1, 2, 4, 9},
	} {
		n, m := eight(t, func(a *Arch) {
			l := &a.Levels[0]
			l.ReadBandwidth, l.WriteBandwidth, l.SharedBandwidth = c.read, c.write, c.shared
		})
		var r Result
		n.Evaluate(m, &r)
		require.EqualValues(t, 2, r.Steps)
		require.Equal(t, c.want, r.Levels[0].Cycles, "%+v", c)
		require.Equal(t, c.want, r.Cycles, "the slowest level")
	}
}

// Every instance in use leaks in every cycle, also where another level is waited for.
func TestLeakage(t *testing.T) {
	n, m := eight(t, func(a *Arch) {
		a.Levels[0].SharedBandwidth = 2
		a.Levels[1].Energy = Actions{Leak: 0.5}
	})
	var r Result
	n.Evaluate(m, &r)
	require.EqualValues(t, 9, r.Cycles)
	require.EqualValues(t, 0.5*9*4, r.Levels[1].Leakage)
	require.Equal(t, r.Levels[1].Leakage, r.Levels[1].Energy)
	sum := r.ComputeEnergy
	for _, l := range r.Levels {
		sum += l.Energy
	}
	require.InDelta(t, sum, r.Energy, 1e-9, "leakage is part of the sum")
	for f := 0.5; f <= 2; f *= 2 { // by the cycle: the time times the instances
		n, m := eight(t, func(a *Arch) { a.Levels[1].Energy = Actions{Leak: f} })
		n.Evaluate(m, &r)
		require.Equal(t, f*r.Cycles*r.Levels[1].Instances, r.Levels[1].Leakage)
	}
}

// The tiles of all tensors lie in an instance together, as often as it is buffered: 2
// weights, an input, 2 outputs.
func TestCapacity(t *testing.T) {
	for _, c := range []struct {
		words, buffering float64
		fits             bool
	}{{5, 1, true}, {4, 1, false}, {10, 2, true}, {9, 2, false}, {0, 2, true}} {
		n, m := eight(t, func(a *Arch) { a.Levels[1].Words, a.Levels[1].Buffering = c.words, c.buffering })
		if err := n.Legal(m); c.fits {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, "Buffer", "%+v", c)
		}
	}
}

// Four instances slide along a signal, 3 taps each: alone they read 4 windows of 3 at a
// time; forwarding, 6 words, and from one round to the next only the 4 that are new.
func TestForwarding(t *testing.T) {
	for _, c := range []struct {
		forward bool
		reads   float64
	}{{false, 4 * 3 * 2}, {true, 6 + 4}} {
		a := machine(4, 1)
		a.Levels[0].Forward = c.forward
		n, err := New(conv([4]int64{1, 1, 8, 3}, 1), a, nil, Rules2024)
		require.NoError(t, err)
		m := &Mapping{Levels: []Placed{
			{Temporal: []Loop{{Dim: 2, Factor: 2}}, Spatial: []Loop{{Dim: 2, Factor: 4, Axis: SpaceX}}, Keep: 7}, {Keep: 7},
			{Temporal: []Loop{{Dim: 3, Factor: 3}}, Keep: 7},
		}}
		require.NoError(t, n.Legal(m))
		var r Result
		n.Evaluate(m, &r)
		require.Equal(t, c.reads, r.Of(0, 1).Actual.Reads)
		require.EqualValues(t, 3, r.Of(0, 0).Actual.Reads, "taps are multicast in any case")
	}
}

// Forwarding never reads more than the instances read apart, nor less than the tensor has
// elements that are touched; where it shares nothing it changes nothing.
func TestForwardingIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := draw(t)
		var apart, together Result
		n.Evaluate(m, &apart)
		a := *n.a
		a.Levels = append([]Level(nil), a.Levels...)
		for i := range a.Levels {
			a.Levels[i].Forward = true
		}
		f, err := New(n.p, &a, nil, n.rules)
		require.NoError(t, err)
		f.Evaluate(m, &together)
		for l := range n.nL {
			for k := range n.p.Tensors {
				x, y := apart.Of(l, k).Actual, together.Of(l, k).Actual
				require.Equal(t, x.Fills, y.Fills)
				require.Equal(t, x.Updates, y.Updates)
				if k == 1 {
					require.LessOrEqual(t, y.Reads, x.Reads)
				} else {
					require.Equal(t, x.Reads, y.Reads, "tiles of %s do not overlap", n.p.Tensors[k].Name)
				}
			}
		}
	})
}
