package memory

// Shift changes the state to that of a channel whose transfers all came n cycles later. Channels
// of equal state are equal by ==.
func (s *Serializer) Shift(n uint64) {
	if s.per != 0 {
		s.free += n
	}
}
