package placement

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// counted is two tiers: near has free frames, and pages with counts; all of the others
// are far.
func counted(free int, near, far []uint32) *View {
	v := &View{Tiers: make([]Tier, 2), PageBytes: 4096}
	for tier, counts := range [][]uint32{near, far} {
		for _, n := range counts {
			v.Pages = append(v.Pages, Page{Tier: int8(tier), Count: n})
		}
		v.Tiers[tier].Used = len(counts)
		v.Tiers[tier].Frames = len(counts) + free
	}
	return v
}

// The pages that colloid moves carry the share of accesses that is to be shifted, and
// no more: the hottest first that still fits, exactly the share being allowed.
// Reference: Colloid, section 3.2: pages whose access probabilities add up to at most
// the desired shift.
func TestColloidStep(t *testing.T) {
	for _, c := range []struct {
		name   string
		v      *View
		step   float64
		budget float64
		want   []Move
	}{
		{"the hottest page is exactly the step", counted(9, nil, []uint32{50, 30, 20}), 0.5, 9, []Move{{0, None, 0}}},
		{"two pages are exactly the step", counted(9, nil, []uint32{50, 30, 20}), 0.8, 9, []Move{{0, None, 0}, {1, None, 0}}},
		{"one access less, and the hottest does not fit", counted(9, nil, []uint32{50, 30, 20}), 0.49, 9, []Move{{1, None, 0}}},
		{"what is left after the first fits the third", counted(9, nil, []uint32{50, 30, 20}), 0.75, 9, []Move{{0, None, 0}, {2, None, 0}}},
		{"no page fits", counted(9, nil, []uint32{50, 30, 20}), 0.1, 9, nil},
		{"the budget is one page", counted(9, nil, []uint32{50, 30, 20}), 1, 1, []Move{{0, None, 0}}},
		{"the budget is less than one page", counted(9, nil, []uint32{50, 30, 20}), 1, 0.9, nil},
		{"an exchange shifts the difference", counted(0, []uint32{10}, []uint32{60, 30}), 0.5, 2, []Move{{1, 0, 0}}},
		{"an exchange costs two pages", counted(0, []uint32{10}, []uint32{60, 30}), 0.5, 1.9, nil},
		{"after the free frame an exchange", counted(1, []uint32{0, 10}, []uint32{60, 30}), 1, 9, []Move{{2, None, 0}, {3, 0, 0}}},
		{"pages without accesses stay", counted(9, nil, []uint32{100, 0}), 1, 9, []Move{{0, None, 0}}},
	} {
		p := &colloid{s: DefaultBalancing()}
		require.Equal(t, c.want, p.choose(c.v, 1, 0, c.step, c.budget, nil), c.name)
	}
}

// The dumb twin adds up what the moves shift and cost.
func TestColloidShiftsNoMoreThanTheStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		counts := rapid.SliceOfN(rapid.Uint32Range(0, 60), 0, 12)
		v := counted(rapid.IntRange(0, 3).Draw(t, "free"), counts.Draw(t, "near"), counts.Draw(t, "far"))
		step, budget := rapid.Float64Range(0, 1).Draw(t, "step"), float64(rapid.IntRange(0, 8).Draw(t, "budget"))
		p := &colloid{s: DefaultBalancing()}
		total, shifted, cost := 0., 0., 0.
		for _, x := range v.Pages {
			total += float64(x.Count)
		}
		moves := p.choose(v, 1, 0, step, budget, nil)
		for _, m := range moves {
			shifted += float64(v.Pages[m.Page].Count)
			if m.With != None {
				shifted -= float64(v.Pages[m.With].Count)
			}
			cost += m.Cost()
		}
		require.LessOrEqual(t, shifted, step*total+1e-9)
		require.LessOrEqual(t, cost, budget)
		// and it goes as far as it may: with frames and budget left, no page is left
		// out that fits
		if free := v.Tiers[0].free() - len(moves); free > 0 && budget-cost >= 1 {
			for i, x := range v.Pages {
				if x.Tier == 1 && x.Count > 0 && float64(x.Count) <= step*total-shifted-1e-9 {
					require.Contains(t, moves, Move{int32(i), None, 0})
				}
			}
		}
	})
}

// The limit pays for whole pages with the bytes of the accesses to be shifted; what an
// interval does not spend is for the next, up to what one interval may move.
// Reference: Colloid, section 4.2 (dynamic migration limit).
func TestColloidOwes(t *testing.T) {
	p := &colloid{s: Balancing{EWMA: 1, Delta: 0.05, Epsilon: 0.01, Limit: true, Cool: 1000}}
	v := counted(9, nil, []uint32{1, 1, 1, 1, 1, 1, 1, 1, 1, 1})
	v.Budget, v.Cycles = 3, 1000
	v.Tiers[0] = Tier{Frames: 9, Idle: 70}
	v.Tiers[1] = Tier{Frames: 99, Used: 10, Idle: 135, Reads: 1000, Occupancy: 135, Bytes: 2048}
	// half of all accesses are to be shifted: 1024 B in each interval, a page in four
	for interval := 1; interval <= 8; interval++ {
		p.brackets = nil
		p.tiers = nil
		moves := p.Plan(v, nil)
		if interval%4 == 0 {
			require.Len(t, moves, 1, "interval %d", interval)
		} else {
			require.Empty(t, moves, "interval %d", interval)
		}
	}
	v.Tiers[1].Bytes = 1 << 30
	require.Len(t, p.Plan(v, nil), 3, "never more than the node's budget")
	require.LessOrEqual(t, p.owed, 3*4096.0)
}

// A load that steps from 0 to x is smoothed to x (1 - (1-ewma)^n) after n intervals, in
// occupancy, rate and bytes. Reference: Colloid, section 3.1, measures by EWMA.
func TestColloidSmooths(t *testing.T) {
	for _, ewma := range []float64{1. / 32, 0.25, 1} {
		p := &colloid{s: Balancing{EWMA: ewma}}
		v := &View{Tiers: []Tier{{Occupancy: 8, Reads: 300, Bytes: 6400}, {}}, Cycles: 100}
		kept := 1.
		for n := range 40 {
			p.smooth(v)
			kept *= 1 - ewma
			require.InDelta(t, 8*(1-kept), p.tiers[0].occupancy, 1e-9, "occupancy after %d intervals", n+1)
			require.InDelta(t, 3*(1-kept), p.tiers[0].reads, 1e-9, "reads per cycle after %d intervals", n+1)
			require.InDelta(t, 6400*(1-kept), p.tiers[0].bytes, 1e-6, "bytes after %d intervals", n+1)
			require.Zero(t, p.tiers[1])
		}
	}
}
