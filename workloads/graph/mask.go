package graph

import "fmt"

// A Mask says which entries a query of attention sees. Queries are the last of the
// entries: query i of q stands at entry n - q + i of n.
type Mask struct {
	// Causal: a query sees the entries up to its own. Without it, it sees all.
	Causal bool
	// Window is how many entries it sees at most, its own the last of them; 0: all.
	// It needs Causal.
	Window int
	// Chunk is the length of the pieces that the entries are cut into: a query sees
	// those of its own piece only; 0: there are none. It needs Causal.
	Chunk int
}

// Check reports what no mask can be over so many queries and entries.
func (m Mask) Check(queries, keys int) error {
	switch {
	case m.Window < 0 || m.Chunk < 0:
		return fmt.Errorf("window %d, chunk %d (want at least 1, or 0 for none)", m.Window, m.Chunk)
	case !m.Causal && (m.Window > 0 || m.Chunk > 0):
		return fmt.Errorf("a window or chunks without a causal mask")
	case m.Causal && keys < queries:
		return fmt.Errorf("a causal mask of %d queries over %d entries (want at least as many)", queries, keys)
	}
	return nil
}

// Range is the entries [from, to) that query i sees.
func (m Mask) Range(i, queries, keys int64) (from, to int64) {
	if !m.Causal {
		return 0, keys
	}
	to = keys - queries + i + 1
	if m.Window > 0 {
		from = max(0, to-int64(m.Window))
	}
	if c := int64(m.Chunk); c > 0 {
		from = max(from, (to-1)/c*c)
	}
	return from, to
}

// Seers is the queries [from, to) of [q0, q1) that see any of the entries [k0, k1).
// They follow each other.
func (m Mask) Seers(q0, q1, k0, k1, queries, keys int64) (from, to int64) {
	if !m.Causal {
		return q0, q1
	}
	first := keys - queries // entry of query 0
	from, to = max(q0, k0-first), q1
	last := k1 - 1 // the entry that is seen longest
	if m.Window > 0 {
		to = min(to, last+int64(m.Window)-first)
	}
	if c := int64(m.Chunk); c > 0 {
		to = min(to, (last/c+1)*c-first)
	}
	return from, max(from, to)
}

// Pairs is the number of queries of [q0, q1) and entries that they see, counted in
// pairs.
func (m Mask) Pairs(q0, q1, queries, keys int64) int64 {
	if !m.Causal {
		return (q1 - q0) * keys
	}
	if m.Window > 0 && m.Chunk > 0 {
		n := int64(0)
		for i := q0; i < q1; i++ {
			from, to := m.Range(i, queries, keys)
			n += to - from
		}
		return n
	}
	first := keys - queries
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
