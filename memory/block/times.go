package block

// Times are the cycles in which a component acts, each once, the first at the end. They suit
// small numbers.
type Times []uint64 // the first last

// First returns the first cycle, or Never.
func (t Times) First() uint64 {
	if len(t) == 0 {
		return Never
	}
	return t[len(t)-1]
}

// Add inserts a cycle unless it is present, and reports whether it is now the first.
func (t *Times) Add(cycle uint64) (first bool) {
	s := *t
	i := len(s)
	for i > 0 && s[i-1] <= cycle {
		if i--; s[i] == cycle {
			return false
		}
	}
	s = append(s, cycle)
	for k := len(s) - 1; k > i; k-- {
		s[k] = s[k-1]
	}
	s[i] = cycle
	*t = s
	return i == len(s)-1
}

// Pop removes the first cycle; there must be one.
func (t *Times) Pop() uint64 {
	s := *t
	n := len(s) - 1
	cycle := s[n]
	*t = s[:n]
	return cycle
}
