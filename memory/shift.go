package memory

// Shift moves everything the channel remembers n cycles into the future: the
// state it would be in, had all transfers come n cycles later. Two channels of
// equal state are equal in ==.
func (s *Serializer) Shift(n uint64) {
	if s.per != 0 {
		s.free += n
	}
}
