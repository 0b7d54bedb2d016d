package placement

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/registry"
)

// A Packing is the spec of hemem.
type Packing struct {
	Hot  uint32 `yaml:"hot" jsonschema:"minimum=1" doc:"Accesses from which on a page is hot"`
	Cool uint32 `yaml:"cool" jsonschema:"minimum=2" doc:"Accesses to one page that halve the counts of all"`
}

// DefaultPacking has the thresholds of HeMem, section 3.1: 8 accesses, 18 to cool.
func DefaultPacking() Packing { return Packing{Hot: 8, Cool: 18} }

func (p Packing) check() error {
	if p.Hot < 1 || p.Cool <= p.Hot {
		return fmt.Errorf("cool is %d and hot %d (want cool above hot, and hot 1 or more)", p.Cool, p.Hot)
	}
	return nil
}

type hemem struct {
	s          Packing
	hot, spare ranking
}

// First implements Policy: the default tier, as long as it has room.
func (p *hemem) First(*View, int) int { return 0 }

// Plan brings the hot pages of other tiers to the default tier: into free frames,
// or in exchange for pages that are not hot, the least used first.
func (p *hemem) Plan(v *View, out []Move) []Move {
	room := v.Tiers[0].free()
	budget := v.Budget
	var cold []int32
	for t := 1; t < len(v.Tiers); t++ {
		for _, page := range p.hot.of(v.Pages, t, true) {
			if v.Pages[page].Count < p.s.Hot {
				break
			}
			m := Move{Page: page, With: None}
			if room == 0 {
				if cold == nil {
					cold = p.spare.of(v.Pages, 0, false)
				}
				if len(cold) == 0 || v.Pages[cold[0]].Count >= p.s.Hot {
					cool(v.Pages, p.s.Cool)
					return out // all of the default tier is hot
				}
				m.With = cold[0]
			}
			if m.Cost() > budget {
				cool(v.Pages, p.s.Cool)
				return out
			}
			budget -= m.Cost()
			if m.With == None {
				room--
			} else {
				cold = cold[1:]
			}
			out = append(out, m)
		}
	}
	cool(v.Pages, p.s.Cool)
	return out
}

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "hemem",
		Doc:    "Packing: pages with many accesses go to the default tier until it is full of them.",
		Source: "Raybuck et al., HeMem: Scalable Tiered Memory Management for Big Data Applications and Real NVM, SOSP 2021, section 3",
		Spec:   DefaultPacking(),
		New: func(spec any) (Policy, error) {
			s, err := registry.SpecOf(spec, DefaultPacking())
			if err == nil {
				err = s.check()
			}
			return &hemem{s: s}, err
		},
	})
}
