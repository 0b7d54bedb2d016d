package pool

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func Example() {
	d := NewDevice(4, Split([]float64{0.5, 0}))
	for range 3 {
		d.Queue(0)
		d.Queue(1)
	}
	for d.HasPlace() {
		ld, _ := d.Next(0)
		d.Start(ld, 0)
		fmt.Print(ld, " ")
	}
	fmt.Println(d.Load(0))
	// Output: 0 1 0 1 severe
}

// A host has exactly as many lines under way as it may: the last is admitted, the next
// is not, and an answer makes room for one.
func TestThrottleAdmits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.IntRange(1, 70).Draw(t, "most")
		p := NewThrottle(most)
		for range most {
			require.True(t, p.Admit())
		}
		require.False(t, p.Admit(), "one more than %d", most)
		p.GiveUp()
		require.True(t, p.Admit())
		require.False(t, p.Admit())
		p.Answer(Optimal)
		require.True(t, p.Admit())
		require.False(t, p.Admit())
	})
}

// The limit changes after as many answers as lines may be under way, by the worst load
// among them.
func TestThrottleSteps(t *testing.T) {
	for _, c := range []struct {
		most, limit int
		worst       Load
		want        int
	}{
		{1024, 64, Light, 69}, {1024, 64, Optimal, 64}, {1024, 64, Moderate, 59}, {1024, 64, Severe, 32},
		{1024, 15, Light, 16}, {1024, 15, Moderate, 14}, {1024, 1, Moderate, 1}, {1024, 1, Severe, 1}, {64, 63, Light, 64}, {64, 64, Light, 64},
	} {
		p := Throttle{most: c.most, limit: c.limit}
		for i := range c.limit {
			require.Equal(t, c.limit, p.limit, "before answer %d", i)
			p.under++
			load := Light
			if i == c.limit/2 {
				load = c.worst
			}
			p.Answer(load)
		}
		require.Equal(t, c.want, p.limit, "%d, %s", c.limit, c.worst)
		require.Zero(t, p.answers)
		require.Equal(t, Light, p.worst)
	}
}

// The borders of load, with and without a line more.
func TestLoadBorders(t *testing.T) {
	for _, c := range []struct {
		inside, waiting int
		want            Load
	}{{0, 0, Light}, {4, 0, Light}, {5, 0, Optimal}, {12, 0, Optimal}, {13, 0, Moderate}, {16, 0, Moderate}, {16, 1, Severe}, {0, 17, Severe}} {
		d := NewDevice(16, []float64{1})
		d.Inside, d.Waiting = c.inside, c.waiting
		d.LDs[0].Inside, d.LDs[0].Waiting = c.inside, c.waiting
		require.Equal(t, c.want, d.Load(0), "%d inside, %d waiting", c.inside, c.waiting)
	}
}

// Of two logical devices, the one that has less than its part gets a lower load than the other.
func TestLoadOfParts(t *testing.T) {
	d := NewDevice(16, Split([]float64{0.75, 0.25}))
	for range 7 {
		d.Enter(0)
		d.Enter(1)
	}
	require.Equal(t, Light, d.Load(0), "7 of 14, its part is 10.5")
	require.Equal(t, Moderate, d.Load(1), "7 of 14, its part is 3.5")
	for range 7 {
		d.Done(1)
	}
	require.Equal(t, Optimal, d.Load(0), "alone, all is its part")
}

// The borders of its part: 4 of 8 lines.
func TestLoadBordersOfParts(t *testing.T) {
	for mine, want := range map[int]Load{2: Light, 3: Optimal, 5: Optimal, 6: Moderate} {
		d := NewDevice(16, []float64{0.5, 0.5})
		for range mine {
			d.Enter(0)
		}
		for range 8 - mine {
			d.Enter(1)
		}
		require.Equal(t, want, d.Load(0), "%d of 8", mine)
	}
}

// One that had nothing to send for a while has not saved its turns, and the others lose
// none to it.
func TestIdleSavesNothing(t *testing.T) {
	d := NewDevice(1<<20, []float64{0.5, 0.5})
	next := func() int {
		ld, _ := d.Next(0)
		d.Start(ld, 0)
		return ld
	}
	for range 100 {
		d.Queue(0)
		require.Equal(t, 0, next())
	}
	for range 20 {
		d.Queue(0)
		d.Queue(1)
	}
	got := [2]int{}
	for range 20 {
		got[next()]++
		require.InDelta(t, got[0], got[1], 2)
	}
	for d.Waiting > 0 {
		next()
	}
	// and the other way round
	for range 100 {
		d.Queue(1)
		require.Equal(t, 1, next())
	}
	for range 20 {
		d.Queue(0)
		d.Queue(1)
	}
	got = [2]int{}
	for range 20 {
		got[next()]++
		require.InDelta(t, got[0], got[1], 2)
	}
}

// tick is a limit of one line in so many ps.
type tick struct{ each, free uint64 }

func (l *tick) Free() uint64 { return l.free }

func (l *tick) Transfer(at, _ uint64) uint64 {
	l.free = max(l.free, at) + l.each
	return l.free
}

// A limit holds a line back to the picosecond, and says when it may go; meanwhile it
// reports overload.
func TestLimit(t *testing.T) {
	d := NewDevice(16, []float64{0.5, 0.5})
	d.LDs[0].Limit = &tick{each: 100}
	d.Queue(0)
	d.Queue(0)
	ld, later := d.Next(10)
	require.Equal(t, 0, ld)
	require.EqualValues(t, never, later)
	d.Start(0, 10)
	ld, later = d.Next(109)
	require.Equal(t, -1, ld)
	require.EqualValues(t, 110, later)
	require.Equal(t, Moderate, d.Load(0))
	for range 8 {
		d.Queue(0)
	}
	require.Equal(t, Severe, d.Load(0), "9 wait, its part of the places is 8")
	ld, _ = d.Next(110)
	require.Equal(t, 0, ld)
	d.Queue(1)
	ld, later = d.Next(50)
	require.Equal(t, 1, ld)
	require.EqualValues(t, 110, later)
}

// While all wait, lines are in proportion to shares, to within one line each; counts add
// up, whatever is done.
func TestShares(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		weights := rapid.SliceOfN(rapid.IntRange(1, 9), 1, 6).Draw(t, "weights")
		shares, sum := make([]float64, len(weights)), 0
		for _, w := range weights {
			sum += w
		}
		for i, w := range weights {
			shares[i] = float64(w) / float64(sum)
		}
		d := NewDevice(1<<20, shares)
		lines := sum * 20
		for ld := range shares {
			for range lines {
				d.Queue(ld)
			}
		}
		got := make([]int, len(shares))
		for range lines {
			ld, _ := d.Next(0)
			d.Start(ld, 0)
			got[ld]++
		}
		waiting, inside := 0, 0
		for ld, x := range d.LDs {
			require.InDelta(t, shares[ld]*float64(lines), float64(got[ld]), 2, "%v of %v", got, weights)
			require.Equal(t, got[ld], x.Inside)
			waiting, inside = waiting+x.Waiting, inside+x.Inside
		}
		require.Equal(t, waiting, d.Waiting)
		require.Equal(t, inside, d.Inside)
	})
}

func TestSplit(t *testing.T) {
	require.Equal(t, []float64{0.5, 0.25, 0.25}, Split([]float64{0.5, 0, 0}))
	require.Equal(t, []float64{1, 0}, Split([]float64{1, 0}))
	require.Equal(t, []float64{0.25, 0.5}, Split([]float64{0.25, 0.5}), "what is left is for nobody")
}
