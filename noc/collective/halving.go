package collective

import "math/bits"

func init() {
	type m = map[Operation]algorithm[Spec]
	add("halving_doubling", "Pairs exchange halves of what is left, at half the distance each time; then the same way back.",
		"Thakur, Rabenseifner, Gropp, Optimization of collective communication operations in MPICH, IJHPCA 2005, section 4.5", one, m{
			AllReduce:     func(c *chunk, _ Spec) error { return c.halving(true, true) },
			ReduceScatter: func(c *chunk, _ Spec) error { return c.halving(true, false) },
			AllGather:     func(c *chunk, _ Spec) error { return c.halving(false, true) },
		})
}

// halving works on the largest power of two of ranks. The ranks beyond it are
// partners of their left neighbours among the first, which act for both: they
// own two blocks, so that blocks stay in order.
func (c *chunk) halving(scatter, gather bool) error {
	c.cut(c.n)
	p := 1 << (bits.Len(uint(c.n)) - 1)
	extra := c.n - p
	// actor v stands for ranks and blocks first(v) to first(v+1)-1.
	first := func(v int) int { return v + min(v, extra) }
	if scatter {
		for v := range extra {
			c.send(first(v)+1, first(v), 0, c.n, true)
		}
		for half := p / 2; half > 0; half /= 2 {
			for v := range p {
				to := v ^ half
				lo := to &^ (half - 1) // the half of to
				c.send(first(v), first(to), first(lo), first(lo+half), true)
			}
		}
		for v := 0; !gather && v < extra; v++ {
			c.send(first(v), first(v)+1, first(v)+1, first(v)+2, false)
		}
	}
	if gather {
		c.gather()
		for v := 0; !scatter && v < extra; v++ {
			c.send(first(v)+1, first(v), first(v)+1, first(v)+2, false)
		}
		for half := 1; half < p; half *= 2 {
			for v := range p {
				lo := v &^ (half - 1)
				c.send(first(v), first(v^half), first(lo), first(lo+half), false)
			}
		}
		for v := range extra {
			c.send(first(v), first(v)+1, 0, c.n, false)
		}
	}
	return nil
}
