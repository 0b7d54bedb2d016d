package link

import (
	"math"
	"math/rand/v2"
)

// gaps draws which flits are wrong: by the number of right ones in between.
type gaps struct {
	r    *rand.Rand
	per  float64 // 1/log(1-p)
	left uint64
	on   bool
}

func newGaps(p float64, seed, stream uint64) gaps {
	if p == 0 {
		return gaps{}
	}
	g := gaps{r: rand.New(rand.NewPCG(seed, stream)), per: 1 / math.Log1p(-p), on: true}
	g.draw()
	return g
}

func (g *gaps) draw() {
	n := math.Log(1-g.r.Float64()) * g.per
	g.left = uint64(min(n, 1<<62))
}

// next reports whether the next flit is wrong.
func (g *gaps) next() bool {
	if !g.on {
		return false
	}
	if g.left == 0 {
		g.draw()
		return true
	}
	g.left--
	return false
}
