package watch

import (
	"regexp"

	"github.com/sarchlab/akita/v3/sim"

	"github.com/causeway-sim/causeway/components/stats"
)

// seriesLog notes by how much counters have grown in intervals of simulated time. It looks
// between events and schedules none, so that it cannot change a run. Intervals begin at
// firstStep, or the time for which parts of a network know nothing of each other (stride); where a run has more than maxRows, two become one.
type seriesLog struct {
	groups []*stats.Group
	list   []summed
	last   []uint64
	step   float64 // ns
	n      int     // intervals of step so far
	rows   [][]uint64
}

// A summed counter is that of all elements of an array.
type summed struct {
	name string
	unit stats.Unit
	of   []*uint64
}

// followed are the counters that figures over time are drawn of.
var followed = map[string]bool{
	"read_bytes": true, "write_bytes": true, "bytes": true, "bytes_delivered": true, "below_read_bytes": true, "below_write_bytes": true, "bytes_done": true,
	"requests": true, "requests_done": true, "reads": true, "writes": true, "messages": true, "messages_delivered": true, "packets": true, "packets_delivered": true,
	"hits": true, "misses": true, "bypasses": true, "bursts": true, "flits": true, "flits_delivered": true, "macs": true,
	"ifmap_read_bytes": true, "filter_read_bytes": true, "ofmap_read_bytes": true, "ofmap_write_bytes": true,
}

func newSeriesLog(groups []*stats.Group) *seriesLog {
	l := &seriesLog{groups: groups, step: firstStep}
	at := map[string]int{}
	for _, g := range groups {
		for _, c := range g.Counters() {
			if !followed[c.Name] {
				continue
			}
			name := element.ReplaceAllString(c.Where, "") + "." + c.Name
			i, ok := at[name]
			if !ok {
				if len(l.list) == maxSeries {
					continue
				}
				i = len(l.list)
				at[name] = i
				l.list = append(l.list, summed{name: name, unit: c.Unit})
			}
			l.list[i].of = append(l.list[i].of, c.N)
		}
	}
	l.last = make([]uint64, len(l.list))
	return l
}

// stride makes the first intervals last at least so long, before any has begun.
func (l *seriesLog) stride(t sim.VTimeInSec) {
	if l != nil && l.n == 0 {
		l.step = max(l.step, float64(t)*1e9)
	}
}

// next is the end of the interval that goes on.
func (l *seriesLog) next() sim.VTimeInSec { return sim.VTimeInSec(float64(l.n+1) * l.step * 1e-9) }

// note ends the interval.
func (l *seriesLog) note() {
	for _, g := range l.groups {
		g.Settle(float64(l.next()))
	}
	l.n++
	row := make([]uint64, len(l.list))
	for i := range l.list {
		sum := uint64(0)
		for _, n := range l.list[i].of {
			sum += *n
		}
		row[i], l.last[i] = sum-l.last[i], sum
	}
	l.rows = append(l.rows, row)
	if len(l.rows) < maxRows {
		return
	}
	for i := 0; i < maxRows/2; i++ {
		a, b := l.rows[2*i], l.rows[2*i+1]
		for k := range a {
			a[k] += b[k]
		}
		l.rows[i] = a
	}
	l.rows, l.n, l.step = l.rows[:maxRows/2], l.n/2, 2*l.step
}

// jsonTable is what was noted, without counters that never grew and those that a time
// series replaces.
func (l *seriesLog) jsonTable(arrays []*arraySeries) *JSONTable {
	s := &JSONTable{Columns: []string{"time"}, Units: []stats.Unit{stats.NS}}
	var keep []int
	for i, c := range l.list {
		if l.last[i] > 0 && !replaced(arrays, c.name) {
			keep = append(keep, i)
			s.Columns, s.Units = append(s.Columns, c.name), append(s.Units, c.unit)
		}
	}
	if len(keep)+len(arrays) == 0 || len(l.rows) < 2 {
		return nil
	}
	for i, r := range l.rows {
		row := []any{float64(i+1) * l.step}
		for _, k := range keep {
			row = append(row, r[k])
		}
		s.Rows = append(s.Rows, row)
	}
	for _, c := range arrays {
		c.into(s)
	}
	return s
}

const (
	firstStep = 10.0 // ns
	maxRows   = 400
	maxSeries = 48
)

// element is what tells the elements of an array apart: Core[3].
var element = regexp.MustCompile(`\[[0-9]+\]`)
