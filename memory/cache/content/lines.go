package content

import (
	"github.com/sarchlab/akita/v3/mem/mem"

	"github.com/causeway-sim/causeway/memory"
)

// Lines holds the bytes of the lines of a cache.
//
// Requests take effect in the order in which the cache takes them from its port. A write changes its
// lines at once, before its lookup. A read copies its bytes when it is answered; the cache takes no write
// to these bytes before that.
//
// The bytes of a line are kept while the line is in the tags, while a request to it is open, or while a
// fetch of it is outstanding. So a fetch fills only bytes that were not written after it was sent. A
// write-back has the known bytes, and a mask if some are not known.
type Lines struct {
	size   uint64 // of a line
	blocks map[uint64]*lineBytes
	lapsed []uint64               // lines that may not be needed any more
	InUse  func(line uint64) bool // reports that some part of the cache needs a line
}

// A lineBytes has the bytes of one line.
type lineBytes struct {
	data  []byte
	known []bool
	holds int // open requests and fetches under way
}

// of is the block of a line, made if there is none.
func (c *Lines) of(line uint64) *lineBytes {
	b := c.blocks[line]
	if b == nil {
		b = &lineBytes{data: make([]byte, c.size), known: make([]bool, c.size)}
		c.blocks[line] = b
	}
	return b
}

// Each calls do for every line that overlaps the addresses from up to but not including to. at and end are
// the overlap, as offsets in the line.
func (c *Lines) Each(from, to uint64, do func(line, at, end uint64)) {
	for from < to {
		line := from / c.size
		end := min(to, (line+1)*c.size)
		do(line, from-line*c.size, end-line*c.size)
		from = end
	}
}

// Hold keeps the bytes of the lines from..to until Release.
func (c *Lines) Hold(from, to uint64) {
	c.Each(from, max(to, from+1), func(line, _, _ uint64) { c.of(line).holds++ })
}

// Release ends a Hold of the same addresses.
func (c *Lines) Release(from, to uint64) {
	c.Each(from, max(to, from+1), func(line, _, _ uint64) {
		c.blocks[line].holds--
		c.lapsed = append(c.lapsed, line)
	})
}

// Sweep drops the bytes of lines that are not held and not InUse.
func (c *Lines) Sweep() {
	for _, line := range c.lapsed {
		if b := c.blocks[line]; b != nil && b.holds == 0 && !c.InUse(line) {
			delete(c.blocks, line)
		}
	}
	c.lapsed = c.lapsed[:0]
}

// Write stores the bytes of a request that its mask allows.
func (c *Lines) Write(m *mem.WriteReq) {
	for lo, hi := range memory.Dirty(m) {
		c.Each(m.Address+lo, m.Address+hi, func(line, at, end uint64) {
			b := c.of(line)
			copy(b.data[at:end], m.Data[line*c.size+at-m.Address:])
			for i := at; i < end; i++ {
				b.known[i] = true
			}
		})
	}
}

// Fill stores bytes that arrived from below, except those that are known: they are newer.
func (c *Lines) Fill(from uint64, data []byte) {
	c.Each(from, from+uint64(len(data)), func(line, at, end uint64) {
		b := c.of(line)
		for i := at; i < end; i++ {
			if !b.known[i] {
				b.data[i], b.known[i] = data[line*c.size+i-from], true
			}
		}
	})
}

// Read returns a copy of bytes; ok is false while one of them is not known.
func (c *Lines) Read(from, bytes uint64) (out []byte, ok bool) {
	out, known := c.Take(from, from+bytes)
	return out, known == nil
}

// Take returns a copy of the bytes from..to and which of them are known; nil means all.
func (c *Lines) Take(from, to uint64) (data []byte, known []bool) {
	data, known = make([]byte, to-from), make([]bool, to-from)
	all := true
	c.Each(from, to, func(line, at, end uint64) {
		if b := c.blocks[line]; b != nil {
			copy(data[line*c.size+at-from:], b.data[at:end])
			copy(known[line*c.size+at-from:], b.known[at:end])
		}
	})
	for _, k := range known {
		all = all && k
	}
	if all {
		known = nil
	}
	return data, known
}

// New makes an empty Lines for lines of size bytes. inUse reports whether the tags or another part of the
// cache need a line.
func New(size uint64, inUse func(line uint64) bool) *Lines {
	return &Lines{size: size, blocks: map[uint64]*lineBytes{}, InUse: inUse}
}

// Lapse notes lines that the cache may not need any more, for the next Sweep.
func (c *Lines) Lapse(lines ...uint64) { c.lapsed = append(c.lapsed, lines...) }
