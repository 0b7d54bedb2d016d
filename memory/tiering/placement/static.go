package placement

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/registry"
)

// A Split is the spec of static: the share of pages that goes to the default tier.
type Split struct {
	// Share is that of pages that no part names.
	Share float64 `yaml:"share" jsonschema:"minimum=0,maximum=1" doc:"Share of the pages that go to the default tier, as long as it has room"`
	// Parts are ranges of page numbers.
	Parts []Part `yaml:"parts" doc:"Ranges of pages with shares of their own"`
}

// A Part is a range of pages.
type Part struct {
	First int     `yaml:"first" jsonschema:"minimum=0" doc:"Number of the first page"`
	Pages int     `yaml:"pages" jsonschema:"required,minimum=1" doc:"How many there are"`
	Share float64 `yaml:"share" jsonschema:"required,minimum=0,maximum=1" doc:"Share of them that goes to the default tier"`
}

type static struct{ s Split }

// First spreads a share over the pages evenly: page i of a part goes to the
// default tier where share*i passes a whole number.
func (p *static) First(_ *View, page int) int {
	i, share := page, p.s.Share
	for _, x := range p.s.Parts {
		if page >= x.First && page-x.First < x.Pages {
			i, share = page-x.First, x.Share
			break
		}
	}
	if int(float64(i+1)*share) > int(float64(i)*share) {
		return 0
	}
	return 1
}

// Plan implements Policy.
func (p *static) Plan(_ *View, out []Move) []Move { return out }

func init() {
	All.Add(registry.Entry[Factory]{
		Name:   "static",
		Doc:    "Pages stay where they are touched first; a share of them, evenly spread, is in the default tier.",
		Source: "none: arithmetic; the best of all shares is what Vuppalapati and Agarwal (SOSP 2024, section 2) compare with",
		Spec:   Split{Share: 1},
		New: func(spec any) (Policy, error) {
			s, err := registry.SpecOf(spec, Split{Share: 1})
			if err != nil {
				return nil, err
			}
			check := func(name string, v float64) {
				if !(v >= 0 && v <= 1) && err == nil {
					err = fmt.Errorf("%s is %g (want 0 to 1)", name, v)
				}
			}
			check("share", s.Share)
			for _, x := range s.Parts {
				check("share of a part", x.Share)
				if (x.Pages < 1 || x.First < 0) && err == nil {
					err = fmt.Errorf("a part of %d pages from page %d on", x.Pages, x.First)
				}
			}
			return &static{s}, err
		},
	})
}
