package placement

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/registry"
)

// A Recency is the spec of tpp.
type Recency struct {
	Free float64 `yaml:"free" jsonschema:"minimum=0,maximum=0.5" doc:"Share of the default tier that demotion keeps free; promotion may use half of it"`
	Age  uint32  `yaml:"age" jsonschema:"minimum=1" doc:"Intervals without an access after which a page may be demoted"`
}

// DefaultRecency keeps 2 % free, as TPP's watermark in Linux does (demote_scale_factor).
func DefaultRecency() Recency {
	// assumption: TPP demotes from the tail of the list of inactive pages, which
	// has no age; 8 intervals are what a page of mean use survives
	return Recency{Free: 0.02, Age: 8}
}

type tpp struct {
	s        Recency
	up, down int // pages that are looked at next
}

func (p *tpp) spare(t *Tier) int { return int(float64(t.Frames) * p.s.Free) }

// First implements Policy: allocation leaves alone what promotion may use.
func (p *tpp) First(v *View, _ int) int {
	if t := &v.Tiers[0]; t.free() <= p.spare(t)/2 {
		return 1
	}
	return 0
}

// Plan demotes what is old while there is less free than wanted, then promotes.
func (p *tpp) Plan(v *View, out []Move) []Move {
	n, budget := len(v.Pages), v.Budget
	fast := &v.Tiers[0]
	free, spare := fast.free(), p.spare(fast)
	to, room := 1, 0 // where demoted pages go
	if len(v.Tiers) > 1 {
		room = v.Tiers[1].free()
	}
	from := p.down
	for i := 0; i < n && free < max(spare, 1) && budget >= 1; i++ {
		page := (from + i) % n
		x := &v.Pages[page]
		if x.Tier != 0 || x.Moving || v.Interval-x.Seen < p.s.Age {
			continue
		}
		for room == 0 && to+1 < len(v.Tiers) {
			to++
			room = v.Tiers[to].free()
		}
		if room == 0 {
			break
		}
		out = append(out, Move{Page: int32(page), With: None, To: int8(to)})
		free, room, budget, p.down = free+1, room-1, budget-1, page+1
	}
	from = p.up
	for i := 0; i < n && free > spare/2 && budget >= 1; i++ {
		page := (from + i) % n
		x := &v.Pages[page]
		if x.Tier < 1 || x.Moving || x.Seen != v.Interval || x.Before != v.Interval-1 || x.Before == 0 {
			continue
		}
		out = append(out, Move{Page: int32(page), With: None})
		free, budget, p.up = free-1, budget-1, page+1
	}
	return out
}

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "tpp",
		Doc:    "Packing by recency: pages used twice running are promoted, old ones demoted ahead of need.",
		Source: "Al Maruf et al., TPP: Transparent Page Placement for CXL-Enabled Tiered-Memory, ASPLOS 2023, section 5",
		Spec:   DefaultRecency(),
		New: func(spec any) (Policy, error) {
			s, err := registry.SpecOf(spec, DefaultRecency())
			if err == nil && (!(s.Free >= 0 && s.Free <= 0.5) || s.Age < 1) {
				err = fmt.Errorf("free is %g and age %d (want 0 to 0.5, and 1 or more)", s.Free, s.Age)
			}
			return &tpp{s: s}, err
		},
	})
}
