package hosts

// signals count the writes and reads of packets by their addresses.
type signals map[uint64]*signal

type signal struct {
	writes uint32 // in all programs
	done   uint32
	reads  uint32 // that have begun
}

// newSignals notes which packets are ever written.
func newSignals(s *Spec, programs []Program) signals {
	out := signals{}
	for _, p := range programs {
		for i := range p.Requests {
			q := &p.Requests[i]
			for off := uint32(0); q.Write && off < q.Size; off += q.cut(off, uint64(s.Packet), s.Cut == Cuts[0]) {
				x := out[q.Addr+uint64(off)]
				if x == nil {
					x = &signal{}
					out[q.Addr+uint64(off)] = x
				}
				x.writes++
			}
		}
	}
	return out
}

// ready reports whether the next read of a packet may begin: n writes are done for the
// n-th read, or all that there are.
func (s signals) ready(key uint64) bool {
	x := s[key]
	return x == nil || x.done >= min(x.reads+1, x.writes)
}

// read notes that a read begins.
func (s signals) read(key uint64) {
	if x := s[key]; x != nil {
		x.reads++
	}
}

// done notes the end of a write.
func (s signals) done(key uint64) {
	if x := s[key]; x != nil {
		x.done++
	}
}
