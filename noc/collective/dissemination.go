package collective

func init() {
	add("dissemination", "In each round a rank hears of twice as many others: its message goes 1, 2, 4, ... ranks on.",
		"Hensgen, Finkel, Manber, Two algorithms for barrier synchronization, IJPP 17(1), 1988", one,
		map[Operation]algorithm[Spec]{Barrier: func(c *chunk, _ Spec) error { return c.disseminate() }})
}

func (c *chunk) disseminate() error {
	last := make([][]int32, c.n) // what a rank has heard in the round before
	for far := 1; far < c.n; far *= 2 {
		heard := make([][]int32, c.n)
		for i := range c.n {
			to := (i + far) % c.n
			_, got := c.b.message(i, to, Range{}, Recv, last[i], last[to])
			heard[to] = []int32{got}
		}
		last = heard
	}
	return nil
}
