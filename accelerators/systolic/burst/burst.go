package burst

import (
	"fmt"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/accelerators/mapping/dma"
	"github.com/causeway-sim/causeway/components/clock"
	"github.com/causeway-sim/causeway/memory"
)

// A Burst is one memory request: contiguous bytes with one home.
type Burst struct {
	Addr   uint64
	Size   uint64
	Target int32 // index into routes.ports
	Home   int32 // range that the address is in
}

// Routes numbers the ports that an address map leads to, so that per-target
// state lives in slices.
type Routes struct {
	Map     *memory.Map
	Targets []Target
	index   map[*memory.Range][]int32 // by port of the range
	order   map[*memory.Range]int32
}

// A Target is one port that requests go to, and what is known of the way.
type Target struct {
	Port sim.Port
	Path memory.Path
}

// NewRoutes numbers the targets of m in the order of addresses. A port that holds
// several ranges is one target.
func NewRoutes(m *memory.Map) *Routes {
	r := &Routes{Map: m, index: map[*memory.Range][]int32{}, order: map[*memory.Range]int32{}}
	ranges := m.Ranges()
	for i := range ranges {
		rg := &ranges[i]
		ids := make([]int32, len(rg.Ports))
		for j, p := range rg.Ports {
			ids[j] = -1
			for k := range r.Targets {
				if r.Targets[k].Port == p {
					ids[j] = int32(k)
				}
			}
			if ids[j] < 0 {
				ids[j] = int32(len(r.Targets))
				r.Targets = append(r.Targets, Target{p, rg.Paths[j]})
			}
		}
		r.index[rg], r.order[rg] = ids, int32(i)
	}
	return r
}

// Place is the number of a range of the map, in the order of addresses.
func (r *Routes) Place(x *memory.Range) int32 { return r.order[x] }

// TargetOf is the number of the target that a port of a range leads to.
func (r *Routes) TargetOf(x *memory.Range, port int) int32 { return r.index[x][port] }

// A Cutter cuts a transfer into bursts. Rows that touch are one run; a run is
// cut where its address is a multiple of align and where its home changes. The
// bursts of a transfer come in the order of their addresses within a row, rows
// in order.
type Cutter struct {
	Routes *Routes
	Align  uint64 // the burst size, a power of two not required

	t          dma.Transfer // runs that touch merged
	plane, row uint64       // where the current plane and the next row start
	rows       int64        // of the current plane, still to start
	planes     int64        // still to start, the current one included
	turn       uint64       // rows after which their alignment comes back
	addr, left uint64       // what is left of the current run

	homeEnd uint64 // the home of [.., homeEnd) is known to be target
	homeLo  uint64
	target  int32
	place   int32 // range of the home

	spread *memory.Spread // where the tensor lies in pieces: addresses are offsets into it
	piece  int
}

// Over is start for a tensor in pieces.
func (c *Cutter) Over(t *dma.Transfer, s *memory.Spread) {
	c.Start(t, 0)
	c.spread, c.piece = s, 0
}

// Start begins with t, whose tensor lies at base.
func (c *Cutter) Start(t *dma.Transfer, base uint64) {
	c.t = t.Contiguous()
	c.spread = nil
	c.plane = base + uint64(t.Offset)
	c.row, c.rows, c.planes, c.left = c.plane, c.t.Rows, c.t.Planes, 0
	if t.Bytes() <= 0 {
		c.rows, c.planes = 0, 0
	}
	c.turn = 1
	if c.rows > 1 {
		c.turn = c.Align / clock.GCD(c.Align, uint64(c.t.Stride))
	}
}

// Begin is start, or over where the tensor is in pieces.
func (c *Cutter) Begin(t *dma.Transfer, base uint64, in *memory.Spread) {
	if in != nil {
		c.Over(t, in)
		return
	}
	c.Start(t, base)
}

// run moves on to the next run; false after the last.
func (c *Cutter) run() bool {
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

// Next returns the next burst; ok is false after the last.
func (c *Cutter) Next() (b Burst, ok bool) {
	if c.left == 0 && !c.run() {
		return Burst{}, false
	}
	if c.spread != nil {
		return c.nextPiece(), true
	}
	n := min(c.left, c.Align-c.addr%c.Align)
	if c.addr >= c.homeEnd || c.addr < c.homeLo {
		c.home()
	}
	n = min(n, c.homeEnd-c.addr)
	b = Burst{c.addr, n, c.target, c.place}
	c.addr += n
	c.left -= n
	return b, true
}

// nextPiece is next in a tensor in pieces: a burst ends where its piece does.
func (c *Cutter) nextPiece() Burst {
	addr, run, k := c.spread.Find(c.addr, c.piece)
	c.piece = k
	n := min(c.left, run, c.Align-addr%c.Align)
	if addr >= c.homeEnd || addr < c.homeLo {
		c.find(addr)
	}
	n = min(n, c.homeEnd-addr)
	c.addr += n
	c.left -= n
	return Burst{addr, n, c.target, c.place}
}

// home looks up the memory that holds c.addr. Load has checked that there is one.
func (c *Cutter) home() { c.find(c.addr) }

func (c *Cutter) find(addr uint64) {
	r, port, run, ok := c.Routes.Map.Find(addr)
	if !ok {
		panic(fmt.Sprintf("burst: address %#x has no home", addr))
	}
	c.homeLo, c.homeEnd, c.target, c.place = addr, addr+run, c.Routes.index[r][port], c.Routes.order[r]
}

// Uniform returns how many of the next bursts are whole ones of the burst size to
// the same target, all within the current run. It is 0 where the next burst is
// a partial one.
func (c *Cutter) Uniform() uint64 {
	if c.spread != nil || c.left == 0 && !c.run() || c.left < c.Align || c.addr%c.Align != 0 {
		return 0
	}
	if c.addr >= c.homeEnd || c.addr < c.homeLo {
		c.home()
	}
	return min(c.left, c.homeEnd-c.addr) / c.Align
}

// Skip passes n uniform bursts.
func (c *Cutter) Skip(n uint64) {
	c.addr += n * c.Align
	c.left -= n * c.Align
}

// OneHome reports whether all rows left of the plane have the same home.
func (c *Cutter) OneHome() bool {
	if c.spread != nil {
		return false
	}
	c.addr = c.row
	if c.addr >= c.homeEnd || c.addr < c.homeLo {
		c.home()
	}
	return c.row+uint64(c.t.Stride)*uint64(c.rows-1)+uint64(c.t.RowBytes) <= c.homeEnd
}

// SkipRows passes n rows that have not begun.
func (c *Cutter) SkipRows(n uint64) {
	c.row += n * uint64(c.t.Stride)
	c.rows -= int64(n)
}

// Turn is after how many rows of the plane their bursts have the same sizes again.
func (c *Cutter) Turn() uint64 { return c.turn }

// Left is the bytes of the current run that no burst has had.
func (c *Cutter) Left() uint64 { return c.left }

// RowsLeft is the rows of the plane that have not begun.
func (c *Cutter) RowsLeft() uint64 { return uint64(c.rows) }

// Target is the target of the last burst, or of the rows that OneHome was asked about.
func (c *Cutter) Target() int32 { return c.target }
