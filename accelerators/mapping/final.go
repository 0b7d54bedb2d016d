package mapping

// The search compares mappings by closed forms (time.go) that take tiles as equally long.
// That is right on average over many steps, and up to a third off over few. So the best
// mappings of the search meet in a final: their steps are walked one after the other, as
// accelerators/systolic carries them out, and the shortest wins. The mappings of least
// traffic and of fewest cycles take part, so that the objective time is no slower than the
// others.

// walkedSteps is how many steps a mapping in the final may have: over more of them the
// closed forms hold.
const walkedSteps = 256

// closeBy bounds the plans that take part: their estimated times are at most 1 + 1/closeBy times
// that of the best.
const closeBy = 2

// A finalist is a mapping on the machine that it is for.
type finalist struct {
	h   machine
	sol solution
}

// final is the mapping of least rank: by the walk, or by the closed forms where the best of
// these has too many steps.
func final(all []finalist, plan func(finalist) *Plan) finalist {
	best := all[0]
	for _, x := range all[1:] {
		if x.sol.rank < best.sol.rank {
			best = x
		}
	}
	if plan(best).Steps > walkedSteps {
		return best
	}
	bound, first := best.sol.rank+best.sol.rank/closeBy, true
	for _, x := range all {
		if x.sol.rank > bound {
			continue
		}
		effort := x.sol.rank - x.sol.time
		for _, whole := range [2]bool{x.sol.whole, !x.sol.whole} {
			x.sol.whole = whole
			p := plan(x)
			if p.Steps > walkedSteps {
				continue
			}
			x.sol.time, _, _ = p.walk(p.Steps)
			x.sol.rank = x.sol.time + effort
			if first || x.sol.rank < best.sol.rank {
				best, first = x, false
			}
		}
	}
	return best
}

// finalists are the mappings of the search on a machine: by time, and by the other
// objectives.
func (s *shape) finalists(h *machine, w fixedChoice, known cuts) (out []finalist, err error) {
	for _, by := range [3]goal{leastTime, leastTraffic, leastCycles} {
		sol, err := search(s, h, w, by, known)
		if err != nil {
			return nil, err
		}
		if by != leastTime {
			s.estimate(h, &sol)
		}
		out = append(out, finalist{*h, sol})
	}
	return out, nil
}
