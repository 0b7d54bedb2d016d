package placement

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/registry"
)

// A Weighted is the spec of interleave.
type Weighted struct {
	// Weights are by tier; tiers without one have 1.
	Weights []int `yaml:"weights" doc:"Pages in a row that each tier gets, by tier; [1, 1] by default"`
}

type interleave struct {
	weights []int
	tier    int // whose turn it is
	given   int // pages of its turn
}

// First gives each tier its weight of pages, in the order in which they are
// touched.
func (p *interleave) First(v *View, _ int) int {
	for range len(v.Tiers) + 1 {
		w := 1
		if p.tier < len(p.weights) {
			w = p.weights[p.tier]
		}
		if p.given < w {
			break
		}
		p.tier, p.given = (p.tier+1)%len(v.Tiers), 0
	}
	p.given++
	return p.tier
}

// Plan implements Policy.
func (p *interleave) Plan(_ *View, out []Move) []Move { return out }

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "interleave",
		Doc:    "Pages take turns over the tiers, by weights, in the order in which they are touched first.",
		Source: "weighted interleave of Linux 6.9 (set_mempolicy(2), MPOL_WEIGHTED_INTERLEAVE)",
		Spec:   Weighted{},
		New: func(spec any) (Policy, error) {
			s, err := registry.SpecOf(spec, Weighted{})
			if err != nil {
				return nil, err
			}
			sum := 0
			for _, w := range s.Weights {
				if w < 0 || w > 1<<20 {
					return nil, fmt.Errorf("a weight of %d (want 0 to 1048576)", w)
				}
				sum += w
			}
			if len(s.Weights) > 0 && sum == 0 {
				return nil, fmt.Errorf("all weights are 0")
			}
			return &interleave{weights: s.Weights}, nil
		},
	})
}
