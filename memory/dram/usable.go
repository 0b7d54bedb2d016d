package dram

import (
	"github.com/causeway-sim/causeway/memory/dram/hammer"
	"github.com/causeway-sim/causeway/memory/dram/standard"
)

// usable returns the commands that the controller can issue. Times of others are not computed.
func (c Config) usable() (u [standard.Commands]bool) {
	for _, cmd := range []standard.Command{standard.ACT, standard.PRE, standard.RD, standard.WR} {
		u[cmd] = true
	}
	u[standard.RDA], u[standard.WRA] = c.Policy != Open, c.Policy != Open
	switch c.Refresh {
	case AllBank:
		u[standard.PREA], u[standard.REF] = true, true
	case SameBank:
		u[standard.PRES], u[standard.REFS] = true, true
	case PerBank:
		u[standard.REFB] = true
	case NoRefresh:
	}
	if c.Rest.On() {
		for _, cmd := range []standard.Command{standard.PREA, standard.PDE, standard.PDX, standard.PDXS, standard.SRE, standard.SRX} {
			u[cmd] = true
		}
	}
	switch m := rfmCommands(&c); c.Hammer.Mitigation {
	case "rfm":
		u[m[hammer.RFMOfBank]] = true
	case "prac":
		u[m[hammer.RFMOfRank]] = true
	}
	return u
}
