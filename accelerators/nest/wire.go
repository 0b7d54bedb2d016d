package nest

// A fan-out may have wires (Level.Wire): what an instance below takes from the level, or
// gives to it, has gone over them. A word that several instances share is read once and
// arrives at each; sums that are added on the way have set out from each.

// wired reports whether any fan-out has wires that take energy.
func (a *Arch) wired() bool {
	for l := range a.Levels {
		if a.Levels[l].Wire > 0 {
			return true
		}
	}
	return false
}

// wires adds the energy of the wires below each level, and returns the sum.
func (n *Nest) wires(r *Result) (sum float64) {
	for t := range n.nT {
		below, inside, spread := n.stepsTaken(), false, false // what an instance below takes over the run
		distinct := 1.0
		for l := n.nL - 1; l >= 0; l-- {
			lv, fans := &n.a.Levels[l], len(n.spreadOf(l)) > 0
			if spread = spread || fans; !inside && spread {
				below = n.fills(n.nL, t, 1)
			}
			if lv.Wire > 0 {
				e := below * distinct * n.active[l+1] * n.used[l+1] * n.crossing(r, l, t) * lv.Wire
				r.Levels[l].Wires += e
				r.Levels[l].Energy += e
				sum += e
			}
			distinct *= n.distinct(l, t)
			if r.Counts[l*n.nT+t].Kept {
				inside, distinct = true, 1
				below = n.fills(l, t, r.Counts[l*n.nT+t].Tile)
			}
		}
	}
	return sum
}

// stepsTaken is how many iterations a compute unit goes through.
func (n *Nest) stepsTaken() float64 {
	steps := 1.0
	for i := range n.loops {
		steps *= n.loops[i].trips
	}
	return steps
}

// crossing is how often a word that is taken below level l goes over the wires there: sums
// come back as often as the next level outwards that keeps them reads them; of sparse
// tensors only a part is done.
func (n *Nest) crossing(r *Result, l, t int) float64 {
	for !r.Counts[l*n.nT+t].Kept {
		l--
	}
	c := &r.Counts[l*n.nT+t]
	done, all := c.Actual.Reads, c.Algorithmic.Reads
	if n.p.Tensors[t].Written {
		done, all = c.Actual.Updates+c.Actual.Reads, c.Algorithmic.Updates
	}
	if all == 0 {
		return 0
	}
	return done / all
}
