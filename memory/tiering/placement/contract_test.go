package placement

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// drawn is a view as a node might show it.
func drawn(t *rapid.T, interval uint32) *View {
	tiers := rapid.IntRange(2, 4).Draw(t, "tiers")
	pages := rapid.IntRange(1, 40).Draw(t, "pages")
	v := &View{Interval: interval, Cycles: uint64(rapid.IntRange(1, 10000).Draw(t, "cycles")), Budget: float64(rapid.IntRange(0, 30).Draw(t, "budget")), PageBytes: 4096}
	v.Tiers = make([]Tier, tiers)
	for range pages {
		p := Page{Tier: int8(rapid.IntRange(-1, tiers-1).Draw(t, "tier")), Count: uint32(rapid.IntRange(0, 40).Draw(t, "count"))}
		if p.Tier >= 0 {
			p.Moving = rapid.IntRange(0, 5).Draw(t, "moving") == 0
			p.Seen = uint32(rapid.IntRange(0, int(interval)).Draw(t, "seen"))
			if p.Seen > 0 {
				p.Before = uint32(rapid.IntRange(0, int(p.Seen)-1).Draw(t, "before"))
			}
			v.Tiers[p.Tier].Used++
		}
		v.Pages = append(v.Pages, p)
	}
	for i := range v.Tiers {
		x := &v.Tiers[i]
		x.Frames = x.Used + rapid.IntRange(0, 5).Draw(t, "free")
		x.Occupancy = float64(rapid.IntRange(0, 1000).Draw(t, "occupancy")) / 10
		x.Reads = uint64(rapid.IntRange(0, 1000).Draw(t, "reads"))
		x.Bytes, x.Idle = 64*x.Reads, 100
	}
	return v
}

// What Policy promises holds for every policy, and the same calls give the same
// moves.
func TestContract(t *testing.T) {
	require.Equal(t, []string{"colloid", "hemem", "interleave", "lru", "static", "tpp"}, All.Names())
	for _, name := range All.Names() {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p, err := New(name, nil)
				require.NoError(t, err)
				twin, _ := New(name, nil)
				var n int
				for k := range 3 {
					v := drawn(t, uint32(5+k))
					if k == 0 {
						n = len(v.Tiers)
					} else if len(v.Tiers) != n {
						continue
					}
					w := *v
					w.Pages = slices.Clone(v.Pages)
					first := p.First(v, 3)
					require.True(t, first >= 0 && first < len(v.Tiers), "tier %d", first)
					require.Equal(t, first, twin.First(v, 3))
					moves := p.Plan(v, nil)
					require.Equal(t, moves, twin.Plan(&w, nil))
					legal(t, v, moves)
				}
			})
		})
	}
}

func legal(t require.TestingT, v *View, moves []Move) {
	free := make([]int, len(v.Tiers))
	for i := range free {
		free[i] = v.Tiers[i].free()
	}
	named := map[int32]bool{}
	cost := 0.0
	name := func(page int32) *Page {
		require.False(t, named[page], "page %d is named twice", page)
		named[page] = true
		p := &v.Pages[page]
		require.False(t, p.Moving || p.Tier == Nowhere, "page %d cannot be moved", page)
		return p
	}
	for _, m := range moves {
		cost += m.Cost()
		p := name(m.Page)
		require.NotEqual(t, p.Tier, m.To)
		if m.With != None {
			require.Equal(t, m.To, name(m.With).Tier)
			continue
		}
		free[m.To]--
		free[p.Tier]++
		require.GreaterOrEqual(t, free[m.To], 0, "tier %d is full", m.To)
	}
	require.LessOrEqual(t, cost, v.Budget)
}

// Deciding does not allocate once buffers have grown.
func TestPlansDoNotAllocate(t *testing.T) {
	for _, name := range All.Names() {
		p, err := New(name, nil)
		require.NoError(t, err)
		v := &View{Tiers: []Tier{{Frames: 500, Used: 500, Reads: 10, Occupancy: 9}, {Frames: 600, Used: 500, Reads: 10, Occupancy: 5}}, Cycles: 10, Budget: 100, PageBytes: 64, Pages: make([]Page, 1000)}
		buf := make([]Move, 0, 1000)
		plan := func() {
			v.Interval++
			for i := range v.Pages {
				v.Pages[i] = Page{Tier: int8(i / 500), Count: uint32(i * 7 % 50), Seen: v.Interval, Before: v.Interval - 1}
			}
			buf = p.Plan(v, buf[:0])
		}
		plan()
		require.Zero(t, testing.AllocsPerRun(20, plan), name)
	}
}

func TestPoliciesRefuse(t *testing.T) {
	for _, c := range []struct {
		name string
		spec any
		want string
	}{
		{"nothing", nil, `unknown placement policy "nothing" (want one of: colloid, hemem, interleave, lru, static, tpp)`},
		{"hemem", 7, "spec is a int, want a placement.Packing"},
		{"hemem", Packing{Hot: 8, Cool: 8}, "cool is 8 and hot 8 (want cool above hot, and hot 1 or more)"},
		{"static", Split{Share: 2}, "share is 2 (want 0 to 1)"},
		{"static", Split{Parts: []Part{{Pages: 0}}}, "a part of 0 pages from page 0 on"},
		{"interleave", Weighted{[]int{-1}}, "a weight of -1 (want 0 to 1048576)"},
		{"interleave", Weighted{[]int{0, 0}}, "all weights are 0"},
		{"tpp", Recency{Free: 0.7, Age: 1}, "free is 0.7 and age 1 (want 0 to 0.5, and 1 or more)"},
		{"colloid", Balancing{EWMA: 0, Cool: 2}, "ewma is 0, delta 0, epsilon 0 and cool 2 (want above 0 to 1, 0 to 1, 0 to 1, and 2 or more)"},
	} {
		_, err := New(c.name, c.spec)
		require.EqualError(t, err, c.want)
	}
}
