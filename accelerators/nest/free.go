package nest

// A Place is where factors of one dimension may go: the loops of a level in time, or those
// over its instances.
type Place struct {
	Level   int
	Spatial bool
	Most    int64 // of the factor; 0: no limit
	Axis    Axis  // of spatial loops; Time is either one
}

// Places are where the factors of dimension d may go that constraints leave open.
func (s *Space) Places(d int) (out []Place) {
	for _, x := range s.slots[d] {
		out = append(out, Place{x.level, x.spatial, x.most, x.axis})
	}
	return out
}

// Primes are the prime factors of dimension d that are to be placed, largest first.
func (s *Space) Primes(d int) []int64 { return s.primes[d] }

// Fixed is a mapping with the fixed factors, all orders of loops that are fixed, and every
// tensor that may be kept. It may be copied and must not be changed.
func (s *Space) Fixed() *Mapping { return s.fixed }

// Begin is the first of the temporal loops of level l whose order is free, innermost first.
func (s *Space) Begin(l int) int { return s.begin[l] }

// FreeTensors are the tensors that level l may keep or not.
func (s *Space) FreeTensors(l int) (m Mask) {
	for _, x := range s.free {
		if x.level == l {
			m |= 1 << uint(x.tensor)
		}
	}
	return m
}

// Nest is what the mappings are of.
func (s *Space) Nest() *Nest { return s.n }

// Objective is what costs are.
func (s *Space) Objective() string { return Objectives[s.objective] }

// Rules are those that halos follow.
func (n *Nest) Rules() Rules { return n.rules }
