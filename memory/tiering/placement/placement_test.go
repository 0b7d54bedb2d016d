package placement

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Static spreads its share to within one page, over any range of pages.
func TestStaticSpreads(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		share := rapid.Float64Range(0, 1).Draw(t, "share")
		p, err := New("static", Split{Share: 1, Parts: []Part{{First: 10, Pages: 1000, Share: share}}})
		require.NoError(t, err)
		n := 0
		for i := 10; i < 1010; i++ {
			n += 1 - p.First(nil, i)
		}
		require.InDelta(t, 1000*share, n, 1)
		require.Equal(t, 0, p.First(nil, 3), "outside the part")
	})
}

func TestInterleaveTakesTurns(t *testing.T) {
	p, err := New("interleave", Weighted{[]int{2, 0, 1}})
	require.NoError(t, err)
	v := &View{Tiers: make([]Tier, 4)}
	var got []int
	for i := range 8 {
		got = append(got, p.First(v, i))
	}
	require.Equal(t, []int{0, 0, 2, 3, 0, 0, 2, 3}, got)
}

// packed has `hot` hot pages of n, all in the far tier, and room for half as many
// pages as there are in the near one, which is full of cold ones.
func packed(n, hot int) *View {
	v := &View{Tiers: []Tier{{Frames: n / 2}, {Frames: n}}, Budget: 1e9, Cycles: 1000, Interval: 3, PageBytes: 4096}
	for i := range n {
		p := Page{Tier: int8(1 - i*2/n), Count: 1}
		if i < hot {
			p.Count = 12
		}
		v.Tiers[p.Tier].Used++
		v.Pages = append(v.Pages, p)
	}
	return v
}

// carry does what a node would do with moves.
func carry(v *View, moves []Move) {
	put := func(page int32, to int8) {
		v.Tiers[v.Pages[page].Tier].Used--
		v.Tiers[to].Used++
		v.Pages[page].Tier = to
	}
	for _, m := range moves {
		if m.With != None {
			put(m.With, v.Pages[m.Page].Tier)
		}
		put(m.Page, m.To)
	}
}

// Reference: HeMem, section 3.1: the hot pages go to fast memory, and no others do.
func TestHeMemPacks(t *testing.T) {
	v := packed(100, 30)
	p, _ := New("hemem", nil)
	moves := p.Plan(v, nil)
	require.Len(t, moves, 30)
	carry(v, moves)
	for i, x := range v.Pages {
		require.Equal(t, i < 30, x.Count >= 8)
		if i < 30 {
			require.EqualValues(t, 0, x.Tier)
		}
	}
	require.Empty(t, p.Plan(v, nil))
	v = packed(100, 50)
	for i := range v.Pages {
		v.Pages[i].Count = 12
	}
	require.Empty(t, p.Plan(v, nil), "all are hot")
	v.Pages[0].Count = 18
	p.Plan(v, nil)
	require.EqualValues(t, 9, v.Pages[0].Count)
	require.EqualValues(t, 6, v.Pages[1].Count)
}

func TestTPPKeepsFree(t *testing.T) {
	v := packed(100, 0)
	v.Interval = 20
	for i := range v.Pages {
		v.Pages[i].Seen = 20 // cold pages were not seen
		if i >= 60 {
			v.Pages[i].Seen = 5
		}
	}
	v.Pages[3].Before, v.Pages[4].Before = 19, 18
	p, _ := New("tpp", Recency{Free: 0.1, Age: 8})
	moves := p.Plan(v, nil)
	carry(v, moves)
	require.Len(t, moves, 6) // 5 of 50 are kept free; one is promoted
	require.EqualValues(t, 0, v.Pages[3].Tier)
	require.EqualValues(t, 1, v.Pages[4].Tier, "not used twice running")
	for i := 50; i < 60; i++ {
		require.EqualValues(t, 0, v.Pages[i].Tier, "used just now")
	}
}

// Reference: section 3.2: the bracket closes in on the balance; and finds a new one
// when the load changes.
func TestBisectionFindsTheBalance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, p := bracket{}, rapid.Float64Range(0, 1).Draw(t, "p")
		for range 3 {
			at := rapid.Float64Range(0, 1).Draw(t, "balance")
			for range 60 {
				if math.Abs(p-at) < 0.01 {
					continue
				}
				step := b.aim(p, 0.01, p < at)
				require.True(t, step >= 0 && step <= 1)
				if p < at {
					p += step
				} else {
					p -= step
				}
			}
			require.InDelta(t, at, p, 0.011)
		}
	})
}

// A world of two tiers whose latency rises with their share of the reads, as a
// dumb twin of memories: colloid ends where the latencies meet, wherever that is.
// Reference: section 3.1, equal latencies.
func TestColloidBalances(t *testing.T) {
	for _, c := range []struct{ near, far, slope float64 }{{70, 135, 100}, {70, 135, 400}, {200, 100, 300}, {70, 135, 20}, {400, 135, 50}} {
		p, err := New("colloid", Balancing{EWMA: 0.25, Delta: 0.05, Epsilon: 0.01, Limit: true, Cool: 18})
		require.NoError(t, err)
		v := packed(200, 70)
		v.Budget = 8
		var near, far, share float64
		for range 600 {
			all, here := 0.0, 0.0
			for i := range v.Pages {
				v.Pages[i].Count = 1
				if i < 70 {
					v.Pages[i].Count = 12
				}
				all += float64(v.Pages[i].Count)
				if v.Pages[i].Tier == 0 {
					here += float64(v.Pages[i].Count)
				}
			}
			share = here / all
			near, far = c.near+c.slope*share, c.far+c.slope*(1-share)
			reads := 1000.0 // in 1000 cycles
			v.Tiers[0].Reads, v.Tiers[1].Reads = uint64(reads*share), uint64(reads*(1-share))
			v.Tiers[0].Occupancy, v.Tiers[1].Occupancy = share*near, (1-share)*far
			v.Tiers[0].Bytes, v.Tiers[1].Bytes = 1e5, 1e5
			v.Tiers[0].Idle, v.Tiers[1].Idle = c.near, c.far
			moves := p.Plan(v, nil)
			legal(t, v, moves)
			carry(v, moves)
		}
		switch best := (c.far - c.near + c.slope) / 2 / c.slope; {
		case best >= 0.95: // more than the near tier can hold
			require.Greater(t, share, 0.89, "%+v", c) // 870 of 970 accesses are all
		case best <= 0:
			require.Less(t, share, 0.02, "%+v", c)
		default:
			require.InEpsilon(t, far, near, 0.08, "%+v: share %.2f, balance at %.2f", c, share, best)
		}
	}
}

// Equal pages whose counts differ by chance are not exchanged.
func TestChanceIsNoHeat(t *testing.T) {
	require.False(t, hotter(12, 6))
	require.False(t, hotter(3, 3))
	require.False(t, hotter(2, 3))
	require.True(t, hotter(18, 3))
	require.True(t, hotter(10, 0))
}
