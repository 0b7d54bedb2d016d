package content

import (
	"github.com/sarchlab/akita/v3/mem/mem"

	"github.com/causeway-sim/causeway/memory"
)

// Lines is the bytes of the lines of a cache.
//
// Requests take effect in the order in which they are taken from the port: a write
// changes its lines at once, whenever its lookup comes. A block of a line lives while
// the line is in the tags, a request to it is open or a fetch of it is under way; so
// what a fetch brings fills only bytes that nothing has written since it was asked
// for. A read copies its bytes when it is answered, and until then no write to them is
// taken. What is written below is what is known, with a mask where that is not all.
type Lines struct {
	size   uint64 // of a line
	blocks map[uint64]*lineBytes
	lapsed []uint64               // lines that may not be needed any more
	InUse  func(line uint64) bool // reports that some part of the cache needs a line
}

// A lineBytes is the bytes of one line.
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

// Each calls do for every line of the bytes from..to, with the part of it in them.
func (c *Lines) Each(from, to uint64, do func(line, at, end uint64)) {
	for from < to {
		line := from / c.size
		end := min(to, (line+1)*c.size)
		do(line, from-line*c.size, end-line*c.size)
		from = end
	}
}

// Hold keeps the blocks of some bytes.
func (c *Lines) Hold(from, to uint64) {
	c.Each(from, max(to, from+1), func(line, _, _ uint64) { c.of(line).holds++ })
}

// Release ends a hold.
func (c *Lines) Release(from, to uint64) {
	c.Each(from, max(to, from+1), func(line, _, _ uint64) {
		c.blocks[line].holds--
		c.lapsed = append(c.lapsed, line)
	})
}

// Sweep drops the blocks that nothing needs any more.
func (c *Lines) Sweep() {
	for _, line := range c.lapsed {
		if b := c.blocks[line]; b != nil && b.holds == 0 && !c.InUse(line) {
			delete(c.blocks, line)
		}
	}
	c.lapsed = c.lapsed[:0]
}

// Write lets a request change its bytes.
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

// Fill takes what came from below. Bytes that are known are newer.
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

// Read copies bytes; ok is false while one of them is under way.
func (c *Lines) Read(from, bytes uint64) (out []byte, ok bool) {
	out, known := c.Take(from, from+bytes)
	return out, known == nil
}

// Take copies bytes, and says which are known: nil is all.
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

// New holds nothing yet, for lines of so many bytes.
func New(size uint64, inUse func(line uint64) bool) *Lines {
	return &Lines{size: size, blocks: map[uint64]*lineBytes{}, InUse: inUse}
}

// Lapse notes lines that may not be needed any more.
func (c *Lines) Lapse(lines ...uint64) { c.lapsed = append(c.lapsed, lines...) }
