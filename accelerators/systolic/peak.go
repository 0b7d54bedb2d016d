package systolic

import (
	"github.com/causeway-sim/causeway/components/units"
)

// bandwidth is what the memories behind the port move at most, by their nominal
// figures: all of them together, and no more than the core's own link. It is 0 where
// one of them is unlimited.
func (r *routes) bandwidth() (sum units.Bandwidth) {
	link := units.Bandwidth(0)
	for _, t := range r.targets {
		if t.path.Bandwidth == 0 {
			return 0
		}
		sum += t.path.Bandwidth
		link = t.path.Link
	}
	if link > 0 {
		sum = min(sum, link)
	}
	return sum
}
