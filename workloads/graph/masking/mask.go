package masking

import "fmt"

// A Mask says which entries a query of attention sees. The queries are the last entries: query i
// of q is entry n - q + i of n.
type Mask struct {
	// Causal: a query sees the entries up to its own; otherwise it sees all entries.
	Causal bool
	// Window is the greatest number of entries that a query sees, its own the last; 0: all. It
	// needs Causal.
	Window int
	// Chunk is the length of chunks of entries: a query sees only entries of its own chunk; 0: no
	// chunks. It needs Causal.
	Chunk int
	// Every is the distance of the entries that a rank has if ranks divide the keys: key k is
	// entry First + k*Every of Of. 0: all entries are present, and Of is the number of keys. It
	// needs Causal.
	Every, First, Of int
}

// Check returns an error for a mask that is impossible for these numbers of queries and keys.
func (m Mask) Check(queries, keys int) error {
	switch {
	case m.Window < 0 || m.Chunk < 0:
		return fmt.Errorf("window %d, chunk %d (want at least 1, or 0 for none)", m.Window, m.Chunk)
	case !m.Causal && (m.Window > 0 || m.Chunk > 0 || m.Every > 0):
		return fmt.Errorf("a window, chunks or steps without a causal mask")
	case m.Every < 0 || m.Every == 0 && (m.First != 0 || m.Of != 0):
		return fmt.Errorf("entry %d and every %d of %d", m.First, m.Every, m.Of)
	case m.Every > 0 && (m.First < 0 || m.First >= m.Every || m.before(int64(m.Of)) != int64(keys)):
		return fmt.Errorf("%d keys of %d entries, of which every %d from %d on is there", keys, m.Of, m.Every, m.First)
	case m.Causal && m.entries(int64(keys)) < int64(queries):
		return fmt.Errorf("a causal mask of %d queries over %d entries (want at least as many)", queries, m.entries(int64(keys)))
	}
	return nil
}

// entries are those that the keys are all or some of.
func (m Mask) entries(keys int64) int64 {
	if m.Every > 0 {
		return int64(m.Of)
	}
	return keys
}

// before is how many keys are of entries before entry p.
func (m Mask) before(p int64) int64 {
	if m.Every == 0 {
		return p
	}
	if p -= int64(m.First); p <= 0 {
		return 0
	}
	return (p + int64(m.Every) - 1) / int64(m.Every)
}

// at is the entry of key k.
func (m Mask) at(k int64) int64 {
	if m.Every == 0 {
		return k
	}
	return int64(m.First) + k*int64(m.Every)
}

// Range returns the keys [from, to) that query i sees.
func (m Mask) Range(i, queries, keys int64) (from, to int64) {
	if !m.Causal {
		return 0, keys
	}
	to = m.entries(keys) - queries + i + 1
	if m.Window > 0 {
		from = max(0, to-int64(m.Window))
	}
	if c := int64(m.Chunk); c > 0 {
		from = max(from, (to-1)/c*c)
	}
	return m.before(from), m.before(to)
}

// Seers returns the range [from, to) of [q0, q1) from the first to the last query that sees a key
// of [k0, k1). All queries of the range see one, except those with no key in their window or
// chunk.
func (m Mask) Seers(q0, q1, k0, k1, queries, keys int64) (from, to int64) {
	if !m.Causal {
		return q0, q1
	}
	first := m.entries(keys) - queries // entry of query 0
	from, to = max(q0, m.at(k0)-first), q1
	last := m.at(k1 - 1) // the entry that is seen longest
	if m.Window > 0 {
		to = min(to, last+int64(m.Window)-first)
	}
	if c := int64(m.Chunk); c > 0 {
		to = min(to, (last/c+1)*c-first)
	}
	return from, max(from, to)
}

// Pairs returns the number of pairs of a query of [q0, q1) and a key that it sees.
func (m Mask) Pairs(q0, q1, queries, keys int64) int64 {
	if !m.Causal {
		return (q1 - q0) * keys
	}
	if m.Chunk > 0 && (m.Window > 0 || m.Every > 0) {
		n := int64(0)
		for i := q0; i < q1; i++ {
			from, to := m.Range(i, queries, keys)
			n += to - from
		}
		return n
	}
	first := m.entries(keys) - queries
	if m.Every > 0 {
		return m.some(first+q1) - m.some(first+q0)
	}
	return m.upTo(first+q1) - m.upTo(first+q0)
}

// upTo is the number of pairs of the queries at entries [0, p).
func (m Mask) upTo(p int64) int64 {
	triangle := func(n int64) int64 { return n * (n + 1) / 2 }
	switch w, c := int64(m.Window), int64(m.Chunk); {
	case w > 0 && p > w:
		return triangle(w) + (p-w)*w
	case c > 0:
		return p/c*triangle(c) + triangle(p%c)
	}
	return triangle(p)
}

// some is upTo where every so many entries are there: query p sees the keys before entry p+1,
// less those before its window.
func (m Mask) some(p int64) int64 {
	sum := func(p int64) int64 { // of the keys before entries 1 to p
		if p -= int64(m.First); p <= 0 {
			return 0
		}
		e := int64(m.Every)
		a, b := p/e, p%e
		return e*a*(a+1)/2 + b*(a+1)
	}
	if w := int64(m.Window); w > 0 && p > w {
		return sum(p) - sum(p-w)
	}
	return sum(p)
}
