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
}

// routes numbers the ports that an address map leads to, so that per-target
// state lives in slices.
type routes struct {
	m       *memory.Map
	targets []target
	index   map[*memory.Range][]int32 // by port of the range
}

// A target is one port that requests go to, and what is known of the way.
type target struct {
	port sim.Port
	path memory.Path
}

// newRoutes numbers the targets of m in the order of addresses. A port that is
// home to several ranges is one target.
func newRoutes(m *memory.Map) *routes {
	r := &routes{m: m, index: map[*memory.Range][]int32{}}
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
		r.index[rg] = ids
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
}

// start begins with t, whose tensor lies at base.
func (c *cutter) start(t *mapping.Transfer, base uint64) {
	c.t = t.Contiguous()
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
	n := min(c.left, c.align-c.addr%c.align)
	if c.addr >= c.homeEnd || c.addr < c.homeLo {
		c.home()
	}
	n = min(n, c.homeEnd-c.addr)
	b = burst{c.addr, n, c.target}
	c.addr += n
	c.left -= n
	return b, true
}

// home looks up who is home to c.addr. Load has checked that somebody is.
func (c *cutter) home() {
	r, port, run, ok := c.routes.m.Find(c.addr)
	if !ok {
		panic(fmt.Sprintf("systolic: address %#x has no home", c.addr))
	}
	c.homeLo, c.homeEnd, c.target = c.addr, c.addr+run, c.routes.index[r][port]
}

// uniform returns how many of the next bursts are whole ones of the burst size to
// the same target, all within the current run. It is 0 where the next burst is
// a partial one.
func (c *cutter) uniform() uint64 {
	if c.left == 0 && !c.run() || c.left < c.align || c.addr%c.align != 0 {
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
