package collective

import "slices"

// A builder turns messages in program order into a schedule. Algorithms read as
// if one message went after the other; the dependencies follow from which
// operation of a rank reads and writes which cell of its buffer, so nothing is
// ordered that need not be.
type builder struct {
	s   *Schedule
	r   Request
	tag int32

	arena []int32

	fill func(bytes int64) int64 // of a chunk of an all-reduce; nil: as it is

	at      int32 // step of the sends that follow
	stepped bool  // the algorithm says steps

	alone bool // only operations of rank 0 are wanted; see Turning

	apart, gathering, divided bool
	later                     [][]bool // by rank and operation, if apart: it spreads sums
}

func newBuilder(name string, r Request) *builder {
	s := &Schedule{Name: name, Operation: r.Operation, Element: r.Element, Ops: make([][]Op, r.Ranks)}
	switch r.Operation {
	case Broadcast, ReduceTo, Gather, Scatter:
		s.Root = r.Root
	}
	return &builder{s: s, r: r}
}

// chunks cuts the working buffer and writes chunk after chunk.
func (b *builder) chunks(p Pipeline, write func(*chunk) error) error {
	n, e := int64(b.r.Ranks), b.r.Element
	if b.apart = p.Apart; b.apart {
		b.later = make([][]bool, b.r.Ranks)
	}
	var off int64
	for _, part := range split(0, b.r.Bytes, e, p.Chunks) {
		bytes := part.Bytes
		if b.fill != nil {
			bytes = b.fill(bytes)
		}
		switch b.r.Operation { // blocks are equal, so the last element is filled up
		case AllGather, Gather, Scatter:
			bytes = (bytes + e - 1) / e * e * n
		case AllToAll:
			bytes = (bytes + n*e - 1) / (n * e) * e * n * 2
		}
		b.s.Chunks = append(b.s.Chunks, Range{off, bytes})
		off += bytes
	}
	b.s.Buffer, b.s.Scratch = off, int64(p.Scratch*float64(b.r.Bytes))
	// first[k] and the operations from there on are those of chunk k.
	var first [][]int32
	for k, at := range b.s.Chunks {
		marks := make([]int32, b.r.Ranks)
		for r, ops := range b.s.Ops {
			marks[r] = int32(len(ops))
		}
		first = append(first, marks)
		c := &chunk{b: b, at: at, n: b.r.Ranks, root: b.r.Root, index: k, stride: 1}
		b.gathering, b.at = false, 0
		if err := write(c); err != nil {
			return err
		}
		if p.Active > 0 && k >= p.Active {
			b.follow(first[k-p.Active], first[k-p.Active+1], first[k])
		}
	}
	if b.s.Steps = StepsFree; p.stepped() {
		if !b.stepped && b.r.Ranks > 1 {
			return errSteps
		}
		b.s.Steps = p.Steps
	}
	if b.apart {
		if !b.divided {
			return errApart
		}
		b.gatherSteps()
		b.part()
	}
	if p.Blocking {
		b.inTurn()
	}
	return nil
}

// inTurn lets each send of a rank wait for the one before it.
func (b *builder) inTurn() {
	for r := range b.s.Ops {
		last := int32(-1)
		for i := range b.s.Ops[r] {
			if op := &b.s.Ops[r][i]; op.Kind == Send {
				if last >= 0 {
					op.After = b.keep(append(slices.Clone(op.After), last))
				}
				last = int32(i)
			}
		}
	}
}

// follow makes the operations of each rank from start[r] on, as far as they wait
// for nothing, wait for those of an earlier chunk that nothing of it waits for.
func (b *builder) follow(lo, hi, start []int32) {
	for r, ops := range b.s.Ops {
		var last []int32
		waited := make([]bool, hi[r]-lo[r])
		for i := lo[r]; i < hi[r]; i++ {
			for _, a := range ops[i].After {
				if a >= lo[r] {
					waited[a-lo[r]] = true
				}
			}
		}
		for i := lo[r]; i < hi[r]; i++ {
			if !waited[i-lo[r]] {
				last = append(last, i)
			}
		}
		for i := int(start[r]); i < len(ops); i++ {
			if len(ops[i].After) == 0 {
				ops[i].After = last
			}
		}
	}
}

// keep copies dependencies, sorted and without repetition, to where they stay.
func (b *builder) keep(after []int32) []int32 {
	if len(after) == 0 {
		return nil
	}
	slices.Sort(after)
	after = slices.Compact(after)
	if len(b.arena)+len(after) > cap(b.arena) {
		b.arena = make([]int32, 0, max(1<<12, len(after)))
	}
	n := len(b.arena)
	b.arena = append(b.arena, after...)
	return b.arena[n:len(b.arena):len(b.arena)]
}

// add appends an operation to a rank and returns its index.
func (b *builder) add(rank int, op Op) int32 {
	if op.Kind == Send {
		op.Step = b.at
	}
	b.s.Ops[rank] = append(b.s.Ops[rank], op)
	if b.apart {
		b.later[rank] = append(b.later[rank], b.gathering)
	}
	return int32(len(b.s.Ops[rank]) - 1)
}

// A chunk writes one collective over a part of the buffer.
type chunk struct {
	b       *builder
	at      Range // of the working buffer
	n, root int   // ranks
	index   int   // among the chunks
	stride  int   // steps between the begins of chunks
	phased  bool  // what walks along lines says its steps
	begin   int   // step with which they begin
	detour  bool  // of ring_2d
	cells   []Range
	state   []buffer // by rank
	deps    []int32
}

// A cell is the smallest range that an algorithm names.
type cell struct {
	written []int32 // what a reader waits for: the last overwrite, or the sums since the last read
	base    []int32 // what a sum waits for: the reads and the overwrite before it
	read    []int32 // reads since the last write
}

// cut splits the chunk into k cells of nearly equal size. It is called once,
// before anything else.
func (c *chunk) cut(k int) { c.use(split(c.at.Off, c.at.Bytes, c.b.r.Element, k)) }

// use gives the cells one by one; they follow each other in the buffer.
func (c *chunk) use(cells []Range) {
	c.cells = cells
	c.state = make([]buffer, c.n)
	for i := range c.state {
		c.state[i] = newBuffer(len(cells))
		if c.b.alone {
			break
		}
	}
}

// spare adds a cell of scratch as large as cell i and returns its number. It is
// the same range of the working buffer in all ranks.
func (c *chunk) spare(i int) int {
	c.cells = append(c.cells, Range{c.b.s.Buffer, c.cells[i].Bytes})
	c.b.s.Buffer += c.cells[i].Bytes
	for r := range c.state {
		c.state[r].extend()
	}
	return len(c.cells) - 1
}

func (c *chunk) span(lo, hi int) Range {
	if lo >= hi {
		return Range{}
	}
	return Range{c.cells[lo].Off, c.cells[hi-1].End() - c.cells[lo].Off}
}

// send moves cells lo to hi-1 from one rank to the same place in another; there
// they are added if sum is set. It does nothing where there are no bytes. The
// results are the indices of the two operations, -1 for none.
func (c *chunk) send(src, dst, lo, hi int, sum bool) (sent, received int32) {
	return c.move(src, dst, lo, lo, hi-lo, sum, nil)
}

// move sends n cells from cell from on to cell to on. The send waits for after,
// too: operations of src.
func (c *chunk) move(src, dst, from, to, n int, sum bool, after []int32) (sent, received int32) {
	out, in := c.span(from, from+n), c.span(to, to+n)
	if out.Bytes != in.Bytes {
		panic("collective: cells of different size")
	}
	if out.Bytes == 0 {
		return -1, -1
	}
	kind := Recv
	if sum {
		kind = Reduce
	}
	b := c.b
	tag := b.tag
	b.tag++
	if sent = -1; !b.alone || src == 0 {
		c.deps = append(c.deps[:0], after...)
		c.reads(src, from, from+n)
		sent = b.add(src, Op{Kind: Send, Peer: int32(dst), Tag: tag, Off: out.Off, Bytes: out.Bytes, After: b.keep(c.deps)})
		c.didRead(src, from, from+n, sent)
	}
	if b.alone && dst != 0 {
		return sent, -1
	}
	c.deps = c.deps[:0]
	c.writes(dst, to, to+n, sum)
	received = b.add(dst, Op{Kind: kind, Peer: int32(src), Tag: tag, Off: in.Off, Bytes: in.Bytes, After: b.keep(c.deps)})
	c.didWrite(dst, to, to+n, received, sum)
	return sent, received
}

// copy copies n cells within a rank.
func (c *chunk) copy(rank, from, to, n int) {
	out, in := c.span(from, from+n), c.span(to, to+n)
	if out.Bytes == 0 || c.b.alone && rank != 0 {
		return
	}
	c.deps = c.deps[:0]
	c.reads(rank, from, from+n)
	c.writes(rank, to, to+n, false)
	i := c.b.add(rank, Op{Kind: Copy, Off: in.Off, Bytes: in.Bytes, From: out.Off, After: c.b.keep(c.deps)})
	c.didRead(rank, from, from+n, i)
	c.didWrite(rank, to, to+n, i, false)
}

func (c *chunk) reads(rank, lo, hi int) {
	c.state[rank].each(lo, hi, func(s *cell) { c.deps = append(c.deps, s.written...) })
}

func (c *chunk) didRead(rank, lo, hi int, op int32) {
	c.state[rank].each(lo, hi, func(s *cell) { s.read = append(s.read, op) })
}

func (c *chunk) writes(rank, lo, hi int, sum bool) {
	c.state[rank].each(lo, hi, func(s *cell) {
		if sum && len(s.read) == 0 {
			c.deps = append(c.deps, s.base...)
			return
		}
		c.deps = append(append(c.deps, s.read...), s.written...)
	})
}

func (c *chunk) didWrite(rank, lo, hi int, op int32, sum bool) {
	c.state[rank].each(lo, hi, func(s *cell) {
		switch {
		case !sum:
			s.written, s.base = []int32{op}, []int32{op}
		case len(s.read) > 0:
			s.base = append(slices.Clone(s.read), s.written...)
			s.written = []int32{op}
		default:
			s.written = append(s.written, op)
		}
		s.read = s.read[:0]
	})
}

// halves cuts a chunk of an all-to-all: cells 0 to n-1 are sent, n to 2n-1
// received.
func (c *chunk) halves() {
	half := c.at.Bytes / 2
	cells := split(c.at.Off, half, c.b.r.Element, c.n)
	c.use(append(cells, split(c.at.Off+half, half, c.b.r.Element, c.n)...))
}

// message adds a send and what receives it, with the operations that each of
// them waits for.
func (b *builder) message(src, dst int, part Range, kind Kind, before, after []int32) (sent, received int32) {
	tag := b.tag
	b.tag++
	sent = b.add(src, Op{Kind: Send, Peer: int32(dst), Tag: tag, Off: part.Off, Bytes: part.Bytes, After: b.keep(before)})
	received = b.add(dst, Op{Kind: kind, Peer: int32(src), Tag: tag, Off: part.Off, Bytes: part.Bytes, After: b.keep(after)})
	return sent, received
}
