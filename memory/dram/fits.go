package dram

import "github.com/causeway-sim/causeway/memory/dram/standard"

// fits refuses timings that leave no time for requests: see standard.Grade.Fits.
func (c Config) fits() error {
	o := c.Grade.Organisation
	switch c.Refresh {
	case AllBank:
		return c.Grade.Fits(standard.REF, 1)
	case SameBank:
		return c.Grade.Fits(standard.REFS, o.Banks)
	case PerBank:
		return c.Grade.Fits(standard.REFB, o.Groups*o.Banks)
	case NoRefresh:
	}
	return nil
}
