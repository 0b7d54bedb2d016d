package collective

func init() {
	add("recursive_doubling", "Pairs exchange all they have, at twice the distance each time (order); ranks beyond a power of two are folded into their neighbours first.",
		"Thakur, Rabenseifner, Gropp, Optimization of collective communication operations in MPICH, IJHPCA 2005, section 4.5; order bine: De Sensi et al., Bine trees, SC 2025", DoublingSpec{Pipeline: one.Pipeline, Order: Near},
		map[Operation]algorithm[DoublingSpec]{AllReduce: doubling})
}

// DoublingSpec sets the order of partners.
type DoublingSpec struct {
	Pipeline `yaml:",inline"`
	Order    Order `yaml:"order" jsonschema:"enum=near,enum=far,enum=bine" doc:"Whom a rank meets first: near, its neighbour; far, half of the ranks away; bine, by the distances 1, -1, 3, -5, 11, ..."`
}

// doubling exchanges whole vectors. A rank adds the received sum after its own has left, since it
// needs its own until then.
func doubling(c *chunk, s DoublingSpec) error {
	if err := s.Order.check(); err != nil {
		return err
	}
	c.cut(1)
	f := newFold(c.n)
	p := f.p
	for v := range f.extra {
		c.send(f.actor(v)+1, f.actor(v), 0, 1, true)
	}
	for _, to := range s.Order.pairs(p) {
		// Both sends before both sums: each reads what was there before the round.
		sent := make([]int32, p)
		tags := make([]int32, p)
		for v := range p {
			src, dst := f.actor(v), f.actor(to[v])
			c.deps = c.deps[:0]
			c.reads(src, 0, 1)
			tags[v] = c.b.tag
			c.b.tag++
			sent[v] = c.b.add(src, Op{Kind: Send, Peer: int32(dst), Tag: tags[v], Off: c.cells[0].Off, Bytes: c.cells[0].Bytes, After: c.b.keep(c.deps)})
			c.didRead(src, 0, 1, sent[v])
		}
		for v := range p {
			src, dst := f.actor(to[v]), f.actor(v)
			c.deps = c.deps[:0]
			c.writes(dst, 0, 1, true)
			i := c.b.add(dst, Op{Kind: Reduce, Peer: int32(src), Tag: tags[to[v]], Off: c.cells[0].Off, Bytes: c.cells[0].Bytes, After: c.b.keep(c.deps)})
			c.didWrite(dst, 0, 1, i, true)
		}
	}
	c.gather()
	for v := range f.extra {
		c.send(f.actor(v), f.actor(v)+1, 0, 1, false)
	}
	return nil
}
