package dram

import (
	"slices"

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

// prune leaves out delays of one command that another of its delays implies: of the
// same next command, as long, at a level that contains theirs. With one rank the
// channel is the rank.
func prune(ds []delay, ranks int) []delay {
	implies := func(a, b delay) bool {
		within := a.level <= b.level || ranks == 1 && a.level == standard.RankLevel
		return a.next == b.next && a.clocks >= b.clocks && within
	}
	var out []delay
	for i, d := range ds {
		if !slices.ContainsFunc(ds[:i], func(o delay) bool { return implies(o, d) }) &&
			!slices.ContainsFunc(ds[i+1:], func(o delay) bool { return implies(o, d) && !implies(d, o) }) {
			out = append(out, d)
		}
	}
	return out
}
