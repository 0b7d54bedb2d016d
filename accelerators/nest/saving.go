package nest

import "math"

// save finds for every level and tensor what share of the reads is gated or skipped.
func (n *Nest) save(m *Mapping, r *Result) {
	clear(n.sp.saved)
	clear(n.sp.how)
	for _, skipping := range [2]bool{false, true} {
		for l := n.nL - 1; l >= 0; l-- {
			for i := range n.sparse.Savings {
				if x := &n.sparse.Savings[i]; x.Level == l && x.Skip == skipping {
					n.choose(m, r, x)
				}
			}
		}
	}
}

// choose takes the option that saves the most energy.
func (n *Nest) choose(m *Mapping, r *Result, x *Saving) {
	best, level, target, most := 0.0, -1, 0, 0.0
	for i := range x.Options {
		o := &x.Options[i]
		l := x.Level
		for l >= 0 && !r.Counts[l*n.nT+o.Target].Kept {
			l--
		}
		if l < 0 {
			continue
		}
		p := n.idle(m, r, l, o)
		lv := &n.a.Levels[l]
		at := l*n.nT + o.Target
		words := n.sp.words[at]
		from := at
		if b := n.below(r, l, o.Target); b >= 0 {
			from = b*n.nT + o.Target
		}
		meta := 0.0
		for k := range r.Counts[from].Format {
			u := n.sp.units[from*maxRanks+k]
			meta += u.Metadata + u.Payload
		}
		words += meta * float64(lv.Metadata.Bits/lv.WordBits)
		if gain := lv.Energy.Read / lv.Block * words * p; level < 0 || gain >= most {
			best, level, target, most = p, l, o.Target, gain
		}
	}
	if level < 0 {
		return
	}
	how := gate
	if x.Skip {
		how = skip
	}
	if at := level*n.nT + target; n.sp.how[at] == nothing || n.sp.saved[at] < best {
		n.sp.saved[at], n.sp.how[at] = best, how
	}
}

// idle is the probability that a read of the target at level l is not needed: that
// the tile of a leader which goes with it is empty. Where nothing keeps the target
// further in, a read goes with one element of a leader, or with as many as an access
// brings at once. Else it goes with the leader's tile of the loop that changes the
// target's, cut by loops that both share.
func (n *Nest) idle(m *Mapping, r *Result, l int, o *Option) float64 {
	low := n.below(r, l, o.Target)
	goal, cond := n.sp.goal, n.sp.cond
	from := n.nL - 1
	if low >= 0 {
		from = low - 1
	}
	// The loop at hand: its place in the list of all loops from the target's next
	// level outward.
	var list [MaxLevels * 8]Loop
	k := loopsOutward(m, from, l, &list)
	copy(goal, n.extAt(from+1))
	pick, scalar := changing(list[:k], n.dims[o.Target], low < 0, goal)
	dim, spatial := 0, false
	if pick >= 0 {
		dim, spatial = list[pick].Dim, list[pick].Axis != Time
	} else if k > 0 {
		dim = list[k-1].Dim
	}
	if scalar {
		for d := range goal {
			goal[d] = 1
		}
	}
	useful := 1.0
	for t := range n.nT {
		if o.Leaders.Has(t) {
			useful *= 1 - n.idleBy(l, o.Target, t, list[:k], pick, dim, scalar, spatial, low >= 0, goal, cond)
		}
	}
	return 1 - useful
}

// loopsOutward lists the loops from level from out to level l, innermost first, without
// spatial ones of factor 1, and how many there are.
func loopsOutward(m *Mapping, from, l int, list *[MaxLevels * 8]Loop) (k int) {
	for x := from; x >= l; x-- {
		for _, loops := range [2][]Loop{m.Levels[x].Spatial, m.Levels[x].Temporal} {
			for _, y := range loops {
				if k < len(list) && (y.Axis == Time || y.Factor > 1) {
					list[k] = y
					k++
				}
			}
		}
	}
	return k
}

// changing picks the loop that changes the tile of a tensor of dimensions dims, -1 if none
// does, and widens goal by the loops up to it. At the innermost level that keeps it (last)
// a loop over time, or the last spatial one in front of it, is picked at once; scalar
// tells that the tile is one element.
func changing(list []Loop, dims Mask, last bool, goal []float64) (pick int, scalar bool) {
	for i, x := range list {
		if last && i == 0 && x.Axis == Time {
			return 0, true
		}
		goal[x.Dim] *= float64(x.Factor)
		if x.Factor > 1 && dims.Has(x.Dim) || last && (i+1 == len(list) || list[i+1].Axis == Time) {
			return i, false
		}
	}
	return -1, false
}

// idleBy is idle for one leader.
func (n *Nest) idleBy(l, target, leader int, list []Loop, pick, dim int, scalar, spatial, inside bool, goal, cond []float64) float64 {
	both := n.dims[target] & n.dims[leader]
	copy(cond, goal)
	var factor [MaxDims]float64
	product, shared, located := 1.0, false, !spatial
	visit := func(x Loop) bool { // a loop that the target's tile stays under
		if scalar {
			return true
		}
		if spatial && shared && n.dims[leader].Has(x.Dim) {
			return false
		}
		if both.Has(x.Dim) {
			f := float64(x.Factor)
			if factor[x.Dim] == 0 {
				factor[x.Dim] = 1
			}
			factor[x.Dim] *= f
			product *= f
			shared = true
		}
		return true
	}
	if pick >= 0 && !visit(list[pick]) {
		return 0
	}
	for i := pick + 1; i < len(list); i++ {
		x := list[i]
		if x.Factor == 1 {
			continue
		}
		space := x.Axis != Time
		if space || !located && inside && !n.dims[target].Has(x.Dim) {
			cond[x.Dim] *= float64(x.Factor)
			if !visit(x) {
				return 0
			}
		}
		if spatial && !space && (!inside || n.dims[target].Has(x.Dim)) {
			located = true
		}
	}
	n.widen(cond, &factor, dim, math.Ceil(n.a.Levels[l].Block/(n.tile(target, goal)/product)))
	x := n.p.Tensors[leader].Density
	return x.empty(n.tile(leader, cond), x.lot(n.whole[leader]))
}

// widen makes the extents of a leader those of as many tiles as one access brings.
func (n *Nest) widen(cond []float64, factor *[MaxDims]float64, dim int, scale float64) {
	for d := range n.nD {
		if factor[d] == 0 {
			continue
		}
		cond[d] = math.Ceil(cond[d] / (factor[d] / scale))
		scale /= factor[d]
	}
	if scale > 1 {
		cond[dim] *= scale
	}
}

// propagate takes what is saved out of the counts: at its level, and from the levels
// inside, which never see it, up to the next one with a saving of its own. Computes
// lose what the innermost of these saves.
func (n *Nest) propagate(r *Result) {
	for t := range n.nT {
		settled := Mask(0)
		for l := range n.nL {
			at := l*n.nT + t
			if n.sp.how[at] == nothing {
				continue
			}
			p, stopped := n.sp.saved[at], false
			for in := l + 1; in < n.nL && !stopped; in++ {
				c := &r.Counts[in*n.nT+t]
				c.Actual.Fills -= math.Floor(c.Actual.Fills * p)
				c.Actual.Reads -= math.Floor(c.Actual.Reads * p)
				c.Actual.Updates -= math.Floor(c.Actual.Updates * p)
				if len(c.Format) > 0 && len(r.Counts[at].Format) == 1 {
					f := &c.Format[len(c.Format)-1]
					f.Fills.take(p)
					f.Reads.take(p)
				}
				if how := n.sp.how[in*n.nT+t]; how != nothing {
					n.saveHere(r, in, t, 1-(1-n.sp.saved[in*n.nT+t])/(1-p), how)
					settled |= 1 << uint(in)
					stopped = true
				}
			}
			if !settled.Has(l) {
				settled |= 1 << uint(l)
				n.saveHere(r, l, t, p, n.sp.how[at])
			}
			if !stopped && !n.p.Tensors[t].Written {
				r.Computes -= math.Floor(r.Computes * p)
			}
		}
		for l := range n.nL {
			c := &r.Counts[l*n.nT+t]
			if settled.Has(l) || !c.Kept || c.Algorithmic.Updates == 0 {
				continue
			}
			c.Reductions = math.Ceil(c.Reductions * c.Actual.Updates / c.Algorithmic.Updates)
		}
	}
}

// saveHere gates or skips the share p of the reads and updates of a level.
func (n *Nest) saveHere(r *Result, l, t int, p float64, how saving) {
	c := &r.Counts[l*n.nT+t]
	reads := math.Floor(c.Actual.Reads * p)
	if n.p.Tensors[t].Written {
		reads = math.Ceil(c.Actual.Reads * p) // an update reads first
	}
	updates := math.Floor(c.Actual.Updates * p)
	c.Actual.Reads -= reads
	c.Actual.Updates -= updates
	if how == gate {
		c.Gated.Reads, c.Gated.Updates = reads, updates
	} else {
		c.Skipped.Reads, c.Skipped.Updates = reads, updates
	}
	// Of the metadata only those ranks go down that the level below has.
	ranks := len(c.Format)
	if b := n.below(r, l, t); b >= 0 {
		ranks = min(ranks, len(n.format(b, t)))
	}
	for i := len(c.Format) - ranks; i < len(c.Format); i++ {
		f := &c.Format[i]
		read, update := f.Reads.take(p), f.Updates.take(p)
		if how == gate {
			f.GatedReads, f.GatedUpdates = read, update
		} else {
			f.SkippedReads, f.SkippedUpdates = read, update
		}
	}
	if n.p.Tensors[t].Written && c.Algorithmic.Updates > 0 {
		c.Reductions = math.Ceil(c.Reductions * c.Actual.Updates / c.Algorithmic.Updates)
	}
}
