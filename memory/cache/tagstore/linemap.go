package tagstore

// lineMap finds the way of a line by open addressing, for caches whose sets are
// too large to scan. It never grows: at most half of it is used.
type lineMap struct {
	mask uint64
	line []uint64 // line plus 1; 0 is empty
	way  []uint16
}

func newLineMap(lines int) *lineMap {
	n := 1
	for n < 2*lines {
		n *= 2
	}
	return &lineMap{uint64(n - 1), make([]uint64, n), make([]uint16, n)}
}

// slot is where a line wants to be: Fibonacci hashing, 2^64 over the golden
// ratio (Knuth, The Art of Computer Programming 3, section 6.4).
func (m *lineMap) slot(line uint64) uint64 {
	x := line * 0x9e3779b97f4a7c15
	return (x ^ x>>32) & m.mask
}

func (m *lineMap) get(line uint64) int {
	for i := m.slot(line); m.line[i] != 0; i = (i + 1) & m.mask {
		if m.line[i] == line+1 {
			return int(m.way[i])
		}
	}
	return -1
}

func (m *lineMap) put(line uint64, way int) {
	i := m.slot(line)
	for m.line[i] != 0 {
		i = (i + 1) & m.mask
	}
	m.line[i], m.way[i] = line+1, uint16(way)
}

// remove takes a line out and moves back those that stand after it only
// because of it.
func (m *lineMap) remove(line uint64) {
	i := m.slot(line)
	for m.line[i] != line+1 {
		i = (i + 1) & m.mask
	}
	for j := i; ; {
		j = (j + 1) & m.mask
		if m.line[j] == 0 {
			break
		}
		if want := m.slot(m.line[j] - 1); (j-want)&m.mask >= (j-i)&m.mask {
			m.line[i], m.way[i] = m.line[j], m.way[j]
			i = j
		}
	}
	m.line[i] = 0
}
