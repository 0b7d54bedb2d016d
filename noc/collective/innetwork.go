package collective

func init() {
	add("in_network", "Routers add up what their ranks send on its way to a root, which spreads the sum: each rank sends and receives its data once.",
		"Graham et al., Scalable hierarchical aggregation protocol (SHArP), COMHPC 2016, section III; multicast as NVLink SHARP has it", one,
		map[Operation]algorithm[Spec]{AllReduce: func(c *chunk, _ Spec) error { return c.combine() }})
}

// combine gives a chunk to the network. A rank alone has the sum.
func (c *chunk) combine() error {
	c.cut(1)
	at := c.cells[0]
	if c.n == 1 || at.Bytes == 0 {
		return nil
	}
	tag := c.b.tag
	c.b.tag++
	for r := range c.n {
		c.b.add(r, Op{Kind: Combine, Peer: int32(r), Tag: tag, Off: at.Off, Bytes: at.Bytes})
	}
	return nil
}

// A combined is the sums of the network by their tags.
type combined map[int32]struct {
	ranks, last int
	bytes       int64
}

// add adds a rank, and returns an error if it cannot take part.
func (x combined) add(rank int, op *Op) string {
	c, known := x[op.Tag]
	if known && (c.last == rank || c.bytes != op.Bytes) {
		return "its sum is another one elsewhere"
	}
	c.ranks, c.last, c.bytes = c.ranks+1, rank, op.Bytes
	x[op.Tag] = c
	return ""
}
