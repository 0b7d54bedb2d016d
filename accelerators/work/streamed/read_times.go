package streamed

import (
	"github.com/causeway-sim/causeway/components/task"
	"github.com/causeway-sim/causeway/memory"
)

// A note is what the node notes about a request under way.
type note struct {
	task  task.ID
	home  *memory.Range
	begun uint64 // cycle
}

// A readTimes is what each range of addresses has answered, in the order in which ranges were first asked.
type readTimes []answers

// answers are those of one range.
type answers struct {
	home          *memory.Range
	reads, cycles uint64 // of reads alone
	latency       uint64 // the least, of any request
	meter         meter  // since the start of the run
}

// note notes an answer in a cycle to a request whose bytes take due cycles at the nominal bandwidth. It
// returns the cycle in which the latency of its memory had passed.
func (l *readTimes) note(n *note, cycle uint64, due float64, read bool) uint64 {
	i := 0
	for ; i < len(*l) && (*l)[i].home != n.home; i++ {
	}
	took := cycle - n.begun
	if i == len(*l) {
		*l = append(*l, answers{home: n.home, latency: took})
	}
	x := &(*l)[i]
	x.latency = min(x.latency, took-min(took, uint64(due*x.meter.slow())))
	x.meter.answered(cycle, n.begun+x.latency, due)
	if read {
		x.reads++
		x.cycles += took
	}
	return n.begun + x.latency
}

// Reads implements work.Gauge.
func (x *Executor[L]) Reads(addr uint64) (n, cycles uint64) {
	r, _, _, ok := x.homes.Find(addr)
	for i := range x.loads {
		if l := &x.loads[i]; ok && l.home == r {
			return l.reads, l.cycles
		}
	}
	return 0, 0
}

// Spreads implements work.Spreader.
func (x *Executor[L]) Spreads() {}
