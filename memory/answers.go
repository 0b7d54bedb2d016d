package memory

// An Answer is due at a cycle of the responder's clock; of several, the request that
// came first is answered first.
type Answer struct {
	Due, Order uint64 // cycle, and number of the request in order of arrival
	Request    uint32 // where the responder keeps it
}

func (a Answer) before(b Answer) bool {
	return a.Due < b.Due || a.Due == b.Due && a.Order < b.Order
}

// Answers that wait for their time: a binary heap, the first in front.
type Answers []Answer

// Push adds one.
func (h *Answers) Push(a Answer) {
	*h = append(*h, a)
	s := *h
	i := len(s) - 1
	for i > 0 {
		p := (i - 1) / 2
		if !a.before(s[p]) {
			break
		}
		s[i] = s[p]
		i = p
	}
	s[i] = a
}

// Pop takes the first away. There must be one.
func (h *Answers) Pop() {
	s := *h
	n := len(s) - 1
	a := s[n]
	s = s[:n]
	*h = s
	for i := 0; n > 0; {
		k := 2*i + 1
		if k+1 < n && s[k+1].before(s[k]) {
			k++
		}
		if k >= n || !s[k].before(a) {
			s[i] = a
			return
		}
		s[i] = s[k]
		i = k
	}
}
