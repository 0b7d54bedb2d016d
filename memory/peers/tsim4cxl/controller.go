package tsim4cxl

// pipeline is the lines that share one latency of the controller.
const pipeline = 16

// A controller is shared by all hosts.
type controller struct {
	c     *Comp
	in    [2]fifo
	there thread
	turn  int // 1 a read is passed on, 2 a write
	count [2]uint64
	out   [2]fifo
	back  thread
	mode  int // of the batch on its way
	left  int // of it
}

// toController brings a line that has passed its port.
func (c *Comp) toController(k int, i int32, t int64) {
	c.control.in[k].push(i)
	c.control.there.wake(t, c.period)
}

// pass is the thread towards the memory.
func (x *controller) pass(t int64) int64 {
	c := x.c
	if x.turn > 0 {
		k := x.turn - 1 // reads first
		x.count[k]++
		c.waiting.push(x.in[k].pop())
	}
	for x.turn++; x.turn <= 2; x.turn++ {
		k := x.turn - 1
		if x.in[k].n() > 0 {
			if x.count[k]%pipeline == 0 {
				return c.times.port + c.times.interconnect
			}
			return c.times.link
		}
	}
	x.turn = 0
	if x.in[reads].n()+x.in[writes].n() == 0 {
		return 0
	}
	return c.period
}

// what a batch of answers holds.
const (
	nothing = iota
	onlyReads
	onlyWrites
	mixed
)

// answer is the thread towards the hosts.
func (x *controller) answer(t int64) int64 {
	c := x.c
	r, w := x.out[reads].n(), x.out[writes].n()
	switch x.mode {
	case nothing:
		switch {
		case r == 0 && w == 0:
			return 0
		case w == 0:
			x.mode, x.left = onlyReads, 3+1
		case r == 0:
			x.mode, x.left = onlyWrites, 2+1
		default:
			x.mode, x.left = mixed, 1+1
		}
		return c.times.port + c.times.interconnect + c.times.link
	case onlyReads:
		x.send(reads, t)
		if x.left--; x.left > 0 && x.out[reads].n() > 0 {
			return c.period
		}
	case onlyWrites:
		x.send(writes, t)
		if x.left--; x.left > 0 && x.out[writes].n() > 0 {
			return c.period
		}
	case mixed:
		if x.left--; x.left > 0 {
			for range min(2, w) {
				c.toPort(writes, x.out[writes].pop(), t)
			}
			return c.period
		}
		c.toPort(reads, x.out[reads].pop(), t)
	}
	x.mode = nothing
	return c.period
}

// send passes an answer on, but for the first step of a batch, which only ends the
// latency.
func (x *controller) send(k int, t int64) {
	if full := [2]int{3 + 1, 2 + 1}[k]; x.left < full {
		x.c.toPort(k, x.out[k].pop(), t)
	}
}

// toPort brings an answer to the port of its host.
func (c *Comp) toPort(k int, i int32, t int64) {
	p := &c.ports[c.lines[i].port]
	p.out[k].push(i)
	c.free(i)
	p.back.wake(t, c.period)
}
