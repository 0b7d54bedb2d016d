package steps

import (
	"math"

	"github.com/causeway-sim/causeway/workloads/service"
)

// never is a time that does not come.
const never = math.MaxUint64

// A play is where a program stands. Times are in ps.
type play struct {
	program *service.Program
	bases   [][]uint64
	burst   uint64
	ahead   int
	random  random
	cursors []cursor // by region

	// of the steps that are open, by step modulo ahead+1
	left    []int  // requests that are not answered
	passed  []int  // cursors that have sent all of theirs
	turn    int    // step that computes, or is next to
	end     uint64 // of its computation; never: it has not begun
	compute uint64 // ps of computation so far
}

// A cursor is the next request to a region.
type cursor struct {
	region           int
	step, read, item int
	off              uint64 // within the item
	row              uint64 // of the item, if it is random
	drawn            bool
	under            int // requests without an answer
}

func (p *play) init() {
	p.left, p.passed = make([]int, p.ahead+1), make([]int, p.ahead+1)
	p.cursors = make([]cursor, len(p.program.Regions))
	p.end = never
	for i := range p.cursors {
		p.cursors[i].region = i
		p.skip(&p.cursors[i])
	}
}

// slot of a step among those that are open.
func (p *play) slot(step int) int { return step % (p.ahead + 1) }

// skip goes to the next read of the cursor's region in a step that is open.
func (p *play) skip(c *cursor) {
	for c.step < len(p.program.Steps) && c.step <= p.turn+p.ahead {
		reads := p.program.Steps[c.step].Reads
		for c.read < len(reads) && reads[c.read].Region != c.region {
			c.read++
		}
		if c.read < len(reads) {
			return
		}
		p.passed[p.slot(c.step)]++
		c.step, c.read = c.step+1, 0
	}
}

// next is the next request of a cursor; false: none may be sent yet.
func (p *play) next(c *cursor) (addr, bytes uint64, ok bool) {
	if c.step == len(p.program.Steps) || c.step > p.turn+p.ahead {
		return 0, 0, false
	}
	s := &p.program.Steps[c.step]
	if !s.Free && c.step != p.turn {
		return 0, 0, false
	}
	r := &s.Reads[c.read]
	if r.Random && !c.drawn {
		c.row, c.drawn = p.random.Uint64N(p.program.Regions[r.Region].Size/r.Bytes), true
	}
	bytes = min(p.burst, r.Bytes-c.off)
	b := p.bases[r.Region]
	n := uint64(len(b))
	if r.Random {
		return b[c.row%n] + c.row/n*r.Bytes + c.off, bytes, true
	}
	at := r.At + uint64(c.item)*r.Bytes + c.off
	unit := at / p.burst
	return b[unit%n] + unit/n*p.burst + at%p.burst, min(bytes, p.burst-at%p.burst), true
}

// took records that the next request is sent.
func (p *play) took(c *cursor, bytes uint64) {
	p.left[p.slot(c.step)]++
	c.under++
	r := &p.program.Steps[c.step].Reads[c.read]
	if c.off += bytes; c.off < r.Bytes {
		return
	}
	c.off, c.drawn = 0, false
	if c.item++; c.item < r.Count {
		return
	}
	c.item = 0
	c.read++
	p.skip(c)
}

// answered notes an answer to a request of a step.
func (p *play) answered(region, step int) {
	p.left[p.slot(step)]--
	p.cursors[region].under--
}

// advance begins and ends computations up to a time, and returns the end of the one in progress;
// rate is in operations per ps.
func (p *play) advance(now uint64, rate float64) (wake uint64) {
	for !p.over() {
		k := p.slot(p.turn)
		if p.end == never {
			if p.passed[k] < len(p.cursors) || p.left[k] > 0 {
				return never
			}
			d := uint64(0)
			if rate > 0 {
				d = uint64(math.Ceil(p.program.Steps[p.turn].Compute / rate))
			}
			p.end = now + d
			p.compute += d
		}
		if p.end > now {
			return p.end
		}
		p.passed[k] = 0
		p.turn++
		p.end = never
		for i := range p.cursors {
			p.skip(&p.cursors[i])
		}
	}
	return never
}

// over reports whether all is done.
func (p *play) over() bool { return p.turn == len(p.program.Steps) }
