package placement

import (
	"cmp"
	"slices"

	"github.com/causeway-sim/causeway/components/registry"
)

// lru keeps in the default tier what was accessed last.
type lru struct{ used, idle []int32 }

// First implements Policy: the default tier, as long as it has room.
func (p *lru) First(*View, int) int { return 0 }

// Plan brings the pages of other tiers that were accessed in the interval to the default
// tier: into free frames, or in exchange for pages that were accessed least recently, as long
// as those are older.
func (p *lru) Plan(v *View, out []Move) []Move {
	p.used, p.idle = p.used[:0], p.idle[:0]
	for i := range v.Pages {
		switch x := &v.Pages[i]; {
		case x.Moving || x.Tier == Nowhere:
		case x.Tier == 0 && x.Seen < v.Interval:
			p.idle = append(p.idle, int32(i))
		case x.Tier > 0 && x.Seen == v.Interval:
			p.used = append(p.used, int32(i))
		}
	}
	older := func(a, b int32) int {
		return cmp.Or(cmp.Compare(v.Pages[a].Seen, v.Pages[b].Seen), cmp.Compare(a, b))
	}
	slices.SortFunc(p.idle, older)
	room, budget, idle := v.Tiers[0].free(), v.Budget, p.idle
	for _, page := range p.used {
		m := Move{Page: page, With: None}
		if room > 0 {
			room--
		} else if len(idle) > 0 {
			m.With, idle = idle[0], idle[1:]
		} else {
			break
		}
		if budget -= m.Cost(); budget < 0 {
			break
		}
		out = append(out, m)
	}
	return out
}

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "lru",
		Doc:    "Pages that are accessed go to the default tier, in exchange for those accessed least recently.",
		Source: "Denning, The Working Set Model for Program Behavior, CACM 1968; at the ends of intervals",
		New:    func(any) (Policy, error) { return &lru{}, nil },
	})
}
