package systolic

// readTime is the reads of a range of addresses that were answered, and the cycles that they
// took.
type readTime struct{ reads, cycles uint64 }

// A readTimes is those of each range of the map.
type readTimes []readTime

func (l readTimes) note(s *slot, cycle uint64) {
	x := &l[s.home]
	x.reads++
	x.cycles += cycle - s.begun
}

// Reads implements work.ReadTimer.
func (t *Tile) Reads(addr uint64) (n, cycles uint64) {
	r, _, _, ok := t.routes.Map.Find(addr)
	if !ok {
		return 0, 0
	}
	x := &t.loads[t.routes.Place(r)]
	return x.reads, x.cycles
}

// Spreads implements work.Spreader.
func (t *Tile) Spreads() {}

// Spreads implements work.Spreader.
func (a *Analytic) Spreads() {}
