package burst

import (
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
)

// Bandwidth is what the memories below the port move at most, by their nominal
// figures: all of them together, and no more than the core's own link. It is 0 where
// one of them is unlimited.
func (r *Routes) Bandwidth() (sum units.Bandwidth) {
	link := units.Bandwidth(0)
	for _, t := range r.Targets {
		if t.Path.Bandwidth == 0 {
			return 0
		}
		sum += t.Path.Bandwidth
		link = t.Path.Link
	}
	if link > 0 {
		sum = min(sum, link)
	}
	return sum
}

// BothWays is the most bytes per ns that a core reads and writes together: bandwidth, but
// that a link has it each way. It is 0 where there is no limit.
func (r *Routes) BothWays() float64 {
	sum, link := 0.0, 0.0
	for _, t := range r.Targets {
		b := bytesPerNS(t.Path)
		if b == 0 {
			return 0
		}
		sum += b
		link = 2 * float64(t.Path.Link) / 8e9
	}
	if link > 0 {
		sum = min(sum, link)
	}
	return sum
}

// bytesPerNS is what a memory answers and takes together, at most; 0 is no limit.
func bytesPerNS(p memory.Path) float64 {
	b := float64(p.Bandwidth) / 8e9
	if p.EachWay {
		b *= 2
	}
	return b
}
