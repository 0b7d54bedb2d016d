package stats

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What came between two tallies is added n times: counters, and sums that metrics are made
// of, each once whatever number of names it has; a greatest value stays.
func TestRepeat(t *testing.T) {
	type sums struct {
		energy struct{ read, write float64 }
		banks  [2]uint64
		hits   uint64
		list   []int64
	}
	s := sums{list: make([]int64, 2)}
	var most uint64
	g := NewGroup("Node")
	g.Count("hits", One, "Hits.", &s.hits)
	g.Count("again", One, "The same.", &s.hits)
	g.Count("queue_max", One, "Longest queue.", &most)
	g.Value("energy", PJ, "Energy.", func() (float64, bool) { return s.energy.read + s.energy.write, true })
	g.Sum(&s)
	work := func() {
		s.hits, s.energy.write, s.banks[1], s.list[0] = s.hits+3, s.energy.write+0.5, s.banks[1]+2, s.list[0]-4
	}
	work()
	from := g.Tally()
	work()
	most = 7
	to := g.Tally()
	g.Repeat(from, to, 10)
	want := sums{hits: 6 + 30, banks: [2]uint64{0, 4 + 20}, list: []int64{-8 - 40, 0}}
	want.energy.write = 1 + 5
	require.Equal(t, want, s)
	require.EqualValues(t, 7, most)
	require.Panics(t, func() { g.Sum(s) })
	var moved uint64
	b := NewGroup("Bytes")
	b.Count("read_bytes", Byte, "Bytes.", &moved)
	b.Count("reads", One, "Reads.", &most)
	x := [2]Tally{b.Tally()}
	moved, most = moved+100, most+9
	x[1] = b.Tally()
	y := [2]Tally{x[1]}
	moved, most = moved+70, most+1
	y[1] = b.Tally()
	bytes, differ := b.Moved(x, y)
	require.Equal(t, []uint64{100, 30}, []uint64{bytes, differ})

	h := NewGroup("Other")
	name := "x"
	h.Sum(&name)
	require.Panics(t, func() { h.Tally() })
}

// Instead puts what another group has counted in place of its own; greatest values grow only.
func TestInstead(t *testing.T) {
	make := func() (*Group, *uint64, *float64, *uint64) {
		g, hits, energy, most := NewGroup("Node"), new(uint64), new(float64), new(uint64)
		g.Count("hits", One, "Hits.", hits)
		g.Count("queue_max", One, "Longest queue.", most)
		g.Sum(energy)
		return g, hits, energy, most
	}
	a, aHits, aEnergy, aMost := make()
	b, bHits, bEnergy, bMost := make()
	*aHits, *aEnergy, *bHits, *bEnergy = 100, 8, 7, 1
	x, y := [2]Tally{a.Tally()}, [2]Tally{b.Tally()}
	*aHits, *aEnergy, *aMost = 105, 8.5, 3
	*bHits, *bEnergy, *bMost = 20, 4, 9
	x[1], y[1] = a.Tally(), b.Tally()
	b.Instead(y, a, x)
	require.EqualValues(t, 7+5, *bHits)
	require.InDelta(t, 1+0.5, *bEnergy, 1e-12)
	require.EqualValues(t, 9, *bMost)
	a.Instead(x, b, y)
	require.EqualValues(t, 100+13, *aHits)
	require.EqualValues(t, 9, *aMost)
	require.True(t, a.Repeated())
}

// What is counted elsewhere is added before a tally.
func TestBefore(t *testing.T) {
	var sum, elsewhere uint64
	g := NewGroup("Node")
	g.Sum(&sum)
	g.Before(func(float64) { sum, elsewhere = sum+elsewhere, 0 })
	elsewhere = 5
	from := g.Tally()
	elsewhere = 2
	g.Repeat(from, g.Tally(), 10)
	require.EqualValues(t, 5+2+20, sum)
}

// Metrics that do not go on with Repeat are named, once it was called.
func TestStayed(t *testing.T) {
	var hits, held uint64
	g := NewGroup("Node")
	g.Count("hits", One, "Hits.", &hits)
	g.Value("held", One, "Lines.", func() (float64, bool) { return float64(held), true })
	g.Value("time", NS, "Not there.", func() (float64, bool) { return 0, false })
	g.Stays("held", "time")
	from := g.Tally()
	hits, held = 1, 1
	require.Empty(t, g.Stayed())
	g.Repeat(from, g.Tally(), 3)
	require.Equal(t, []string{"held"}, g.Stayed())
	require.EqualValues(t, 1, held)
	require.Panics(t, func() { g.Stays("missing") })
}
