package collective

import (
	"fmt"
	"math/bits"
)

func init() {
	type m = map[Operation]algorithm[HalvingSpec]
	add("halving_doubling", "Pairs exchange halves of what is left, at half the distance each time (order); then the same way back.",
		"Thakur, Rabenseifner, Gropp, Optimization of collective communication operations in MPICH, IJHPCA 2005, section 4.5; order bine: De Sensi et al., Bine trees, SC 2025", HalvingSpec{Pipeline: one.Pipeline, Order: Far}, m{
			AllReduce: func(c *chunk, s HalvingSpec) error { return c.halvingBy(s.Order) },
			ReduceScatter: func(c *chunk, s HalvingSpec) error {
				return s.blocks(c, func() error { return c.halving(true, false) })
			},
			AllGather: func(c *chunk, s HalvingSpec) error {
				return s.blocks(c, func() error { return c.halving(false, true) })
			},
		})
}

// HalvingSpec sets the order of partners.
type HalvingSpec struct {
	Pipeline `yaml:",inline"`
	Order    Order `yaml:"order" jsonschema:"enum=far,enum=near,enum=bine" doc:"Whom a rank of an all_reduce meets first, with half of the vector: far, half of the ranks away; near, its neighbour, as MPICH and Open MPI have it; bine, by the distances 1, -1, 3, -5, 11, ... A reduce_scatter and an all_gather have far, which leaves blocks in order"`
}

// blocks does an operation whose blocks have to end with their ranks.
func (s HalvingSpec) blocks(c *chunk, do func() error) error {
	if s.Order != Far && s.Order != "" {
		return fmt.Errorf("order %s has no effect on %s (used by: %s)", s.Order, c.b.r.Operation, AllReduce)
	}
	return do()
}

// halvingBy is an all-reduce of the order.
func (c *chunk) halvingBy(o Order) error {
	if err := o.check(); err != nil {
		return err
	}
	if o == Far || o == "" {
		return c.halving(true, true)
	}
	f := newFold(c.n)
	rounds := o.pairs(f.p)
	at := windows(rounds)
	c.cut(f.p)
	for v := range f.extra {
		c.send(f.actor(v)+1, f.actor(v), 0, f.p, true)
	}
	width := f.p
	for _, to := range rounds {
		width /= 2
		for v := range f.p {
			lo := at[to[v]] &^ (width - 1)
			c.send(f.actor(v), f.actor(to[v]), lo, lo+width, true)
		}
	}
	c.gather()
	for i := len(rounds) - 1; i >= 0; i-- {
		for v := range f.p {
			lo := at[v] &^ (width - 1)
			c.send(f.actor(v), f.actor(rounds[i][v]), lo, lo+width, false)
		}
		width *= 2
	}
	for v := range f.extra {
		c.send(f.actor(v), f.actor(v)+1, 0, f.p, false)
	}
	return nil
}

// A fold has the largest power of two of ranks act for all: the first extra actors each
// for themselves and the rank after them.
type fold struct{ p, extra int }

func newFold(n int) fold {
	p := 1 << (bits.Len(uint(n)) - 1)
	return fold{p, n - p}
}

// actor returns the rank of actor v, which represents ranks and blocks actor(v) to actor(v+1)-1.
func (f fold) actor(v int) int { return v + min(v, f.extra) }

// halving works on the largest power of two of ranks. The ranks beyond it are
// partners of their left neighbours among the first, which act for both: they
// own two blocks, so that blocks stay in order.
func (c *chunk) halving(scatter, gather bool) error {
	c.cut(c.n)
	f := newFold(c.n)
	p, extra, first := f.p, f.extra, f.actor
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
