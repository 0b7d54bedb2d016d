package nest

// distinct is how many different tiles of tensor t lie below one instance of level l
// at a time. Instances with the same tile share a read, or their sums are added on
// the way; tiles that only overlap are read apart.
func (n *Nest) distinct(l, t int) float64 {
	loops := n.spreadOf(l)
	if len(loops) == 0 {
		return 1
	}
	lv := &n.a.Levels[l]
	if n.p.Tensors[t].Written && lv.NoReduction || !n.p.Tensors[t].Written && lv.NoMulticast {
		all := 1.0
		for i := range loops {
			all *= loops[i].trips
		}
		return all
	}
	if n.shared[t] {
		return n.distinctPoints(loops, t)
	}
	out := 1.0
	for i := range n.rank[t] {
		r := &n.rank[t][i]
		if len(r.dim) == 1 {
			for j := range loops {
				if loops[j].dim == r.dim[0] {
					out *= loops[j].trips
				}
			}
			continue
		}
		out *= n.sums(loops, r)
	}
	return out
}

// sums is how many different values the sum of a rank's spatial offsets takes.
func (n *Nest) sums(loops []turn, r *terms) float64 {
	var step, trips [2]float64
	k := 0
	for j := range loops {
		for i, d := range r.dim {
			if d != loops[j].dim {
				continue
			}
			if k == 2 {
				return n.manySums(loops, r)
			}
			step[k], trips[k] = r.coef[i]*loops[j].step, loops[j].trips
			k++
		}
	}
	if k < 2 {
		return max(1, trips[0])
	}
	// i x a + j x b repeats from (i, j) to (i + b/g, j - a/g): as many pairs as have
	// no such forerunner are different.
	g := gcd(step[0], step[1])
	return trips[0]*trips[1] - max(0, trips[0]-step[1]/g)*max(0, trips[1]-step[0]/g)
}

func gcd(a, b float64) float64 {
	x, y := int64(a), int64(b)
	for y != 0 {
		x, y = y, x%y
	}
	return float64(max(x, 1))
}

// mostPoints bounds the memory of an enumeration; beyond it tiles count as different.
const mostPoints = 1 << 22

// manySums enumerates the sums of three loops and more.
func (n *Nest) manySums(loops []turn, r *terms) float64 {
	last, all := 0.0, 1.0
	for j := range loops {
		for i, d := range r.dim {
			if d == loops[j].dim {
				last += r.coef[i] * loops[j].step * (loops[j].factor - 1)
				all *= loops[j].trips
			}
		}
	}
	if last >= mostPoints {
		return all
	}
	if need := int(last) + 1; cap(n.points) < need {
		n.points = make([]bool, need)
	}
	p := n.points[:int(last)+1]
	clear(p)
	p[0] = true
	for j := range loops {
		for i, d := range r.dim {
			if d != loops[j].dim {
				continue
			}
			step := int(r.coef[i] * loops[j].step)
			for at := len(p) - 1; at >= 0; at-- {
				if !p[at] {
					continue
				}
				for k := 1; k < int(loops[j].factor) && at+k*step < len(p); k++ {
					p[at+k*step] = true
				}
			}
		}
	}
	count, nominal := 0.0, 1.0
	for _, x := range p {
		if x {
			count++
		}
	}
	for j := range loops {
		for _, d := range r.dim {
			if d == loops[j].dim {
				nominal *= loops[j].factor
			}
		}
	}
	return count * all / nominal
}

// diagonalRanks bounds the ranks of a tensor that has a dimension in two of them.
const diagonalRanks = 8

// distinctPoints enumerates the offsets of a tensor with a dimension in two ranks,
// such as a diagonal.
func (n *Nest) distinctPoints(loops []turn, t int) float64 {
	all := 1.0
	for i := range loops {
		if n.dims[t].Has(loops[i].dim) {
			all *= loops[i].factor
		}
	}
	if all >= mostPoints {
		return all
	}
	seen := map[[diagonalRanks]float64]bool{}
	index := make([]float64, len(loops))
	for {
		var at [diagonalRanks]float64
		for i := range n.rank[t] {
			r := &n.rank[t][i]
			for j := range loops {
				for k, d := range r.dim {
					if d == loops[j].dim {
						at[i] += r.coef[k] * loops[j].step * index[j]
					}
				}
			}
		}
		seen[at] = true
		j := 0
		for ; j < len(loops); j++ {
			if !n.dims[t].Has(loops[j].dim) {
				continue
			}
			if index[j]++; index[j] < loops[j].factor {
				break
			}
			index[j] = 0
		}
		if j == len(loops) {
			return float64(len(seen))
		}
	}
}
