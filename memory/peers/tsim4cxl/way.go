package tsim4cxl

// lanes of a queue: reads and writes.
const (
	reads = iota
	writes
)

// packetLines is the lines of a packet, 1 KiB.
const packetLines = 16

// A port is a host's upstream port and what the host has in front of it.
type port struct {
	c     *Comp
	index int32
	// there
	from    [2]fifo // lines at the host
	host    thread  // passes one read and one write a clock
	in      [2]fifo // at the port
	there   thread
	pending int32 // write whose data are in the next flit
	flits   [2]uint64
	slot    int // of five flits of writes
	phase   int
	// back
	out  [2]fifo
	back thread
	turn int       // of the way back: 1 a write is passed on, 2 a read
	acks [2]uint64 // passed by the port
	asks [2]fifo   // requests, the oldest first
}

// give passes one read and one write to the port, every clock.
func (p *port) give(t int64) int64 {
	moved := false
	for k := range p.from {
		if p.from[k].n() > 0 {
			p.in[k].push(p.from[k].pop())
			moved = true
		}
	}
	if !moved {
		return 0
	}
	p.there.wake(t, p.c.period)
	return p.c.period
}

// phases of the way there: each is what happens once a wait is over.
const (
	look      = iota // look for writes
	sendWrite        // a flit with the pending write has passed
	firstFlit        // the flit with the first header of five has passed
	lookRead         // look for reads
	sendReads        // a flit with two reads has passed
)

// pack is the thread of the port towards the controller.
func (p *port) pack(t int64) int64 {
	c := p.c
	for {
		switch p.phase {
		case look:
			p.phase = lookRead
			if p.slot == 4 || p.in[writes].n() > 0 && p.slot > 0 {
				p.phase = sendWrite
				return c.period
			}
			if p.in[writes].n() > 0 {
				p.phase = firstFlit
				if p.flits[writes]%20 == 0 {
					return c.times.port + c.times.link
				}
				return c.period
			}
		case sendWrite:
			p.flits[writes]++
			c.toController(writes, p.pending, t)
			if p.slot == 4 {
				p.slot = 0
			} else {
				p.hold()
			}
			p.phase = lookRead
		case firstFlit:
			p.flits[writes]++
			p.hold()
			p.phase = lookRead
		case lookRead:
			if p.in[reads].n() >= 2 {
				p.phase = sendReads
				if p.flits[reads]%(packetLines/2) == 0 {
					return c.times.port + c.times.link
				}
				return c.period
			}
			p.phase = look
			if p.slot < 4 && p.in[writes].n() == 0 && p.in[reads].n() < 2 {
				return 0
			}
			return c.period
		case sendReads:
			p.flits[reads]++
			for range 2 {
				c.toController(reads, p.in[reads].pop(), t)
			}
			p.phase = look
			return c.period
		}
	}
}

// hold takes the next write's header; its data follow in the next flit.
func (p *port) hold() {
	p.pending = p.in[writes].pop()
	p.slot++
}

// unpack is the thread of the port towards the host.
func (p *port) unpack(t int64) int64 {
	c := p.c
	if p.turn > 0 {
		k := 2 - p.turn // writes first
		p.out[k].pop()
		p.acks[k]++
		c.answered(p, k, t)
	}
	for p.turn++; p.turn <= 2; p.turn++ {
		k := 2 - p.turn
		if p.out[k].n() > 0 {
			if p.acks[k]%8 == 0 {
				return c.times.port
			}
			return c.times.link
		}
	}
	p.turn = 0
	if p.out[reads].n()+p.out[writes].n() == 0 {
		return 0
	}
	return c.period
}
