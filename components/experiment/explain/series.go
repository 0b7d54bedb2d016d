package explain

import "slices"

// more is the ratio from which on changes together count as more than what each of them does alone.
const more = 1.05

// kept is the share of their gain that changes together must keep when one of them is taken away.
const kept = 0.9

// inSeries looks for limits that bind together, such as a network interface and the link behind it
// of the same bandwidth: raising one of them alone shows nothing, or not all. It tries the best
// change at once with all that do not help alone. Where that helps more, it takes away one change
// after the other, the least first, as long as the gain stays. gain runs a change and returns its
// ratio, 0 where the run is refused.
func inSeries(alone []LeverResult, gain func(lever) float64) (lever, bool) {
	var parts []lever
	single := 1.0             // what the parts do one by one
	for _, l := range alone { // best first
		if l.of.work == 1 && (len(parts) == 0 || l.Ratio < helps) {
			parts, single = append(parts, l.of), single*max(l.Ratio, 1)
		}
	}
	if len(parts) < 2 {
		return lever{}, false
	}
	all := gain(joined(parts))
	if !(all >= more*single) { // or it is no number
		return lever{}, false
	}
	for i := len(parts) - 1; i >= 0 && len(parts) > 2; i-- {
		fewer := slices.Delete(slices.Clone(parts), i, i+1)
		if g := gain(joined(fewer)); g-1 >= kept*(all-1) {
			parts = fewer
		}
	}
	return joined(parts), true
}

// joined is the change that makes all of the given ones.
func joined(parts []lever) lever {
	out := lever{work: 1, parts: parts}
	for _, p := range parts {
		out.sets = append(out.sets, p.sets...)
	}
	return out
}
