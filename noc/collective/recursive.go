package collective

import "math/bits"

func init() {
	add("recursive_doubling", "Pairs exchange all they have, at twice the distance each time; ranks beyond a power of two are folded into their neighbours first.",
		"Thakur, Rabenseifner, Gropp, Optimization of collective communication operations in MPICH, IJHPCA 2005, section 4.5", DoublingSpec{Pipeline: one.Pipeline},
		map[Operation]algorithm[DoublingSpec]{AllReduce: doubling})
}

// DoublingSpec says up to which size vectors go whole.
type DoublingSpec struct {
	Pipeline `yaml:",inline"`
	Upto     int64 `yaml:"upto" jsonschema:"minimum=0" doc:"Longer vectors, in bytes, go by halving_doubling, as MPICH has it; 0: none"`
}

// doubling exchanges whole vectors. A rank needs its own sum while the other's comes, so
// that what comes is added when its own has left.
func doubling(c *chunk, s DoublingSpec) error {
	if s.Upto > 0 && c.at.Bytes > s.Upto {
		return c.halving(true, true)
	}
	c.cut(1)
	p := 1 << (bits.Len(uint(c.n)) - 1)
	extra := c.n - p
	first := func(v int) int { return v + min(v, extra) } // as halving has it
	for v := range extra {
		c.send(first(v)+1, first(v), 0, 1, true)
	}
	for far := 1; far < p; far *= 2 {
		// Both sends before both sums: each reads what was there before the round.
		sent := make([]int32, p)
		tags := make([]int32, p)
		for v := range p {
			src, dst := first(v), first(v^far)
			c.deps = c.deps[:0]
			c.reads(src, 0, 1)
			tags[v] = c.b.tag
			c.b.tag++
			sent[v] = c.b.add(src, Op{Kind: Send, Peer: int32(dst), Tag: tags[v], Off: c.cells[0].Off, Bytes: c.cells[0].Bytes, After: c.b.keep(c.deps)})
			c.didRead(src, 0, 1, sent[v])
		}
		for v := range p {
			src, dst := first(v^far), first(v)
			c.deps = c.deps[:0]
			c.writes(dst, 0, 1, true)
			i := c.b.add(dst, Op{Kind: Reduce, Peer: int32(src), Tag: tags[v^far], Off: c.cells[0].Off, Bytes: c.cells[0].Bytes, After: c.b.keep(c.deps)})
			c.didWrite(dst, 0, 1, i, true)
		}
	}
	c.gather()
	for v := range extra {
		c.send(first(v), first(v)+1, 0, 1, false)
	}
	return nil
}
