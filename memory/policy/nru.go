package policy

import "github.com/causeway-sim/causeway/components/registry"

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "nru",
		Doc:    "Evicts the lowest way not used since all bits of the set were last cleared.",
		Source: "Jaleel et al., High performance cache replacement using re-reference interval prediction (RRIP), ISCA 2010, section 3.1",
		New:    plain(func(g Geometry) Policy { return &nru{g.Ways, make([]bool, g.Sets*g.Ways)} }),
	})
}

// nru keeps one bit per line: used lately. The bits are cleared when a victim is
// wanted and all of them are set.
type nru struct {
	ways int
	used []bool // [set*ways+way]
}

func (p *nru) Victim(set int, _ Access) int {
	row := p.used[set*p.ways:][:p.ways]
	for w, u := range row {
		if !u {
			return w
		}
	}
	clear(row)
	return 0
}

func (p *nru) Hit(set, way int, _ Access)  { p.used[set*p.ways+way] = true }
func (p *nru) HitAny(set, way int)         { p.used[set*p.ways+way] = true }
func (p *nru) Fill(set, way int, _ Access) { p.used[set*p.ways+way] = true }
func (p *nru) Evict(set, way int)          { p.used[set*p.ways+way] = false }
