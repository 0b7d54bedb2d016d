package cxl

import (
	"fmt"

	"github.com/causeway-sim/causeway/components/cause"
	"github.com/causeway-sim/causeway/components/stats"
	"github.com/causeway-sim/causeway/memory"
	"github.com/causeway-sim/causeway/memory/cxl/pool"
	"github.com/causeway-sim/causeway/memory/cxl/transit"
)

// rootCount is in requests, lines, bytes and picoseconds; index 1 is writes.
type rootCount struct {
	memory.Traffic
	answered           uint64
	open               uint64 // requests under way; no metric, so that sampling does not extend it
	busy               cause.Busy
	at                 [][atDevice]int64 // by device, of lines
	latency            [2]uint64         // of requests
	requests           [2]uint64
	lines              [2]uint64
	total              [2]int64 // of lines
	parts              [2][transit.Parts]int64
	first, last        int64
	loads              [pool.Loads]uint64 // of answers
	links              []*transit.Hop
	wires              [2]*stats.TimeSeries // bytes of flits on links, down and up; nil unless the run is observed
	issued, lost, late uint64               // lines
	expired            [2]uint64            // lines given up
	expiredAt          int64                // ps at which the first was
	failed             uint64               // requests
}

func kind(write bool) int {
	if write {
		return 1
	}
	return 0
}

// line counts a line that is done at t.
func (c *rootCount) line(l *transit.Line, t int64) error {
	k := kind(l.Write)
	c.lines[k]++
	c.total[k] += t - l.Start
	parts := &c.parts[k]
	sum, signs := int64(0), int64(0)
	for p, v := range &l.Parts {
		parts[p] += v
		sum += v
		signs |= v
	}
	if l.Device >= 0 && c.at != nil {
		at := &c.at[l.Device]
		for i, p := range devicePart {
			at[i] += l.Parts[p]
		}
	}
	if signs < 0 {
		return negative(&l.Parts)
	}
	if sum != t-l.Start {
		return fmt.Errorf("the parts of a line's latency are %d ps, the whole %d ps", sum, t-l.Start)
	}
	return nil
}

// negative names a part that is.
func negative(parts *[transit.Parts]int64) error {
	for p, v := range parts {
		if v < 0 {
			return fmt.Errorf("part %s of a line is %d ps", transit.PartNames[p][0], v)
		}
	}
	return nil
}

// answer counts a request answered at t.
func (c *rootCount) answer(q *request, t int64) {
	k := kind(q.write)
	c.answered++
	c.open--
	c.busy.End(uint64(t))
	c.requests[k]++
	c.latency[k] += uint64(t - q.at)
	if c.answered == 1 || q.at < c.first {
		c.first = q.at
	}
	c.last = t
}

// deviceCount is in lines and picoseconds; index 1 is writes.
type deviceCount struct {
	reads, writes uint64
	pins          [2]uint64
	pinned        [2]uint64
}

// pin counts the time from a request's last bit at the pins to its answer's first.
func (c *deviceCount) pin(write bool, t int64) {
	c.pins[kind(write)] += uint64(t)
	c.pinned[kind(write)]++
}

// memory counts a line that goes to the memory inside.
func (c *deviceCount) memory(write bool) {
	if write {
		c.writes++
	} else {
		c.reads++
	}
}
