package explain

import "slices"

// more is the ratio from which on changes together count as more than what each of them does alone.
const more = 1.05

// little is the ratio below which a change helps so little alone that another limit may hide the rest.
const little = 1.1

// kept is the share of their gain that changes together must keep when one of them is taken away:
// few changes that do most say more than many that do all.
const kept = 2. / 3

// inSeries looks for limits that bind together, such as a network interface and the link behind it
// of the same bandwidth: raising one of them alone shows nothing, or not all. It tries the best
// change at once with all that help little alone. Where that helps more, it takes away one change
// after the other, the least first, as long as most of the gain stays. gain runs a change and
// returns its ratio, 0 where the run is refused.
func inSeries(alone []LeverResult, gain func(lever) float64) (lever, bool) {
	var parts []LeverResult
	for _, l := range alone { // best first
		if l.of.work == 1 && (len(parts) == 0 || l.Ratio < little) {
			parts = append(parts, l)
		}
	}
	if len(parts) < 2 {
		return lever{}, false
	}
	all := gain(joined(parts))
	if !(all >= more*oneByOne(parts)) { // or it is no number
		return lever{}, false
	}
	for i := len(parts) - 1; i >= 0 && len(parts) > 2; i-- {
		fewer := slices.Delete(slices.Clone(parts), i, i+1)
		if g := gain(joined(fewer)); g-1 >= kept*(all-1) && g >= more*oneByOne(fewer) {
			parts = fewer
		}
	}
	return joined(parts), true
}

// oneByOne is what changes would do together if none hid another.
func oneByOne(parts []LeverResult) float64 {
	out := 1.0
	for _, l := range parts {
		out *= max(l.Ratio, 1)
	}
	return out
}

// joined is the change that makes all of the given ones.
func joined(parts []LeverResult) lever {
	out := lever{work: 1}
	for _, p := range parts {
		out.parts, out.sets = append(out.parts, p.of), append(out.sets, p.of.sets...)
	}
	return out
}
