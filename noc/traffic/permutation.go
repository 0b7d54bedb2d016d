package traffic

import (
	"fmt"
	"math/bits"

	"github.com/causeway-sim/causeway/noc/topology"
)

func init() {
	bit := func(name, doc string, even bool, f func(src uint, width int) uint) {
		add(name, doc, booktext+", table 3.1", func(a Args) (Pattern, error) {
			n := a.Topology.Terminals()
			width := bits.Len(uint(n)) - 1
			if n != 1<<width || even && width%2 == 1 {
				what := "a power of two"
				if even {
					what = "a power of four"
				}
				return nil, fmt.Errorf("%d terminals (want %s)", n, what)
			}
			out := make(table, n)
			for s := range out {
				out[s] = int(f(uint(s), width))
			}
			return out, nil
		})
	}
	bit("bitcomp", "The terminal whose number has every bit inverted.", false,
		func(s uint, w int) uint { return ^s & (1<<w - 1) })
	bit("bitrev", "The terminal whose number has its bits in reverse order.", false,
		func(s uint, w int) uint { return bits.Reverse(s) >> (bits.UintSize - w) })
	bit("shuffle", "The terminal whose number has its bits rotated left by one.", false,
		func(s uint, w int) uint {
			if w == 0 {
				return s
			}
			return (s<<1 | s>>(w-1)) & (1<<w - 1)
		})
	bit("transpose", "The terminal whose number has its halves swapped: row and column of a square mesh of 2^n by 2^n.", true,
		func(s uint, w int) uint { return (s<<(w/2) | s>>(w/2)) & (1<<w - 1) })

	grid := func(name, doc string, shift func(k int) int) {
		add(name, doc, booktext+", table 3.1", func(a Args) (Pattern, error) {
			g := topology.AsGrid(topology.Intact(a.Topology))
			if g == nil {
				return nil, fmt.Errorf("goes with mesh, torus and ring only")
			}
			c := g.Concentration()
			out := make(table, g.Terminals())
			for r := range g.Routers() {
				to, stride := 0, 1
				for d, k := range g.Dims() {
					to += (g.At(r, d) + shift(k)) % k * stride
					stride *= k
				}
				for i := range c {
					out[r*c+i] = to*c + i
				}
			}
			return out, nil
		})
	}
	grid("tornado", "Just less than half way around every dimension: ceil(k/2)-1 further on.", func(k int) int { return (k+1)/2 - 1 })
	grid("neighbor", "The next router in every dimension.", func(int) int { return 1 })
}
