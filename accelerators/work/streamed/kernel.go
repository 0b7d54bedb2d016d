package streamed

import (
	"github.com/causeway-sim/causeway/accelerators/curve"
)

// A Kernel is what an operator does on a node. Cycles are of the node's clock.
type Kernel struct {
	Launch uint64 // cycles before its work begins
	// Time is the cycles after the launch, by the slowness of the memory. Ruled says that it counts.
	Time  curve.Curve
	Ruled bool

	// Work is the cycles after the launch of a kernel that is not Ruled, in Steps, of which Each are a
	// round, with the operands of Ahead steps fetched ahead. Steps 0: its bytes go as the memory answers.
	Work               uint64
	Steps, Each, Ahead int

	// Ops are operators of the graph that are one kernel, whose operands and results move; nil: the
	// operator alone. What some of them make for others does not come back, but with Exchanged.
	Ops       []int
	Exchanged bool
	// Bytes are those that move in all. Results are all of these but Late, which stay on the chip for
	// now, unless Written says how many bytes they are (Exact). Operands take the rest: each has its
	// part by its size or, with Exact, those that no operator makes are read whole first.
	Bytes, Late, Written float64
	Exact                bool
}

// mostPieces is how many pieces a kernel is cut into at the most, and leastBursts how many requests a
// piece has at the least, if there are leastPieces.
//
// assumption: a part in 64 of a kernel is what its last operands hold up.
const (
	mostPieces  = 64
	leastBursts = 8
	leastPieces = 8
)

// A pace says which bytes of a kernel may go and when its pieces have been worked on.
type pace struct {
	ruled bool
	time  curve.Curve
	begin uint64 // cycle in which the launch has ended
	late  uint64 // cycles by which operands may be late, since the launch is shorter than the latency that the rule holds
	last  uint64 // cycle in which the piece before has ended

	steps, each   int // pieces of the kernel, and of a round; 0: nothing waits
	ahead         int
	reads, writes uint64 // bytes of the kernel
	asked, came   uint64 // of the reads
	left          uint64 // of the writes, those that have gone
	cycles        uint64 // of all steps, of a kernel that is not ruled
	done          int
	until         uint64 // cycle in which the piece under way has ended; 0: none is
}

// paceOf is that of a kernel whose launch ends in a cycle.
func (x *Executor[L]) paceOf(k *Kernel, begin uint64) (p pace) {
	for i := range x.streams {
		if s := &x.streams[i]; s.write {
			p.writes += s.total
		} else {
			p.reads += s.total
		}
	}
	switch {
	case k.Ruled:
		bytes := p.reads + p.writes
		p.ruled, p.time, p.begin, p.last = true, k.Time, begin, begin
		p.late = x.spec.Latency - min(x.spec.Latency, k.Launch)
		bursts := bytes / x.spec.Burst
		p.steps = int(min(max(bursts/leastBursts, min(bursts, leastPieces), 1), mostPieces))
		p.each = 1
		p.ahead = p.steps
		if took := k.Time.At(1); took > 0 {
			p.ahead = int(min(float64(p.steps), 2+2*float64(p.steps)*float64(x.spec.Latency)/took))
		}
	case k.Steps > 0 && k.Work > 0:
		p.steps, p.each, p.ahead, p.cycles = k.Steps, k.Each, k.Ahead, k.Work
	}
	return p
}

// part is n pieces of all, of some bytes or cycles.
func (p *pace) part(of uint64, n int) uint64 {
	if n >= p.steps {
		return of
	}
	return uint64(float64(of) * float64(n) / float64(p.steps))
}

// may reports whether a byte may go now.
func (p *pace) may(write bool) bool {
	switch {
	case p.steps == 0:
		return true
	case write:
		return p.left < p.part(p.writes, p.done/p.each*p.each)
	}
	return p.asked < p.part(p.reads, p.done+1+p.ahead)
}

// sent notes bytes that go.
func (p *pace) sent(write bool, n uint64) {
	if write {
		p.left += n
	} else {
		p.asked += n
	}
}

// advance works on pieces until a cycle, with a memory of some slowness. wake is when the one under way
// ends, 0 if its operands are waited for, or all have ended; more says that others may be fetched now.
func (p *pace) advance(cycle uint64, slow float64) (wake uint64, more bool) {
	for p.done < p.steps {
		if p.until == 0 {
			if p.came < p.part(p.reads, p.done+1) {
				return 0, more
			}
			p.until = p.ends(cycle, slow)
		}
		if cycle < p.until {
			return p.until, more
		}
		p.done++
		p.until, p.last, more = 0, p.until, true
	}
	return 0, more
}

// ends is the cycle in which the next piece has been worked on if it begins in one.
func (p *pace) ends(cycle uint64, slow float64) uint64 {
	if !p.ruled {
		return cycle + p.part(p.cycles, p.done+1) - p.part(p.cycles, p.done)
	}
	n, of := float64(p.done+1), float64(p.steps)
	from := max(cycle-min(cycle, p.late), p.last)
	return max(p.begin+up(p.time.At(slow)*n/of), from+up(p.time[0]*n/of)-up(p.time[0]*(n-1)/of), cycle)
}

// over reports whether all pieces have ended.
func (p *pace) over() bool { return p.done == p.steps }

// up rounds up, but for the rounding error of a float.
func up(x float64) uint64 {
	n := uint64(x)
	if x-float64(n) > 1e-9*(1+x) {
		n++
	}
	return n
}

// A meter says how slow the memory is while a kernel runs. busy is the cycles in which it had a request
// whose latency had passed, and due what the bytes that it has answered take at its nominal bandwidth.
type meter struct {
	busy   uint64
	due    float64
	latest uint64 // answer, of all kernels
}

// begin starts a kernel.
func (m *meter) begin() { m.busy, m.due = 0, 0 }

// answered notes an answer in a cycle to a request whose latency had passed in another, and which takes
// so many cycles at the nominal bandwidth.
func (m *meter) answered(cycle, from uint64, due float64) {
	if from = max(from, m.latest); cycle > from {
		m.busy += cycle - from
		m.latest = cycle
	}
	m.due += due
}

// slow is the slowness; 1 before any answer.
func (m *meter) slow() float64 {
	if m.due == 0 {
		return 1
	}
	return float64(m.busy) / m.due
}
