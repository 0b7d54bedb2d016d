package nest

import (
	"math/bits"
)

// Counts are what happens to one tensor at one level, per instance in use unless it
// says otherwise. Of a machine without sparsity the actual counts are the
// algorithmic ones.
type Counts struct {
	Kept      bool
	Partition float64 // elements of the tensor that fall to an instance over the whole run
	Tile      float64 // elements that it holds at a time
	Capacity  float64 // words that it takes for them at most
	Instances float64 // in use
	Average   float64 // of those, how many on average hold anything
	Clusters  float64 // of instances in use

	Algorithmic Accesses // what a dense machine does
	Actual      Accesses // what is done
	Gated       Accesses // what is gated: it takes its cycle and no data
	Skipped     Accesses // what is skipped
	Reductions  float64  // partial sums added to one that was there
	Addresses   float64  // per cluster

	Format       []FormatCounts // per rank of the format, outermost first
	Decompressed float64
	Compressed   float64
	EnergyEach   float64 // pJ of one instance
	Energy       float64 // pJ of all of them
}

// Accesses are in words.
type Accesses struct{ Reads, Fills, Updates float64 }

// count fills in the algorithmic counts.
func (n *Nest) count(m *Mapping, r *Result) {
	steps := 1.0
	for i := range n.loops {
		steps *= n.loops[i].trips
	}
	r.MACs = n.p.MACs()
	r.Steps = n.steps()
	for t := range n.nT {
		part, bit := n.whole[t], Mask(1)<<uint(t)
		for l := range n.nL {
			c := &r.Counts[l*n.nT+t]
			*c = Counts{Format: c.Format[:0]}
			if m.Levels[l].Keep&bit != 0 {
				c.Kept = true
				c.Partition = part * n.active[l]
				c.Tile = n.tile(t, n.extAt(l))
				c.Capacity = n.tile(t, n.extMaxAt(l))
				c.Instances = n.used[l]
				c.Average = n.used[l]
			}
			if len(n.spreadOf(l)) > 0 {
				part = share(part, n.tile(t, n.extAt(l+1)), n.tile(t, n.midAt(l)))
			}
		}
		below := steps // what the level below asks of one instance of its own
		distinct, inside, spread := 1.0, false, false
		passing := !n.p.Tensors[t].Written // every fan-out since the last level that keeps it forwards
		for l := n.nL - 1; l >= 0; l-- {
			distinct *= n.distinct(l, t)
			passing = passing && (len(n.spreadOf(l)) == 0 || n.a.Levels[l].Forward)
			c := &r.Counts[l*n.nT+t]
			spread = spread || len(n.spreadOf(l)) > 0
			if !c.Kept {
				continue
			}
			if !inside && spread {
				below = n.fills(n.nL, t, 1)
			}
			if passing && distinct > 1 && n.still(l, t, m) {
				if f := n.forwarded(l, t); f < below*distinct { // with strides, tiles have gaps in between
					below, distinct = f, 1
				}
			}
			inside, passing = true, !n.p.Tensors[t].Written
			traffic, fills := below*distinct*n.active[l], n.fills(l, t, c.Tile)
			below, distinct = fills, 1
			fills *= n.active[l]
			a := &c.Algorithmic
			if !n.p.Tensors[t].Written {
				a.Reads, a.Fills = traffic, fills
				if l == 0 {
					a.Fills = 0
				}
				c.Addresses = a.Reads + a.Fills
			} else {
				a.Updates = traffic
				a.Reads = max(0, traffic-c.Partition)
				c.Reductions = a.Reads
				if l > 0 {
					a.Fills = max(0, fills-c.Partition)
				}
				c.Addresses = a.Updates + a.Fills
			}
			c.Actual = *a
		}
	}
}

// share is floor(part x tile / of) without rounding on the way.
func share(part, tile, of float64) float64 {
	if tile == of {
		return part
	}
	if float64(int64(part)) == part && float64(int64(tile)) == tile && float64(int64(of)) == of {
		hi, lo := bits.Mul64(uint64(part), uint64(tile))
		if hi < uint64(of) {
			q, _ := bits.Div64(hi, lo, uint64(of))
			return float64(q)
		}
	}
	return part * tile / of
}

// steps is how many cycles compute takes with no memory in the way: the values that
// the temporal loops go through. An imperfect dimension ends where its last element
// is done by the first instance.
func (n *Nest) steps() float64 {
	all := 1.0
	if n.perfect {
		for i := range n.loops {
			all *= n.loops[i].factor
		}
		return all
	}
	for d := range n.nD {
		all *= n.stepsOf(d)
	}
	return all
}

// stepsOf counts the values below size of dimension d whose spatial digits are 0.
func (n *Nest) stepsOf(d int) float64 {
	last, count := n.size[d]-1, 0.0
	// Digits of last, outermost first. Values below last's prefix are free; the rest
	// follow last, or end where last has a spatial digit above 0.
	type digit struct {
		step, factor float64
		time         bool
	}
	var digits [MaxLevels * 2]digit
	k := 0
	add := func(x *turn, time bool) {
		if x.dim == d && k < len(digits) {
			digits[k] = digit{x.step, x.factor, time}
			k++
		}
	}
	for i := range n.loops {
		add(&n.loops[i], true)
	}
	for i := range n.spread {
		add(&n.spread[i], false)
	}
	// Outermost first: the largest step.
	for i := 1; i < k; i++ {
		for j := i; j > 0 && digits[j-1].step < digits[j].step; j-- {
			digits[j-1], digits[j] = digits[j], digits[j-1]
		}
	}
	free := 1.0 // temporal values of the digits that are left
	for i := range k {
		if digits[i].time {
			free *= digits[i].factor
		}
	}
	for i := range k {
		v := float64(int64(last / digits[i].step))
		last -= v * digits[i].step
		if digits[i].time {
			free /= digits[i].factor
			count += v * free
			continue
		}
		if v > 0 {
			return count + free
		}
	}
	return count + 1
}

// fills is how many words of tensor t come into one instance of level l over the
// run: its tile as often as one of the loops above changes it.
func (n *Nest) fills(l, t int, tile float64) float64 {
	return n.fillsOf(t, tile, n.extAt(l), n.from[l])
}

// fillsOf is the same of a tile with these extents, inside the loops from first on.
func (n *Nest) fillsOf(t int, tile float64, ext []float64, first int) float64 {
	dims, i := n.dims[t], first
	for i < len(n.loops) && dims>>uint(n.loops[i].dim)&1 == 0 {
		i++ // the same tile again: it stays
	}
	if i == len(n.loops) {
		return tile
	}
	x := &n.loops[i]
	words := tile * x.trips
	if i == first || n.rules >= Rules2025 {
		if o := n.overlap(ext, t, x); o > 0 {
			words = tile + (x.trips-1)*(tile-o)
		}
	}
	for i++; i < len(n.loops); i++ {
		words *= n.loops[i].trips
	}
	return words
}

// forwarded is how many words of an input the instances below level l read together,
// where they pass on what they have.
func (n *Nest) forwarded(l, t int) float64 {
	ext := n.midAt(l)
	return n.fillsOf(t, n.tile(t, ext), ext, n.from[l+1])
}

// still reports whether no loop in time lies between level l and the next one inside that
// keeps the tensor, or compute.
func (n *Nest) still(l, t int, m *Mapping) bool {
	k := l + 1
	for k < n.nL && !m.Levels[k].Keep.Has(t) {
		k++
	}
	return n.from[k] == n.from[l+1]
}

// overlap is what two tiles of such extents have in common that follow each other in a
// loop.
func (n *Nest) overlap(ext []float64, t int, x *turn) float64 {
	o := 1.0
	for i := range n.rank[t] {
		r := &n.rank[t][i]
		span, shift := 1.0, 0.0
		for k, d := range r.dim {
			span += r.coef[k] * (ext[d] - 1)
			if d == x.dim {
				shift += r.coef[k] * x.step
			}
		}
		if span <= shift {
			return 0
		}
		o *= span - shift
	}
	return o
}
