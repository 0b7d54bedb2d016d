package gpu

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

// A readTimes is the reads of each range of addresses that were answered, in the order in which
// ranges were first read, and the cycles that they took.
type readTimes []struct {
	home          *memory.Range
	reads, cycles uint64
}

// note notes a read.
func (l *readTimes) note(home *memory.Range, cycles uint64) {
	for i := range *l {
		if x := &(*l)[i]; x.home == home {
			x.reads++
			x.cycles += cycles
			return
		}
	}
	*l = append(*l, struct {
		home          *memory.Range
		reads, cycles uint64
	}{home, 1, cycles})
}

// Reads implements work.Gauge.
func (t *Tile) Reads(addr uint64) (n, cycles uint64) {
	r, _, _, ok := t.homes.Find(addr)
	for i := range t.loads {
		if x := &t.loads[i]; ok && x.home == r {
			return x.reads, x.cycles
		}
	}
	return 0, 0
}

// Spreads implements work.Spreader.
func (t *Tile) Spreads() {}
