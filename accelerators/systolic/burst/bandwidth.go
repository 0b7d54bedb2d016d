package burst

import (
	"github.com/causeway-sim/causeway/components/units"
	"github.com/causeway-sim/causeway/memory"
)

// Bandwidth is what the memories below the port move at most, by their nominal
// figures: all of them together, and no more than the core's own link. It is 0 where
// one of them is unlimited.
func (r *Routes) Bandwidth() units.Bandwidth { return together(r.Targets) }

// PlacedBandwidth is Bandwidth of the memories that tensors are placed in: a scratchpad
// that holds no tensor of its own makes no product faster.
func (r *Routes) PlacedBandwidth() units.Bandwidth { return together(r.Placed()) }

// Placed are the targets of the ranges that tensors are placed in, and all where the map
// names none.
func (r *Routes) Placed() []Target {
	var out []Target
	ranges := r.Map.Ranges()
	seen := make([]bool, len(r.Targets))
	for i := range ranges {
		for _, id := range r.index[&ranges[i]] {
			if ranges[i].Placed && !seen[id] {
				seen[id] = true
				out = append(out, r.Targets[id])
			}
		}
	}
	if len(out) == 0 {
		return r.Targets
	}
	return out
}

func together(targets []Target) (sum units.Bandwidth) {
	link := units.Bandwidth(0)
	for _, t := range targets {
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
