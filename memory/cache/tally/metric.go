package tally

import (
	"strings"

	"github.com/causeway-sim/causeway/components/stats"
)

func (d *Detail) tally(name, text string) *tally {
	t := &tally{}
	for _, c := range []struct {
		what, text string
		n          *uint64
	}{{"accesses", "Accesses", &t.accesses}, {"hits", "Hits", &t.hits}, {"bypasses", "Misses that left no line behind,", &t.bypasses}} {
		d.group.Count(name+"_"+c.what, stats.One, strings.TrimSuffix(c.text, " ")+" "+text+".", c.n)
	}
	return t
}
