package route

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func graphOf(links int, routes ...[]Leg) Graph {
	return NewGraph(links, func(add func([]Leg)) {
		for _, r := range routes {
			add(r)
		}
	})
}

// Four links in a circle: routes of two links each close a ring; without one of them
// there is none. Directions are apart.
func TestRing(t *testing.T) {
	d := func(n ...int) (out []Leg) {
		for _, x := range n {
			out = append(out, Down(x))
		}
		return out
	}
	circle := [][]Leg{d(0, 1), d(1, 2), d(2, 3), d(3, 0)}
	ring := graphOf(4, circle...).Ring()
	require.Len(t, ring, 5)
	require.Equal(t, ring[0], ring[4])
	require.Nil(t, graphOf(4, circle[:3]...).Ring())
	circle[3] = []Leg{Up(3), Up(0)}
	require.Nil(t, graphOf(4, circle...).Ring())
	require.Nil(t, graphOf(4, nil, d(2)).Ring())
}

// Add takes a route exactly if no ring is closed: the dumb twin looks for one among all
// routes that were taken.
func TestAddClosesNoRing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const links = 6
		g := graphOf(links)
		var taken [][]Leg
		for range rapid.IntRange(1, 12).Draw(t, "routes") {
			a := rapid.IntRange(0, links-1).Draw(t, "a")
			b := rapid.IntRange(0, links-1).Filter(func(b int) bool { return b != a }).Draw(t, "b")
			r := []Leg{Down(a), Down(b)}
			closes := graphOf(links, append(slices.Clone(taken), r)...).Ring() != nil
			require.Equal(t, !closes, g.Add(r))
			if !closes {
				taken = append(taken, r)
			}
			require.Nil(t, g.Ring())
		}
	})
}
