package cache

import (
	"cmp"
	"math/bits"
	"slices"
)

// readyBanks are the banks with lines that wait, in the order in which they may begin:
// that of their numbers, or, if there are fewer free entries of the write buffer
// than banks, the one whose request came first. Else banks of low numbers would
// take all entries; the others would fall behind, and what they send below in the
// end would be single lines to a few channels.
func (c *Timed) readyBanks() []int32 {
	c.order = c.order[:0]
	for j := range c.busy {
		for x := c.busy[j]; x != 0; x &= x - 1 {
			c.order = append(c.order, int32(j<<6+bits.TrailingZeros64(x)))
		}
	}
	if free := c.timed.WriteBuffer - c.held; 0 < free && free < len(c.order) {
		slices.SortFunc(c.order, c.older)
	}
	return c.order
}

// older compares the arrival of the lines that two banks begin with.
func (c *Timed) older(i, j int32) int {
	a, b := c.banks[i].lines.At(0), c.banks[j].lines.At(0)
	if d := cmp.Compare(c.requests.At(a.request).order, c.requests.At(b.request).order); d != 0 {
		return d
	}
	return cmp.Compare(a.k, b.k)
}
