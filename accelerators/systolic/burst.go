package systolic

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping"
	"github.com/causeway-sim/causeway/memory"
)

// A burst is one memory request: contiguous bytes with one home.
type burst struct {
	addr   uint64
	size   uint64
	target int32 // index into routes.ports
	home   int32 // range that the address is in
}

// routes numbers the ports that an address map leads to, so that per-target
// state lives in slices.
type routes struct {
	m       *memory.Map
	targets []target
	index   map[*memory.Range][]int32 // by port of the range
	order   map[*memory.Range]int32
}

// A target is one port that requests go to, and what is known of the way.
type target struct {
	port sim.Port
	path memory.Path
}

// newRoutes numbers the targets of m in the order of addresses. A port that is
// home to several ranges is one target.
func newRoutes(m *memory.Map) *routes {
	r := &routes{m: m, index: map[*memory.Range][]int32{}, order: map[*memory.Range]int32{}}
	ranges := m.Ranges()
	for i := range ranges {
		rg := &ranges[i]
		ids := make([]int32, len(rg.Ports))
		for j, p := range rg.Ports {
			ids[j] = -1
			for k := range r.targets {
				if r.targets[k].port == p {
					ids[j] = int32(k)
				}
			}
			if ids[j] < 0 {
				ids[j] = int32(len(r.targets))
				r.targets = append(r.targets, target{p, rg.Paths[j]})
			}
		}
		r.index[rg], r.order[rg] = ids, int32(i)
	}
	return r
}

// A cutter cuts a transfer into bursts. Rows that touch are one run; a run is
// cut where its address is a multiple of align and where its home changes. The
// bursts of a transfer come in the order of their addresses within a row, rows
// in order.
type cutter struct {
	routes *routes
	align  uint64 // the burst size, a power of two not required

	t          mapping.Transfer // runs that touch merged
	plane, row uint64           // where the current plane and the next row start
	rows       int64            // of the current plane, still to start
	planes     int64            // still to start, the current one included
	turn       uint64           // rows after which their alignment comes back
	addr, left uint64           // what is left of the current run

	homeEnd uint64 // the home of [.., homeEnd) is known to be target
	homeLo  uint64
	target  int32
	place   int32 // range of the home

	spread *memory.Spread // where the tensor lies in pieces: addresses are offsets into it
	piece  int
}

// over is start for a tensor in pieces.
func (c *cutter) over(t *mapping.Transfer, s *memory.Spread) {
	c.start(t, 0)
	c.spread, c.piece = s, 0
}

// start begins with t, whose tensor lies at base.
func (c *cutter) start(t *mapping.Transfer, base uint64) {
	c.t = t.Contiguous()
	c.spread = nil
	c.plane = base + uint64(t.Offset)
	c.row, c.rows, c.planes, c.left = c.plane, c.t.Rows, c.t.Planes, 0
	if t.Bytes() <= 0 {
		c.rows, c.planes = 0, 0
	}
	c.turn = 1
	if c.rows > 1 {
		c.turn = c.align / gcd(c.align, uint64(c.t.Stride))
	}
}

// begin is start, or over where the tensor is in pieces.
func (c *cutter) begin(t *mapping.Transfer, base uint64, in *memory.Spread) {
	if in != nil {
		c.over(t, in)
		return
	}
	c.start(t, base)
}

// run moves on to the next run; false after the last.
func (c *cutter) run() bool {
	for c.rows == 0 {
		if c.planes <= 1 {
			return false
		}
		c.planes--
		c.plane += uint64(c.t.PlaneStride)
		c.row, c.rows = c.plane, c.t.Rows
	}
	c.addr, c.left = c.row, uint64(c.t.RowBytes)
	c.row += uint64(c.t.Stride)
	c.rows--
	return true
}

// next returns the next burst; ok is false after the last.
func (c *cutter) next() (b burst, ok bool) {
	if c.left == 0 && !c.run() {
		return burst{}, false
	}
	if c.spread != nil {
		return c.nextPiece(), true
	}
	n := min(c.left, c.align-c.addr%c.align)
	if c.addr >= c.homeEnd || c.addr < c.homeLo {
		c.home()
	}
	n = min(n, c.homeEnd-c.addr)
	b = burst{c.addr, n, c.target, c.place}
	c.addr += n
	c.left -= n
	return b, true
}

// nextPiece is next in a tensor in pieces: a burst ends where its piece does.
func (c *cutter) nextPiece() burst {
	addr, run, k := c.spread.Find(c.addr, c.piece)
	c.piece = k
	n := min(c.left, run, c.align-addr%c.align)
	if addr >= c.homeEnd || addr < c.homeLo {
		c.find(addr)
	}
	n = min(n, c.homeEnd-addr)
	c.addr += n
	c.left -= n
	return burst{addr, n, c.target, c.place}
}

// home looks up who is home to c.addr. Load has checked that somebody is.
func (c *cutter) home() { c.find(c.addr) }

func (c *cutter) find(addr uint64) {
	r, port, run, ok := c.routes.m.Find(addr)
	if !ok {
		panic(fmt.Sprintf("systolic: address %#x has no home", addr))
	}
	c.homeLo, c.homeEnd, c.target, c.place = addr, addr+run, c.routes.index[r][port], c.routes.order[r]
}

// uniform returns how many of the next bursts are whole ones of the burst size to
// the same target, all within the current run. It is 0 where the next burst is
// a partial one.
func (c *cutter) uniform() uint64 {
	if c.spread != nil || c.left == 0 && !c.run() || c.left < c.align || c.addr%c.align != 0 {
		return 0
	}
	if c.addr >= c.homeEnd || c.addr < c.homeLo {
		c.home()
	}
	return min(c.left, c.homeEnd-c.addr) / c.align
}

// skip passes n uniform bursts.
func (c *cutter) skip(n uint64) {
	c.addr += n * c.align
	c.left -= n * c.align
}

// oneHome reports whether all rows left of the plane have the same home.
func (c *cutter) oneHome() bool {
	if c.spread != nil {
		return false
	}
	c.addr = c.row
	if c.addr >= c.homeEnd || c.addr < c.homeLo {
		c.home()
	}
	return c.row+uint64(c.t.Stride)*uint64(c.rows-1)+uint64(c.t.RowBytes) <= c.homeEnd
}

// skipRows passes n rows that have not begun.
func (c *cutter) skipRows(n uint64) {
	c.row += n * uint64(c.t.Stride)
	c.rows -= int64(n)
}
