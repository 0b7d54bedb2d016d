package explain

import "slices"

// more is the ratio from which on changes together count as more than what each of them does alone.
const more = 1.05

// little is the ratio below which a change helps so little alone that another limit may hide the rest.
const little = 1.1

// kept is the share of their gain that changes together must keep when some of them are taken away:
// few changes that do most say more than many that do all.
const kept = 2. / 3

// inSeries looks for limits that bind together, such as a network interface and the link behind it
// of the same bandwidth: raising one of them alone shows nothing, or not all. It tries the best
// change with each other that helps much, and at once with all that help little. Of the latter it
// keeps one, if the two have most of the gain, else as many as are needed. gain runs a change and
// returns its ratio, 0 where the run is refused. The better of the two answers is returned.
func inSeries(alone []LeverResult, gain func(lever) float64) (lever, bool) {
	var much, few []LeverResult // the best is among few
	for _, l := range alone {   // best first
		switch {
		case l.of.work != 1:
		case len(few) == 0 || l.Ratio < little:
			few = append(few, l)
		default:
			much = append(much, l)
		}
	}
	if len(few) == 0 {
		return lever{}, false
	}
	parts, ratio := bestPair(few[0], much, gain)
	if more, r := hidden(few, gain); r > ratio {
		parts = more
	}
	if parts == nil {
		return lever{}, false
	}
	return joined(parts), true
}

// bestPair is the best change with the one of others with which it does most, if that is more than
// what the two do one by one; nil and 0 if none is.
func bestPair(best LeverResult, others []LeverResult, gain func(lever) float64) (parts []LeverResult, ratio float64) {
	for _, l := range others {
		two := []LeverResult{best, l}
		if g := gain(joined(two)); g >= more*oneByOne(two) && g > ratio {
			parts, ratio = two, g
		}
	}
	return parts, ratio
}

// hidden are the changes that hide each other, and what they do together; nil and 0 if none do.
func hidden(parts []LeverResult, gain func(lever) float64) ([]LeverResult, float64) {
	if len(parts) < 2 {
		return nil, 0
	}
	all := gain(joined(parts))
	if !(all >= more*oneByOne(parts)) { // or it is no number
		return nil, 0
	}
	if len(parts) == 2 {
		return parts, all
	}
	if two, g := bestPair(parts[0], parts[1:], gain); g-1 >= kept*(all-1) {
		return two, g
	}
	ratio := all
	for i := len(parts) - 1; i >= 0 && len(parts) > 2; i-- {
		fewer := slices.Delete(slices.Clone(parts), i, i+1)
		if g := gain(joined(fewer)); g-1 >= kept*(all-1) && g >= more*oneByOne(fewer) {
			parts, ratio = fewer, g
		}
	}
	return parts, ratio
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
