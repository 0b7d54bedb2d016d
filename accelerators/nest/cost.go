package nest

import "math"

// A Result is what a mapping costs. Its slices are reused from one evaluation to the
// next.
type Result struct {
	Cycles   float64 // of the slowest level
	Steps    float64 // of compute with no memory in the way
	MACs     float64 // points of the problem
	Computes float64 // of those, how many are done
	Energy   float64 // pJ

	ComputeInstances float64       // in use
	ComputeEnergy    float64       // pJ
	Levels           []LevelResult // outermost first
	Counts           []Counts      // [level*tensors+tensor]
}

// A LevelResult is one level as a whole.
type LevelResult struct {
	Instances float64 // in use
	Cycles    float64 // that it needs for its traffic
	Leakage   float64 // pJ of all instances
	Wires     float64 // pJ of the wires below all instances
	Energy    float64 // pJ of all instances, leakage and wires included
}

// Utilization is the share of the compute units' cycles that do something.
func (n *Nest) Utilization(r *Result) float64 {
	return r.Computes / (r.Cycles * float64(n.a.Compute.Mesh.Count()))
}

// OnChip is the energy of levels but the outermost one, and of all wires.
func (r *Result) OnChip() float64 {
	return r.Energy - r.ComputeEnergy - r.Levels[0].Energy + r.Levels[0].Wires
}

// Of are the counts of a tensor at a level.
func (r *Result) Of(level, tensor int) *Counts {
	return &r.Counts[level*(len(r.Counts)/len(r.Levels))+tensor]
}

// Evaluate fills in what a legal mapping costs. It does not check the mapping and
// allocates only if the Result has not been used before.
func (n *Nest) Evaluate(m *Mapping, r *Result) {
	n.open(m)
	n.evaluate(m, n.sized(r))
}

// sized makes room in a Result that has not been used before.
func (n *Nest) sized(r *Result) *Result {
	if len(r.Counts) != n.nL*n.nT || len(r.Levels) != n.nL {
		r.Counts, r.Levels = make([]Counts, n.nL*n.nT), make([]LevelResult, n.nL)
	}
	return r
}

// evaluate is Evaluate of the mapping that has been opened.
func (n *Nest) evaluate(m *Mapping, r *Result) {
	n.count(m, r)
	r.Computes = r.MACs
	if n.sparse != nil {
		n.zeros(m, r)
		for at := range r.Counts {
			n.addresses(&r.Counts[at], n.p.Tensors[at%n.nT].Written)
		}
	}
	n.cost(r)
}

func (n *Nest) addresses(c *Counts, written bool) {
	if written {
		c.Addresses = c.Actual.Updates + c.Gated.Updates + c.Actual.Fills
	} else {
		c.Addresses = c.Actual.Reads + c.Gated.Reads + c.Actual.Fills
	}
}

// cost adds up cycles and energy.
func (n *Nest) cost(r *Result) {
	r.ComputeInstances = n.used[n.nL]
	if r.Computes != r.MACs || n.sparse != nil {
		r.Steps = math.Ceil(r.Computes / r.ComputeInstances)
	}
	r.Cycles = r.Steps
	for l := range n.nL {
		v := &r.Levels[l]
		*v = LevelResult{Instances: n.used[l], Cycles: n.levelCycles(l, r)}
		r.Cycles = max(r.Cycles, v.Cycles)
	}
	r.ComputeEnergy = r.Computes * n.a.Compute.Energy
	r.Energy = r.ComputeEnergy
	for l := range n.nL {
		v, kept, average := &r.Levels[l], false, 1.0 // what is kept nowhere leaks all the same
		for t := range n.nT {
			c := &r.Counts[l*n.nT+t]
			if !c.Kept {
				continue
			}
			kept, average = true, max(average, c.Average)
			n.energy(l, t, c)
			v.Energy += c.Energy
		}
		if !kept {
			average = n.used[l]
		}
		v.Leakage = n.a.Levels[l].Energy.Leak * r.Cycles * average
		v.Energy += v.Leakage
		r.Energy += v.Energy
	}
	if n.wired {
		r.Energy += n.wires(r)
	}
}

// levelCycles is how long a level takes for its traffic: compute's steps, stretched
// where words per step are more than the bandwidth.
func (n *Nest) levelCycles(l int, r *Result) float64 {
	lv := &n.a.Levels[l]
	if lv.ReadBandwidth == 0 && lv.WriteBandwidth == 0 && lv.SharedBandwidth == 0 {
		return r.Steps
	}
	read, write := 0.0, 0.0
	for t := range n.nT {
		c := &r.Counts[l*n.nT+t]
		if !c.Kept {
			continue
		}
		in, out := c.Actual.Fills+c.Gated.Fills+c.Actual.Updates+c.Gated.Updates, c.Actual.Reads+c.Gated.Reads
		if len(c.Format) > 0 {
			rb, wb := n.formatBits(l, t, c)
			out += math.Floor(rb / float64(lv.WordBits))
			in += math.Floor(wb / float64(lv.WordBits))
		}
		if c.Average != c.Instances && c.Average > 0 {
			out, in = math.Ceil(out/(c.Instances/c.Average)), math.Ceil(in/(c.Instances/c.Average))
		}
		read += out / r.Steps
		write += in / r.Steps
	}
	slow := 1.0
	if b := lv.ReadBandwidth; b > 0 && b < read {
		slow = min(slow, b/read)
	}
	if b := lv.WriteBandwidth; b > 0 && b < write {
		slow = min(slow, b/write)
	}
	if b := lv.SharedBandwidth; b > 0 && b < write+read {
		slow = min(slow, b/(write+read))
	}
	return math.Ceil(r.Steps / slow)
}

// energy is that of one tensor at one level.
func (n *Nest) energy(l, t int, c *Counts) {
	lv := &n.a.Levels[l]
	e, ratio := &lv.Energy, 1.0
	if n.sparse != nil {
		ratio = n.partial(l, t, c)
	}
	vectors := func(words float64) float64 {
		if words == 0 {
			return 0
		}
		return math.Ceil(words/lv.Block) * ratio
	}
	sum := vectors(c.Actual.Reads)*e.Read + vectors(c.Actual.Fills)*e.Write + vectors(c.Actual.Updates)*e.Update
	if n.sparse != nil {
		sum += vectors(c.Gated.Reads)*e.GatedRead + vectors(c.Gated.Fills)*e.GatedWrite + vectors(c.Gated.Updates)*e.GatedUpdate
		sum += c.Decompressed*e.Decompress + c.Compressed*e.Compress
		if len(c.Format) > 0 && lv.Metadata.Width > 0 {
			sum += n.formatEnergy(l, t, c)
		}
	}
	c.EnergyEach, c.Energy, c.Clusters = sum, sum*c.Average, c.Instances
	if lv.Cluster > 1 { // an access is that of a cluster
		clusters := float64(lv.Mesh.Count() / lv.Cluster)
		c.Clusters = min(c.Instances, clusters)
		c.Energy = sum * min(c.Average, clusters)
		c.EnergyEach = c.Energy / c.Average
	}
}

// partial is how many more accesses of a block a compressed tile takes than its words
// fill: blocks that are not full count whole. From a size on that no longer matters.
func (n *Nest) partial(l, t int, c *Counts) float64 {
	lv, mean := &n.a.Levels[l], n.sp.density[l*n.nT+t]
	if !compressed(n.format(l, t)) || lv.Block <= 1 || mean >= 1 || c.Tile == 0 {
		return 1
	}
	cut := max(1, math.Floor(mean/0.1)) * 0.1
	if math.Floor(c.Tile/lv.Block) >= 50*(1-1/lv.Block)/cut {
		return 1
	}
	d := n.p.Tensors[t].Density
	all := d.lot(n.whole[t])
	least, most := d.bounds(c.Tile, all)
	total := 0.0
	for k := max(1, least); k <= most; k++ {
		total += float64(math.Ceil(k/lv.Block) * d.probability(c.Tile, k, all))
	}
	return total / (c.Tile * mean / lv.Block)
}

// formatEnergy is the energy of accesses to metadata.
func (n *Nest) formatEnergy(l, t int, c *Counts) float64 {
	lv := &n.a.Levels[l]
	e := &lv.Energy
	var read, fill, update, gatedRead, gatedUpdate float64
	for i := range c.Format {
		f := &c.Format[i]
		meta, payload := n.itemBits(l, t, i)
		bits := func(u Units) float64 { return u.Metadata*meta + u.Payload*payload }
		read += bits(f.Reads)
		fill += bits(f.Fills)
		update += bits(f.Updates)
		gatedRead += bits(f.GatedReads)
		gatedUpdate += bits(f.GatedUpdates)
	}
	w := float64(lv.Metadata.Width)
	return math.Ceil(read/w)*e.MetaRead + math.Ceil(fill/w)*e.MetaWrite + math.Ceil(update/w)*e.MetaUpdate +
		math.Ceil(gatedRead/w)*e.GatedMetaRead + math.Ceil(gatedUpdate/w)*e.GatedMetaUpdate
}

// itemBits are the bits of an item of metadata and of payload.
func (n *Nest) itemBits(l, t, rank int) (meta, payload float64) {
	r := n.format(l, t)[rank]
	meta, payload = float64(r.MetaBits), float64(r.PayloadBits)
	if r.MetaBits == 0 {
		meta = float64(n.a.Levels[l].Metadata.Bits)
		if r.Format == Bitmask {
			meta = 1
		}
	}
	if r.PayloadBits == 0 {
		payload = float64(n.a.Levels[l].Metadata.Bits)
	}
	return meta, payload
}

// formatBits are the bits of metadata that are read and written, gated ones included.
func (n *Nest) formatBits(l, t int, c *Counts) (read, write float64) {
	if n.a.Levels[l].Metadata.Width == 0 {
		return 0, 0
	}
	for i := range c.Format {
		f := &c.Format[i]
		meta, payload := n.itemBits(l, t, i)
		bits := func(u Units) float64 { return u.Metadata*meta + u.Payload*payload }
		read += bits(f.Reads) + bits(f.GatedReads)
		write += bits(f.Fills) + bits(f.Updates) + bits(f.GatedUpdates)
	}
	return read, write
}

// overflow finds a level whose tiles do not fit: what it has to hold and what it has.
// The mapping need not have been opened.
func (n *Nest) overflow(m *Mapping) (level int, need, have float64) {
	n.open(m)
	return n.tooSmall(m)
}

// tooSmall is overflow of the mapping that has been opened; -1 where all fit.
func (n *Nest) tooSmall(m *Mapping) (level int, need, have float64) {
	for l := n.nL - 1; l >= 0; l-- {
		lv := &n.a.Levels[l]
		if lv.Words == 0 {
			continue
		}
		need, have = n.words(l, m.Levels[l].Keep, n.extMaxAt(l)), math.Floor(lv.Words/lv.Buffering)
		if need > have {
			return l, need, have
		}
	}
	return -1, 0, 0
}

// words is what level l has to hold of the tensors that it keeps, in tiles of such extents.
func (n *Nest) words(l int, keep Mask, ext []float64) (need float64) {
	for t := range n.nT {
		if !keep.Has(t) {
			continue
		}
		words := n.tile(t, ext)
		if compressed(n.format(l, t)) {
			d := n.p.Tensors[t].Density
			_, words = d.bounds(words, d.lot(n.whole[t]))
		}
		need += words
	}
	return need
}
