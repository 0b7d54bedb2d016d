package cores

import (
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/causeway-sim/causeway/accelerators/shift"
)

// request is the bytes of a request for a block.
const request = 16

// load is a product whose cores keep no operands: in each step they fetch slabs of A and B, block
// by block, and at the end store their results. A hash of a block's address chooses the core that
// holds it.
//
// The cores form a grid: those of a row need the same slab of A, those of a column the same slab
// of B.
func (c *cores) load(number int, p *shift.Choice) {
	n := c.active(p)
	across := c.across(p, n)
	a, b := p.Slabs()
	for s := range p.Steps() {
		asked := slices.Clone(c.last)
		for k := range n {
			c.last[k] = nil
			c.blocks(fmt.Sprintf("%s.%d.A", p.Name, s), k, n, a, asked[k], number, 0, k/across, s)
			c.blocks(fmt.Sprintf("%s.%d.B", p.Name, s), k, n, b, asked[k], number, 1, k%across, s)
			c.last[k] = slices.Concat(c.last[k], asked[k])
		}
		c.compute(p, n, s)
	}
	if p.Pk == 1 {
		c.pass(p.Name+".store", n, p.Results(), slices.Clone(c.last), func(k int) int { return (k + 1) % n })
	}
}

// across is the cores in a row of the grid.
func (c *cores) across(p *shift.Choice, n int) int {
	if c.all() {
		return p.Pn * p.Pk
	}
	w := 1
	for (w+1)*(w+1) <= n {
		w++
	}
	return w
}

// blocks are the loads of a slab by core k.
func (c *cores) blocks(name string, k, n int, bytes int64, after tokens, address ...int) {
	for at := int64(0); at < bytes; at += c.Block {
		size := min(c.Block, bytes-at)
		home := homeOf(n, append(address, int(at/c.Block)))
		if home == k {
			continue
		}
		asked := c.message(name+".ask", k, home, request, after, nil)
		c.last[k] = slices.Concat(c.last[k], c.message(name, home, k, size, asked, after))
	}
}

// homeOf spreads addresses over n cores.
func homeOf(n int, address []int) int {
	h := fnv.New64a()
	for _, x := range address {
		h.Write([]byte{byte(x), byte(x >> 8), byte(x >> 16), byte(x >> 24)})
	}
	x := h.Sum64()
	x ^= x >> 32
	return int(x % uint64(n))
}
