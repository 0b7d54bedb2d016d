package cache

// An answer is due at a cycle; of several, the request that came first is
// answered first.
type answer struct {
	due, order uint64
	request    uint32
}

func (a answer) before(b answer) bool {
	return a.due < b.due || a.due == b.due && a.order < b.order
}

// answers is a binary heap.
type answers []answer

func (h *answers) push(a answer) {
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

func (h *answers) pop() {
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
