package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// counterBins is how many values a counter has at most. The bins of all counters are equally wide,
// and twice as wide each time the run has grown out of them.
const counterBins = 512

// counters hold, for each track, bytes per time and tasks under way. A task's bytes are spread
// evenly over its time.
type counters struct {
	width int64 // ps of a bin
	of    map[track]*[counterBins]load
}

// A load is what tasks add to a bin.
type load struct {
	busy  float64 // ps of all tasks
	bytes float64
}

// add counts a task from begin to end, in ps.
func (c *counters) add(k track, begin, end int64, bytes uint64) {
	if c.of == nil {
		c.width, c.of = 1000, map[track]*[counterBins]load{}
	}
	for end > c.width*counterBins {
		c.widen()
	}
	bins := c.of[k]
	if bins == nil {
		bins = &[counterBins]load{}
		c.of[k] = bins
	}
	if end == begin {
		bins[min(begin/c.width, counterBins-1)].bytes += float64(bytes)
		return
	}
	for i := begin / c.width; i < counterBins && i*c.width < end; i++ {
		in := float64(min(end, (i+1)*c.width) - max(begin, i*c.width))
		bins[i].busy += in
		bins[i].bytes += float64(bytes) * in / float64(end-begin)
	}
}

// widen joins pairs of bins.
func (c *counters) widen() {
	for _, bins := range c.of {
		for i := range bins {
			if 2*i+1 < counterBins {
				a, b := bins[2*i], bins[2*i+1]
				bins[i] = load{a.busy + b.busy, a.bytes + b.bytes}
			} else {
				bins[i] = load{}
			}
		}
	}
	c.width *= 2
}

// write writes the counters up to the time end, with a value where it changes. The last bin may
// be a part of one.
func (c *counters) write(end int64, line func(string)) {
	order := slices.SortedFunc(maps.Keys(c.of), func(a, b track) int {
		return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.kind, b.kind))
	})
	for _, k := range order {
		moves := slices.ContainsFunc(c.of[k][:], func(l load) bool { return l.bytes > 0 })
		for _, of := range []struct {
			name, unit string
			value      func(l load, ps float64) float64
			shown      bool
		}{
			{k.kind.String() + " under way", "tasks", func(l load, ps float64) float64 { return l.busy / ps }, true},
			{k.kind.String() + " bandwidth", "GB/s", func(l load, ps float64) float64 { return l.bytes / ps * 1000 }, moves},
		} {
			if !of.shown {
				continue
			}
			before := -1.0
			value := func(at int64, v float64) {
				if v != before {
					line(fmt.Sprintf(`{"ph":"C","name":%q,"pid":%d,"ts":%s,"args":{%q:%.6g}}`, of.name, k.node, micros(at), of.unit, v))
				}
				before = v
			}
			for i, l := range c.of[k] {
				from := int64(i) * c.width
				if from >= end {
					break
				}
				value(from, of.value(l, float64(min(c.width, end-from))))
			}
			value(end, 0)
		}
	}
}
