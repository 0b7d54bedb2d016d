package gemmini

// A shared is the cache that the two DMA engines share. Lines are replaced at random and written back.
// Requests to one set follow each other.
type shared struct {
	spec   Memory
	tags   tags
	misses flights
	sets   []int64 // cycle until which a request holds the set
	below  *below

	hits, missed, written int64
}

func newShared(m *Machine) *shared {
	s := &shared{spec: m.Memory, below: newBelow(&m.Memory)}
	s.tags = newTags(s.spec.Bytes, s.spec.Ways, s.spec.Line)
	s.sets = make([]int64, s.tags.sets)
	return s
}

// access is the cycle in which the answer begins to leave the cache.
func (s *shared) access(now, addr int64, bytes int, write bool) int64 {
	line := addr / int64(s.spec.Line)
	set := &s.sets[s.tags.set(line)]
	start := max(now, *set)
	if s.tags.touch(line, write) {
		s.hits++
		*set = start + int64(s.spec.SameSet)
		return start + int64(s.spec.Hit)
	}
	s.missed++
	start = s.misses.begin(start, s.spec.Misses)
	if victim, dirty := s.tags.fill(line, write); dirty {
		s.written++
		s.below.write(start, victim)
	}
	if write && bytes == s.spec.Line { // nothing of the line is kept
		*set = start + int64(s.spec.SameSet)
		return start + int64(s.spec.Hit)
	}
	come := s.below.read(start+int64(s.spec.Hit)/2, line) + int64(s.spec.Hit)/2
	s.misses.add(come, line)
	*set = come
	return come
}

// warm leaves the caches as they are once some bytes were read or written.
func (s *shared) warm(addr, bytes int64, write bool) {
	for line := addr / int64(s.spec.Line); line <= (addr+bytes-1)/int64(s.spec.Line); line++ {
		if s.tags.touch(line, write) {
			continue
		}
		if victim, dirty := s.tags.fill(line, write); dirty {
			s.below.warm(victim, true)
		}
		s.below.warm(line, false)
	}
}

// rest forgets what is on its way: a new run begins at cycle 0.
func (s *shared) rest() {
	clear(s.sets)
	s.misses = s.misses[:0]
	b := s.below
	b.misses, b.free, b.dram = b.misses[:0], 0, 0
}

// A below is the last level cache of the memory model and its DRAM: one state machine that does
// one thing after another.
type below struct {
	spec   Memory
	tags   tags
	misses flights
	free   int64
	dram   int64
	ratio  int64 // lines of the cache above in a block
}

func newBelow(m *Memory) *below {
	return &below{spec: *m, tags: newTags(m.Below.Bytes, m.Below.Ways, m.Below.Block), ratio: int64(m.Below.Block / m.Line)}
}

// read is the cycle in which a line has come.
func (b *below) read(now, line int64) int64 { return b.access(now, line, false) }

func (b *below) write(now, line int64) { b.access(now, line, true) }

func (b *below) access(now, line int64, write bool) int64 {
	block := line / b.ratio
	t := b.misses.after(max(now, b.free), int64(b.tags.set(block)))
	move := int64(b.spec.Line / b.spec.Bus)
	if b.tags.touch(block, write) {
		b.free = t + 2 + move
		return b.free
	}
	t = b.misses.begin(t, b.spec.Below.Misses)
	whole := move * b.ratio
	b.free = t + 2
	if write {
		b.free += move
	}
	_, dirty := b.tags.fill(block, write)
	if dirty {
		b.free += whole
		b.dram = max(b.dram, b.free) + int64(b.spec.Below.Burst)
	}
	b.dram = max(b.dram, b.free) + int64(b.spec.Below.Burst)
	come := b.dram + int64(b.spec.Below.Latency) + whole
	b.free += whole // the refill, whenever it comes
	until := come
	if dirty {
		until = max(until, b.dram+int64(b.spec.Below.Latency))
	}
	b.misses.add(until, int64(b.tags.set(block)))
	return come
}

func (b *below) warm(line int64, write bool) {
	if block := line / b.ratio; !b.tags.touch(block, write) {
		b.tags.fill(block, write)
	}
}
