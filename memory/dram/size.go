package dram

import (
	"fmt"
	"math/bits"

	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory/address"
	"github.com/causeway-sim/causeway/memory/dram/power"
)

// maxRowBits bounds the rows of a bank. No part has as many; an address of them
// fits the type that rows are counted in.
const maxRowBits = 30

// resize sets the rows of banks to a capacity in bytes. Timings do not change: larger chips
// differ only in refresh.
func resize(g *address.Geometry, burst int, size uint64) error {
	if bits.OnesCount64(size) != 1 {
		return fmt.Errorf("no power of two")
	}
	rest := g.Bits() - int(g[address.Row]) + bits.TrailingZeros(uint(burst))
	rows := bits.TrailingZeros64(size) - rest
	if rows < 1 || rows > maxRowBits {
		return fmt.Errorf("not 2 to 2^%d rows a bank (want %s to %s)", maxRowBits, units.Bytes(1<<(rest+1)), units.Bytes(1<<min(rest+maxRowBits, 62)))
	}
	g[address.Row] = uint8(rows)
	return nil
}

// Extend implements system.Extender: a memory without the key size gets the rows that its ranges
// need, and lists that in Assumptions.
func (c *Comp) Extend(size uint64) error {
	if c.spec.Size > 0 {
		return fmt.Errorf("its size is %s", c.spec.Size)
	}
	before := c.Home()
	if size <= before {
		return nil
	}
	if size > 1<<62 {
		return fmt.Errorf("no memory holds %d B", size)
	}
	g := c.cfg.Grade.Organisation.Geometry(c.spec.Channels)
	if err := resize(&g, c.cfg.Grade.Organisation.Burst(), 1<<bits.Len64(size-1)); err != nil {
		return err
	}
	m, err := address.Parse(c.spec.Map, g)
	if err != nil {
		return err
	}
	c.mapped = m
	if c.cfg.Rows = 1 << g[address.Row]; c.cfg.Hammer.Mitigation != "" { // rows are counted
		c.gangs = nil
		if err := c.form(1); err != nil {
			return err
		}
	}
	c.assumed = fmt.Sprintf("%s: chips of grade %s on %d channels hold %s; %s by more rows in each bank, with the same timings, because the ranges of the memory section need it",
		c.Name(), c.cfg.Grade.Name, c.spec.Channels, units.Bytes(before), units.Bytes(c.Home()))
	return nil
}

// Assumptions implements system.Assumer: what Extend has changed, and the parts of the energy
// without a source.
func (c *Comp) Assumptions() (out []string) {
	if c.assumed != "" {
		out = append(out, c.assumed)
	}
	if s := c.chargedWithout(); s != "" {
		out = append(out, s)
	}
	return append(out, power.Assumed(c.cfg.Grade, c.cfg.Rest.On())...)
}
